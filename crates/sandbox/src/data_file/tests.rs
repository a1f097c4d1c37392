//! Tests of data files on a real database engine. An export can be imported again, completely or not at all, and all faults are reported at
//! once.
//!
//! Long because the cases share one example file.

mod limits;
mod parties;
mod properties;

use super::file::File;
use super::{ImportError, ImportOptions, data_file_schema, export_data_file, import_data_file};
use crate::seed::{self, NoSeedProgress};
use jiff::{SignedDuration, Timestamp, ToSpan};
use lombard_corebank::storage::BankStore;
use lombard_corebank::{BankScheduler, BuiltInBank};
use lombard_domain::account::{EntryStatus, Transaction};
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::ledger::LedgerSums;
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{Bank, CallContext, EntryFilter, contract};
use lombard_ports::clock::{Clocks, ManualClock};
use lombard_ports::controls::{DataFileFault, ImportSummary};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

fn now() -> Timestamp {
    "2026-02-28T16:45:10Z".parse().unwrap()
}

async fn empty() -> BankStore {
    lombard_corebank::open_temporary_store().await.unwrap()
}

async fn seeded() -> BankStore {
    let store = empty().await;
    seed::seed_sandbox(&store, now(), 42, &NoSeedProgress).await.unwrap();
    store
}

async fn take(store: &BankStore, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ImportError> {
    let options = ImportOptions { rebase, ..ImportOptions::default() };
    import_data_file(store, file, now(), options, Arc::new(NoSeedProgress)).await
}

async fn faults_of(store: &BankStore, file: &Value) -> Vec<DataFileFault> {
    match take(store, file.to_string().into_bytes(), false).await {
        Err(ImportError::Faulty(faults)) => faults,
        other => panic!("{other:?}"),
    }
}

async fn entries(store: &BankStore, login: &str) -> Vec<Transaction> {
    let login = PsuId::from(login);
    let read = store.read(move |tx| {
        let ids: Vec<BankAccountId> = tx.bank_accounts_of(&login)?.into_iter().map(|it| it.account.id).collect();
        tx.entries(&EntryFilter::for_accounts(ids), &ListWindow::first_page(100_000))
    });
    read.await.unwrap().items
}

/// A small valid file, for tests that add faults.
fn small() -> Value {
    let number = |text: &str| json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": text});
    let sum =
        |way: &str, text: &str| json!({"CreditDebitIndicator": way, "Amount": {"Amount": text, "Currency": "GBP"}});
    let entry = |id: &str, at: &str, way: &str, text: &str| {
        let mut entry = sum(way, text);
        entry["AccountId"] = json!("a-1");
        entry["TransactionId"] = json!(id);
        entry["Status"] = json!("Booked");
        entry["BookingDateTime"] = json!(at);
        entry
    };
    let statement = |id: &str, from: &str, to: &str| {
        json!({"AccountId": "a-1", "StatementId": id, "StatementReference": id, "Type": "RegularPeriodic",
            "StartDateTime": from, "EndDateTime": to, "CreationDateTime": to})
    };
    json!({
        "Version": 1,
        "AsOf": "2026-02-10T12:00:00Z",
        "Customer": [{"Login": "zoe", "Name": "Zoe Quill", "About": "Has one account."}],
        "Account": [{
            "AccountId": "a-1", "Status": "Enabled", "StatusUpdateDateTime": "2025-12-01T09:00:00Z", "Currency": "GBP",
            "AccountType": "Personal", "AccountSubType": "CurrentAccount", "OpeningDate": "2025-12-01",
            "Account": [number("60837112345678")], "Holder": ["zoe"], "Shareable": true,
            "OpeningBalance": sum("Credit", "10.00"), "BookedBalance": sum("Debit", "2.50"),
        }],
        "StandingOrder": [{
            "AccountId": "a-1", "StandingOrderId": "so-1", "Frequency": "IntrvlMnthDay:01:28",
            "FirstPaymentDateTime": "2026-01-28T00:00:00Z", "FirstPaymentAmount": {"Amount": "5.00", "Currency": "GBP"},
            "NextPaymentDateTime": "2026-03-28T00:00:00Z", "NextPaymentAmount": {"Amount": "5.00", "Currency": "GBP"},
            "StandingOrderStatusCode": "Active", "CreditorAccount": number("60837187654321"),
        }],
        "Statement": [
            statement("s-1", "2026-01-01T00:00:00Z", "2026-01-31T23:59:59Z"),
            statement("s-2", "2026-02-01T00:00:00Z", "2026-02-10T11:59:59Z"),
        ],
        "Transaction": [
            entry("t-2", "2026-02-03T10:00:00Z", "Debit", "20.00"),
            entry("t-1", "2026-01-03T10:00:00Z", "Credit", "7.50"),
        ],
    })
}

#[tokio::test]
async fn what_was_exported_is_imported_and_exported_again_byte_by_byte() {
    let bank = seeded().await;
    let file = export_data_file(&bank, now()).await.unwrap();
    let copy = empty().await;
    let imported = take(&copy, file.clone(), false).await.unwrap_or_else(|error| panic!("{error:?}"));
    assert_eq!((imported.customers, imported.accounts > 5), (5, true), "{imported:?}");
    let again = export_data_file(&copy, now()).await.unwrap();
    assert!(again == file, "{}", first_difference(&file, &again));
    for login in ["amelia", "bashir", "chloe", "deepak", "esther"] {
        assert!(entries(&copy, login).await == entries(&bank, login).await, "{login}: balances and statements agree");
    }
    let totals = copy.read(|tx| tx.ledger_totals()).await.unwrap();
    assert!(totals.len() >= 3 && totals.iter().all(|(_, sums)| *sums == LedgerSums::default()), "{totals:?}");
}

fn first_difference(one: &[u8], other: &[u8]) -> String {
    let one = String::from_utf8_lossy(one);
    let other = String::from_utf8_lossy(other);
    let differs = one.lines().zip(other.lines()).enumerate().find(|(_, (a, b))| a != b);
    format!("{} and {} lines; {differs:?}", one.lines().count(), other.lines().count())
}

#[tokio::test]
async fn an_imported_bank_keeps_the_contract_of_the_port() {
    let copy = empty().await;
    take(&copy, export_data_file(&seeded().await, now()).await.unwrap(), false).await.unwrap();
    assert!(seed::is_seeded(&copy).await.unwrap(), "the usual customers do not come on top");
    let bank = BuiltInBank::new(copy.clone(), Clocks::new(Arc::new(ManualClock::starting_at(now()))));
    let withheld = copy.read(|tx| tx.bank_accounts_of(&"esther".into())).await.unwrap();
    let withheld = withheld.into_iter().map(|it| it.account.id).collect();
    let facts = contract::BankFacts { psu: "amelia".into(), nobody: "esther".into(), withheld };
    contract::check_bank_contract(&bank, &facts).await.unwrap();
}

#[tokio::test]
async fn nothing_secret_is_in_a_file() {
    let file = String::from_utf8(export_data_file(&seeded().await, now()).await.unwrap()).unwrap();
    for word in ["assword", "ecret", "rivate_key", "one_time", "outside:equity"] {
        assert!(!file.contains(word), "{word}");
    }
}

#[tokio::test]
async fn the_schema_takes_what_the_reader_takes() {
    let schema: Value = serde_json::from_str(&data_file_schema()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let seed: Value = serde_json::from_slice(&export_data_file(&seeded().await, now()).await.unwrap()).unwrap();
    for file in [small(), seed, json!({"Version": 1})] {
        let errors: Vec<_> = validator.iter_errors(&file).map(|error| error.instance_path().to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    for (pointer, value) in [
        ("/Version", json!(2)),
        ("/Customer/0/Login", json!("with blank")),
        ("/Account/0/Currency", json!("gbp")),
        ("/Account/0/Status", json!("Open")),
        ("/Transaction/0/Amount/Amount", json!(5)),
        ("/StandingOrder/0/Frequency", json!("Monthly")),
    ] {
        let mut file = small();
        *file.pointer_mut(pointer).unwrap() = value;
        assert!(!validator.is_valid(&file), "{pointer}");
        assert!(!faults_of(&empty().await, &file).await.is_empty(), "{pointer}");
    }
}

#[tokio::test]
async fn entries_become_balances_and_statements_take_them() {
    let store = empty().await;
    let imported = take(&store, small().to_string().into_bytes(), false).await.unwrap();
    assert_eq!(imported, ImportSummary { customers: 1, accounts: 1, statements: 2, transactions: 2 });
    let told: Vec<_> = entries(&store, "zoe")
        .await
        .into_iter()
        .map(|it| (it.id.to_string(), it.balance.map(|it| it.sum.minor()), it.statement_references))
        .collect();
    let told: Vec<_> = told.iter().map(|(id, sum, on)| (id.as_str(), *sum, on[0].as_str())).collect();
    assert_eq!(told, [("t-2", Some(-250), "s-2"), ("t-1", Some(1_750), "s-1")]);
}

#[tokio::test]
async fn every_fault_of_the_form_is_told_at_once() {
    let mut file = small();
    file["Version"] = json!(2);
    file["Sundries"] = json!([]);
    file["Customer"][0]["Shoes"] = json!(42);
    file["Customer"][0]["Name"] = json!("");
    let account = &mut file["Account"][0];
    account["Currency"] = json!("XYZ");
    account["Status"] = json!("Open");
    account["OpeningDate"] = json!("2025-02-30");
    account["Shareable"] = json!("yes");
    account["LEI"] = json!("9845LMBD00SANDBX01");
    account["Account"] = json!([
        {"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "60-83-71 12345678"},
        {"SchemeName": "UK.OBIE.IBAN", "Identification": "GB33BUKB20201555555556"},
        {"SchemeName": "UK.OBIE.PAN", "Identification": "4111111111111112"},
        {"SchemeName": "UK.OBIE.PAN", "Identification": "4111111111111111", "SecondaryIdentification": "roll"},
    ]);
    let order = &mut file["StandingOrder"][0];
    order["Frequency"] = json!("Monthly");
    order.as_object_mut().unwrap().remove("FirstPaymentAmount");
    let entry = &mut file["Transaction"][1];
    entry["Amount"]["Amount"] = json!("7.505");
    entry["BookingDateTime"] = json!("yesterday");
    entry["Payment"] = json!({"CategoryPurposeCode": "NONE", "PaymentPurposeCode": "salary"});
    entry.as_object_mut().unwrap().remove("TransactionId");
    let found = faults_of(&empty().await, &file).await;
    let paths: BTreeSet<_> = found.iter().map(|it| it.path.as_str()).collect();
    for path in [
        "Version",
        "Sundries",
        "Customer[0].Shoes",
        "Customer[0].Name",
        "Account[0].Currency",
        "Account[0].Status",
        "Account[0].OpeningDate",
        "Account[0].Shareable",
        "Account[0].LEI",
        "Transaction[1].Payment.CategoryPurposeCode",
        "Transaction[1].Payment.PaymentPurposeCode",
        "Account[0].Account[0].Identification",
        "Account[0].Account[1].Identification",
        "Account[0].Account[2].Identification",
        "Account[0].Account[3].SecondaryIdentification",
        "StandingOrder[0].Frequency",
        "StandingOrder[0].FirstPaymentDateTime",
        "Transaction[1].Amount.Amount",
        "Transaction[1].BookingDateTime",
        "Transaction[1].TransactionId",
    ] {
        assert!(paths.contains(path), "{path}: {found:#?}");
    }
    assert_eq!(found.len(), 20, "one each, and none that follows from another: {found:#?}");
    let text = format!("{found:?}");
    assert!(!text.contains("4111") && !text.contains("XYZ") && !text.contains("yesterday"), "no value is repeated");
}

#[tokio::test]
async fn every_contradiction_is_told_at_once() {
    let mut file = small();
    let again = file["Customer"][0].clone();
    file["Customer"].as_array_mut().unwrap().push(again);
    let mut other = file["Account"][0].clone();
    other["AccountId"] = json!("outside:a");
    other["Holder"] = json!(["nobody", "nobody"]);
    other["OpeningBalance"]["Amount"]["Currency"] = json!("EUR");
    other["CreditLimit"] = json!({"Amount": "1", "Currency": "USD"});
    other["Authorisers"] = json!(3);
    other["MaturityDate"] = json!("2020-01-01");
    other["BookedBalance"]["Amount"]["Amount"] = json!("9999");
    let mut bare = file["Account"][0].clone();
    bare["AccountId"] = json!("a-3");
    bare["Account"] = json!([]);
    bare["Authorisers"] = json!(0);
    bare["Holder"] = json!([]);
    bare["BookedBalance"] = Value::Null;
    file["Account"].as_array_mut().unwrap().extend([other, bare]);
    file["StandingOrder"][0]["NextPaymentDateTime"] = json!("2026-01-01T00:00:00Z");
    file["StandingOrder"][0]["NextPaymentAmount"]["Currency"] = json!("EUR");
    let mut ended = small()["StandingOrder"][0].clone();
    ended["StandingOrderStatusCode"] = json!("Inactive");
    file["StandingOrder"].as_array_mut().unwrap().push(ended);
    file["Statement"][1]["StartDateTime"] = json!("2026-01-31T00:00:00Z");
    let mut backwards = small()["Statement"][0].clone();
    backwards["EndDateTime"] = json!("2025-01-01T00:00:00Z");
    file["Statement"].as_array_mut().unwrap().push(backwards);
    file["Offer"] = json!([{"AccountId": "a-9", "OfferId": "o", "OfferType": "Other",
        "StartDateTime": "2026-02-01T00:00:00Z", "EndDateTime": "2026-01-01T00:00:00Z"}]);
    file["Routine"] = json!([{"AccountId": "a-1", "RoutineId": "r", "Regular": {"Rhythm": "Weekly", "FromMinor": 5,
        "ToMinor": 4, "Channel": "Bacs", "Counterparty": "a-1", "Text": "T", "OverdrawnOnly": false}}]);
    let transactions = file["Transaction"].as_array_mut().unwrap();
    for (id, at, currency) in [
        ("t-1", "2026-02-04T10:00:00Z", "GBP"),
        ("t-3", "2020-02-04T10:00:00Z", "GBP"),
        ("t-4", "2026-02-28T16:45:11Z", "EUR"),
    ] {
        let mut entry = transactions[0].clone();
        entry["TransactionId"] = json!(id);
        entry["BookingDateTime"] = json!(at);
        entry["Amount"]["Currency"] = json!(currency);
        transactions.push(entry);
    }
    let found = faults_of(&empty().await, &file).await;
    let told: Vec<_> = found.iter().map(|it| it.path.as_str()).collect();
    for path in [
        "Customer[1].Login",
        "Account[1].AccountId",
        "Account[1].Account",
        "Account[1].Holder",
        "Account[1].OpeningBalance",
        "Account[1].CreditLimit",
        "Account[1].Authorisers",
        "Account[1].MaturityDate",
        "Account[1].BookedBalance",
        "Account[2].Account",
        "Account[2].Authorisers",
        "Account[2].Holder",
        "Account[0].BookedBalance",
        "StandingOrder[0].NextPaymentDateTime",
        "StandingOrder[0].NextPaymentAmount",
        "StandingOrder[1].StandingOrderId",
        "StandingOrder[1].NextPaymentDateTime",
        "Statement[1].StartDateTime",
        "Statement[2].StatementId",
        "Statement[2].EndDateTime",
        "Offer[0].AccountId",
        "Offer[0].EndDateTime",
        "Routine[0].Regular.Counterparty",
        "Transaction[2].TransactionId",
        "Transaction[3].BookingDateTime",
        "Transaction[4].Amount.Currency",
        "Transaction[4].BookingDateTime",
    ] {
        assert!(told.contains(&path), "{path}: {found:#?}");
    }
}

#[tokio::test]
async fn ais_170_a_routine_collects_under_a_direct_debit_of_its_own_account() {
    let mut file = small();
    let mut other = file["Account"][0].clone();
    other["AccountId"] = json!("a-2");
    other["Account"][0]["Identification"] = json!("60837100000002");
    other.as_object_mut().unwrap().remove("BookedBalance");
    file["Account"].as_array_mut().unwrap().push(other);
    let debit = |id: &str, account: &str| {
        json!({"AccountId": account, "DirectDebitId": id, "MandateIdentification": id, "Name": "Gas",
            "DirectDebitStatusCode": "Active", "Frequency": "UK.OBIE.Monthly"})
    };
    file["DirectDebit"] = json!([debit("d-1", "a-1"), debit("d-2", "a-2")]);
    let regular = |id: &str| {
        json!({"Rhythm": "Weekly", "FromMinor": -5, "ToMinor": -4, "Channel": "DirectDebit", "Text": "T",
            "Counterparty": "outside:gas:GBP", "OverdrawnOnly": false, "DirectDebitId": id})
    };
    let card = |id: &str| json!({"Rhythm": "Weekly", "CardAccountId": "a-2", "DirectDebitId": id});
    let routine = |id: &str, kind: &str, plan: Value| json!({"AccountId": "a-1", "RoutineId": id, kind: plan});
    file["Routine"] = json!([routine("r-1", "Regular", regular("d-1")), routine("r-2", "PayCard", card("d-1"))]);
    take(&empty().await, file.to_string().into_bytes(), false).await.unwrap();
    file["Routine"] = json!([routine("r-1", "Regular", regular("d-2")), routine("r-2", "PayCard", card("d-3"))]);
    let told = async |file: &Value| -> Vec<_> {
        faults_of(&empty().await, file).await.into_iter().map(|it| it.path).collect()
    };
    assert_eq!(told(&file).await, ["Routine[0].Regular.DirectDebitId", "Routine[1].PayCard.DirectDebitId"]);
    file["DirectDebit"][0]["Name"] = json!("");
    assert_eq!(told(&file).await, ["DirectDebit[0].Name"], "the record that cannot be read may be the one");
}

#[tokio::test]
async fn ais_110_cbp_040_credits_count_once_booked_and_debits_while_pending() {
    let mut file = small();
    let expected = |id: &str, status: &str, way: &str, text: &str| {
        let mut entry = small()["Transaction"][0].clone();
        entry["TransactionId"] = json!(id);
        entry["Status"] = json!(status);
        entry["BookingDateTime"] = json!("2026-03-03T10:00:00Z");
        entry["CreditDebitIndicator"] = json!(way);
        entry["Amount"]["Amount"] = json!(text);
        entry
    };
    let entries = file["Transaction"].as_array_mut().unwrap();
    entries.push(expected("t-3", "Pending", "Credit", "100.00"));
    entries.push(expected("t-4", "Future", "Credit", "50.00"));
    entries.push(expected("t-5", "Pending", "Debit", "3.00"));
    let store = empty().await;
    take(&store, file.to_string().into_bytes(), false).await.unwrap();
    let clock = ManualClock::starting_at(now());
    let clocks = Clocks::new(Arc::new(clock.clone()));
    let bank = BuiltInBank::new(store.clone(), clocks.clone());
    let balances = async || -> Vec<_> {
        bank.list_balances(&CallContext::default(), &["a-1".into()])
            .await
            .unwrap()
            .into_iter()
            .map(|it| it.sum.minor())
            .collect()
    };
    assert_eq!(balances().await, [-550, -250], "available and booked");
    clock.advance(SignedDuration::from_hours(4 * 24));
    while BankScheduler::new(store.clone(), clocks.clone()).run_due().await.unwrap() > 0 {}
    assert_eq!(balances().await, [14_450, 14_450]);
    let sums = store.read(|tx| tx.ledger_totals()).await.unwrap();
    assert!(sums.iter().all(|(_, sums)| *sums == LedgerSums::default()), "{sums:?}");
}

#[tokio::test]
async fn a_fault_in_the_last_entry_stores_nothing() {
    let store = empty().await;
    let mut file = small();
    let last = file["Transaction"].as_array().unwrap().len() - 1;
    file["Transaction"][last]["Status"] = json!("Lost");
    let found = faults_of(&store, &file).await;
    assert_eq!(found[0].path, format!("Transaction[{last}].Status"));
    assert!(store.read(|tx| tx.customers()).await.unwrap().is_empty());
    assert!(store.read(|tx| tx.ledger_totals()).await.unwrap().is_empty());
    assert!(!seed::is_seeded(&store).await.unwrap());
}

#[tokio::test]
async fn what_the_bank_has_is_not_taken_again_but_its_customers_may_hold_more() {
    let store = seeded().await;
    let mut file = small();
    file["Account"][0]["Holder"] = json!(["zoe", "amelia"]);
    let before = entries(&store, "amelia").await.len();
    take(&store, file.to_string().into_bytes(), false).await.unwrap();
    assert_eq!(entries(&store, "amelia").await.len(), before + 2);
    let again = export_data_file(&store, now()).await.unwrap();
    let paths: BTreeSet<_> = faults_of(&store, &file).await.into_iter().map(|it| it.path).collect();
    let expected = [
        "Account[0].Account",
        "Account[0].AccountId",
        "Customer[0].Login",
        "Statement[0].StatementId",
        "Statement[1].StatementId",
        "Transaction[0].TransactionId",
        "Transaction[1].TransactionId",
    ];
    assert_eq!(paths, expected.map(str::to_owned).into());
    assert_eq!(export_data_file(&store, now()).await.unwrap(), again, "nothing changed");
    let totals = store.read(|tx| tx.ledger_totals()).await.unwrap();
    assert!(totals.iter().all(|(_, sums)| *sums == LedgerSums::default()));
}

#[tokio::test]
async fn pis_112_a_file_says_how_many_holders_must_agree_to_a_payment() {
    let authorisers = async |file: Value| {
        let store = empty().await;
        take(&store, file.to_string().into_bytes(), false).await.unwrap();
        let again: Value = serde_json::from_slice(&export_data_file(&store, now()).await.unwrap()).unwrap();
        let record = store.read(|tx| tx.bank_accounts(&["a-1".into()])).await.unwrap().pop().unwrap();
        (record.authorisers, again["Account"][0]["Authorisers"].clone())
    };
    let mut file = small();
    assert_eq!(authorisers(file.clone()).await, (1, Value::Null), "one, unless the file says otherwise");
    let second = json!({"Login": "yan", "Name": "Yan Quill", "About": "Holds it with her."});
    file["Customer"].as_array_mut().unwrap().push(second);
    file["Account"][0]["Holder"] = json!(["zoe", "yan"]);
    file["Account"][0]["Authorisers"] = json!(2);
    assert_eq!(authorisers(file).await, (2, json!(2)));
}

#[tokio::test]
async fn as_143_logins_that_differ_in_case_only_do_not_coexist() {
    let store = empty().await;
    let with_login = |file: &Value, login: &str| {
        let mut file = file.clone();
        let customer = json!({"Login": login, "Name": "Zoe Quill", "About": "Is another one."});
        file["Customer"].as_array_mut().unwrap().push(customer);
        file.to_string().into_bytes()
    };
    let refused = async |file: Vec<u8>| match take(&store, file, false).await {
        Err(ImportError::Faulty(faults)) => faults.into_iter().map(|it| it.path).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(with_login(&small(), "Zoe")).await, ["Customer[1].Login"], "in one file");
    take(&store, small().to_string().into_bytes(), false).await.unwrap();
    let other = json!({"Version": 1, "Customer": []});
    assert_eq!(refused(with_login(&other, "ZOE")).await, ["Customer[0].Login"], "in file and bank");
}

#[tokio::test]
async fn a_file_that_is_no_file_is_told_where_it_ends() {
    for bytes in [&b""[..], b"[]", b"{\"Version\": 1", b"\xff", b"{\"Version\": 1, \"Account\": 5}"] {
        let failed = take(&empty().await, bytes.to_vec(), false).await;
        let Err(ImportError::Faulty(faults)) = failed else { panic!("{failed:?}") };
        assert!(faults.iter().any(|it| it.path.is_empty() && it.message.contains("line 1")), "{faults:?}");
    }
}

#[tokio::test]
async fn a_rebased_history_ends_today_in_the_same_order() {
    let plain = empty().await;
    let moved = empty().await;
    let file = small().to_string().into_bytes();
    take(&plain, file.clone(), false).await.unwrap();
    take(&moved, file, true).await.unwrap();
    let shift = SignedDuration::from_hours(18 * 24);
    let before = entries(&plain, "zoe").await;
    let after = entries(&moved, "zoe").await;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.booked_at + shift, after.booked_at);
        assert_eq!((&before.id, &before.statement_references), (&after.id, &after.statement_references));
    }
    let exported: Value = serde_json::from_slice(&export_data_file(&moved, now()).await.unwrap()).unwrap();
    assert_eq!(exported["Account"][0]["OpeningDate"], "2025-12-19");
    assert_eq!(exported["Statement"][1]["EndDateTime"], "2026-02-28T11:59:59Z");
    assert_eq!(exported["StandingOrder"][0]["NextPaymentDateTime"], "2026-04-28T00:00:00Z", "still on a 28th");
    let mut undated = small();
    undated.as_object_mut().unwrap().remove("AsOf");
    let failed = take(&empty().await, undated.to_string().into_bytes(), true).await;
    assert!(matches!(failed, Err(ImportError::Faulty(faults)) if faults[0].path == "AsOf"));
}

#[tokio::test]
async fn x_23_standing_orders_of_a_file_use_the_banks_scottish_quarter_days() {
    let mut file = small();
    file["StandingOrder"][0]["Frequency"] = json!("QtrDay:SCOTTISH");
    for (scottish_quarter_days, next) in [
        (ScottishQuarterDays::Traditional, "2026-05-15T00:00:00Z"),
        (ScottishQuarterDays::Statutory, "2026-05-28T00:00:00Z"),
    ] {
        let bank = empty().await;
        let options = ImportOptions { rebase: true, scottish_quarter_days };
        let bytes = file.to_string().into_bytes();
        import_data_file(&bank, bytes, now(), options, Arc::new(NoSeedProgress)).await.unwrap();
        let exported: Value = serde_json::from_slice(&export_data_file(&bank, now()).await.unwrap()).unwrap();
        let order = &exported["StandingOrder"][0];
        assert_eq!(order["NextPaymentDateTime"], next);
        assert_eq!(order["Frequency"], "QtrDay:SCOTTISH", "one name for both");
    }
}
