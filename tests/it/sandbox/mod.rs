//! The sandbox's controls: a tester's actions at the bank and their effects for the TPP.

mod accounts;
mod clock;
mod consents;
mod data_file;
mod entries;
mod faults;
mod guard;
mod manual;
mod payments;
mod psus;
mod reset;
mod snapshots;

use crate::harness::{Bank, EVERYTHING, ValueExt};
use jiff::Timestamp;
use lombard_tpp::Tpp;
use serde_json::Value;

/// A TPP's token and a fresh consent of its.
async fn waiting(tpp: &Tpp) -> (String, String) {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    (own, consent)
}

/// Sends an order that must be carried out.
async fn order(bank: &Bank, path: &str, body: &Value) -> Value {
    let (status, answer) = bank.ops_post(path, body).await;
    assert_eq!(status, 200, "{path} {body}: {answer}");
    answer
}

/// Sends an order that must be refused; gives the reason.
async fn refused(bank: &Bank, path: &str, body: &Value, status: u16) -> String {
    let (found, answer) = bank.ops_post(path, body).await;
    assert_eq!(found, status, "{path} {body}: {answer}");
    assert!(uuid::Uuid::parse_str(answer.text("interaction_id")).is_ok(), "{answer}");
    answer.text("error").to_owned()
}

/// Moves the clock; gives the time it shows then.
async fn clock(bank: &Bank, body: &Value) -> Timestamp {
    order(bank, "/sandbox/clock", body).await.text("now").parse().unwrap()
}

/// The accounts of a customer as the bank knows them.
async fn accounts_of(bank: &Bank, psu: &str) -> Vec<Value> {
    let psus = bank.ops_get("/sandbox/psus").await.json().unwrap().list("/psus");
    let found = psus.into_iter().find(|it| it["psu"] == psu).unwrap_or_else(|| panic!("no {psu}"));
    found.list("/accounts")
}
