use crate::harness::{Bank, EVERYTHING, ExchangeExt, ValueExt, access};
use futures_util::future::join_all;
use serde_json::json;

#[tokio::test]
async fn ais_081_110_every_account_has_its_balances_alone_and_in_bulk() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let mut bulk = access.read("aisp/balances").await.list("/Data/Balance");
        for account in access.account_ids().await {
            let answer = access.read(&format!("aisp/accounts/{account}/balances")).await;
            let own = format!("aisp/accounts/{account}/balances");
            assert_eq!(answer["Links"].text("Self"), access.tpp.resource_url(&own), "RW-241, RW-243");
            assert_eq!(answer["Meta"]["TotalPages"], 1, "RW-244");
            let balances = answer.list("/Data/Balance");
            let kinds: Vec<_> = balances.iter().map(|it| it.text("Type").to_owned()).collect();
            assert_eq!(kinds, ["InterimAvailable", "InterimBooked"], "AIS-110");
            for balance in balances {
                assert_eq!(balance.text("AccountId"), account);
                let at = bulk.iter().position(|it| *it == balance).expect("AIS-081: the bulk list has it too");
                bulk.remove(at);
            }
        }
        assert!(bulk.is_empty(), "AIS-081: nothing else: {bulk:?}");
    }
}

/// Reads of several TPPs at once share statements of the database: each gets its own customer's balances, and nothing with an account or
/// a token that is not its own.
#[tokio::test(flavor = "multi_thread")]
async fn ais_110_as_110_concurrent_tpp_reads_return_own_customers_balances() {
    for bank in Bank::each_engine().await {
        let twin = bank.create_tpp(&json!({"name": "twin", "roles": ["aisp"], "headless": "bashir"})).await;
        let robot = access(&bank.tpp("robot"), &EVERYTHING).await;
        let twin = access(&twin, &EVERYTHING).await;
        let mut own = Vec::new();
        for reader in [&robot, &twin] {
            for account in reader.account_ids().await {
                let path = format!("aisp/accounts/{account}/balances");
                let expected = reader.read(&path).await["Data"].clone();
                own.push((reader, path, expected));
            }
        }
        let read = async |number: usize| {
            let (reader, path, expected) = &own[number % own.len()];
            let other = if std::ptr::eq(*reader, &robot) { &twin } else { &robot };
            match number % 3 {
                0 => assert_eq!(reader.read(path).await["Data"], *expected),
                1 => drop(other.tpp.get(other.token(), path).await.unwrap().refused(403)),
                _ => assert_eq!(other.tpp.get(reader.token(), path).await.unwrap().status, 401),
            }
        };
        join_all((0..300).map(read)).await;
    }
}

#[tokio::test]
async fn rw_251_amounts_never_carry_a_sign() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    for balance in access.read("aisp/balances").await.list("/Data/Balance") {
        let amount = balance["Amount"].text("Amount");
        let (whole, part) = amount.split_once('.').unwrap_or((amount, "0"));
        let digits =
            |text: &str, max: usize| (1..=max).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        assert!(digits(whole, 13) && digits(part, 5), "{amount}");
        assert!(["Credit", "Debit"].contains(&balance.text("CreditDebitIndicator")), "{balance}");
    }
}
