use crate::harness::{ALL_TRANSACTIONS, Bank, CustomerAccess, Engine, ExchangeExt, ValueExt, access, until};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Unit};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const DAY_SECS: i64 = 86_400;

async fn advance(bank: &Bank, days: i64) -> Timestamp {
    let (status, answer) = bank.ops_post("/sandbox/clock", &json!({"advance_secs": days * DAY_SECS})).await;
    assert_eq!(status, 200, "{answer}");
    answer.text("now").parse().unwrap()
}

async fn statements(access: &CustomerAccess) -> Vec<Value> {
    let mut list = Vec::new();
    for account in access.account_ids().await {
        list.extend(access.read(&format!("aisp/accounts/{account}/statements")).await.list("/Data/Statement"));
    }
    list
}

#[tokio::test]
async fn a_year_on_the_banks_clock_gives_every_account_twelve_statements() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &["ReadAccountsBasic", "ReadStatementsDetail"]).await;
        let accounts = access.account_ids().await.len();
        let before = statements(&access).await;
        assert_eq!(before.len(), accounts * 25);
        advance(&bank, 365).await;
        let wanted = before.len() + accounts * 12;
        let after = until(async || Some(statements(&access).await).filter(|list| list.len() == wanted)).await;
        assert!(before.iter().all(|statement| after.contains(statement)), "a statement never changes");
    }
}

#[tokio::test]
async fn ais_173_a_scheduled_payment_leaves_the_list_when_its_day_comes() {
    for bank in Bank::each_engine().await {
        let permissions = [&ALL_TRANSACTIONS[..], &["ReadScheduledPaymentsDetail"]].concat();
        let access = access(&bank.tpp("robot"), &permissions).await;
        let list = async || access.read("aisp/scheduled-payments").await.list("/Data/ScheduledPayment");
        let before = list().await;
        let first = before.iter().min_by_key(|it| it.text("ScheduledPaymentDateTime").to_owned()).unwrap();
        advance(&bank, 20).await;
        until(async || (list().await.len() + 1 == before.len()).then_some(())).await;
        assert!(list().await.iter().all(|it| it["ScheduledPaymentId"] != first["ScheduledPaymentId"]));
        let path = format!("aisp/accounts/{}/transactions", first.text("AccountId"));
        let entries = access.read(&path).await.list("/Data/Transaction");
        let made: Vec<_> = entries.iter().filter(|it| it["TransactionReference"] == first["Reference"]).collect();
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].text("Status"), &made[0]["Amount"]), ("Booked", &first["InstructedAmount"]));
    }
}

#[tokio::test]
async fn ais_122_what_is_pending_is_booked_when_its_time_comes() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
        let read = async || access.read("aisp/transactions").await.list("/Data/Transaction");
        let pending: Vec<_> = read().await.into_iter().filter(|it| it.text("Status") == "Pending").collect();
        assert!(!pending.is_empty(), "the seed ends with card payments under way");
        advance(&bank, 7).await;
        let booked = until(async || {
            let entries = read().await;
            let of = |it: &Value| entries.iter().find(|entry| entry["TransactionId"] == it["TransactionId"]).cloned();
            let now: Vec<_> = pending.iter().filter_map(of).collect();
            now.iter().all(|it| it.text("Status") == "Booked").then_some(now)
        })
        .await;
        for (before, after) in pending.iter().zip(&booked) {
            for member in ["BookingDateTime", "Amount", "CreditDebitIndicator", "MerchantDetails"] {
                assert_eq!(before[member], after[member], "{member}");
            }
            assert!(after.get("Balance").is_some());
        }
    }
}

#[tokio::test]
async fn two_nodes_on_one_database_do_what_is_due_once() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut bank = Bank::unstarted(Engine::Postgres).await;
    let mut twin = bank.twin();
    bank.restart().await;
    twin.restart().await;
    let permissions = [&ALL_TRANSACTIONS[..], &["ReadStatementsBasic"]].concat();
    let access = access(&bank.tpp("robot"), &permissions).await;
    let accounts = access.account_ids().await;
    // To the middle of a month: two months end on the way, whatever day it is.
    let now: Timestamp = bank.ops_get("/sandbox/clock").await.ok(200).text("now").parse().unwrap();
    let today = now.to_zoned(TimeZone::UTC).date();
    let middle = today.first_of_month() + 2.months() + 14.days();
    advance(&bank, i64::from(today.until((Unit::Day, middle)).unwrap().get_days())).await;
    until(async || (statements(&access).await.len() == accounts.len() * 27).then_some(())).await;
    for account in accounts {
        let path = format!("aisp/accounts/{account}/transactions");
        let entries = access.read(&path).await.list("/Data/Transaction");
        let distinct: BTreeSet<_> = entries.iter().map(|it| it.text("TransactionId")).collect();
        assert_eq!(distinct.len(), entries.len());
    }
    twin.stop().await;
}
