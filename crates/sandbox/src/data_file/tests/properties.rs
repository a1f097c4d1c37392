//! Property tests with random valid files and with random bytes.

#![allow(clippy::arithmetic_side_effects, reason = "the numbers of these tests are small")]

use super::*;
use proptest::prelude::*;

/// Files with entries at random times, with random sums and statuses, on one or two accounts.
fn any_file() -> impl Strategy<Value = Value> {
    let entry = (0_usize..2, 0_i64..5_000_000, -99_999_i64..99_999, 0_usize..3);
    (proptest::collection::vec(entry, 0..40), -5_000_i64..5_000, "\\PC{1,20}").prop_map(|(rows, opening, name)| {
        let mut file = small();
        let sum = |minor: i64| {
            let way = if minor < 0 { "Debit" } else { "Credit" };
            let text = format!("{}.{:02}", minor.abs() / 100, minor.abs() % 100);
            json!({"CreditDebitIndicator": way, "Amount": {"Amount": text, "Currency": "GBP"}})
        };
        file["Customer"][0]["Name"] = json!(name);
        let mut second = file["Account"][0].clone();
        second["AccountId"] = json!("a-2");
        second["Account"][0]["Identification"] = json!("60837100000002");
        for (account, opening) in [(&mut second, 0), (&mut file["Account"][0], opening)] {
            account["OpeningBalance"] = sum(opening);
            account.as_object_mut().unwrap().remove("BookedBalance");
        }
        file["Account"].as_array_mut().unwrap().push(second);
        let start: Timestamp = "2025-12-02T00:00:00Z".parse().unwrap();
        let rows = rows.into_iter().enumerate().map(|(index, (account, seconds, minor, status))| {
            let mut entry = sum(minor);
            entry["AccountId"] = json!(["a-1", "a-2"][account]);
            entry["TransactionId"] = json!(format!("t-{index}"));
            entry["Status"] = json!(["Booked", "Pending", "Rejected"][status]);
            entry["BookingDateTime"] = json!(start.checked_add(seconds.seconds()).unwrap().to_string());
            entry
        });
        file["Transaction"] = rows.collect();
        file
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_valid_file_comes_out_as_it_went_in(file in any_file()) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let one = empty().await;
            let other = empty().await;
            take(&one, file.to_string().into_bytes(), false).await.unwrap_or_else(|error| panic!("{error:?}"));
            let first = export_data_file(&one, now()).await.unwrap();
            take(&other, first.clone(), false).await.unwrap();
            let second = export_data_file(&other, now()).await.unwrap();
            assert!(first == second, "{}", first_difference(&first, &second));
            let (read, faults) = File::read(&first, SignedDuration::ZERO);
            assert!(faults.into_result(()).is_ok() && read.write() == first);
            let booked: i64 = entries(&one, "zoe").await.iter()
                .filter(|it| it.status == EntryStatus::Booked).map(|it| it.sum.minor()).sum();
            let opening = read.accounts.records.iter().filter_map(|it| it.opening).map(|it| it.minor()).sum::<i64>();
            let stated = read.accounts.records.iter().filter_map(|it| it.booked).map(|it| it.minor()).sum::<i64>();
            assert_eq!(opening.checked_add(booked), Some(stated));
            let totals = one.read(|tx| tx.ledger_totals()).await.unwrap();
            assert!(totals.iter().all(|(_, sums)| *sums == LedgerSums::default()));
        });
    }

    #[test]
    fn no_bytes_make_the_reader_panic(text in "\\PC{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let _ = File::read(text.as_bytes(), SignedDuration::ZERO);
        let _ = File::read(&bytes, SignedDuration::ZERO);
    }
}
