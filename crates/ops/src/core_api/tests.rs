//! Compares the dispatch with the table of methods, and tests the responses to malformed requests.

use super::dispatch::{CallFailure, answer_call};
use lombard_core_api::ErrorCode;
use lombard_core_api::calls::{self, AnswerBody, methods, read_answer, write_request};
use lombard_domain::ids::{OrderId, PsuId};
use lombard_ports::bank::{CallContext, OrderUpdate, StubBank, sample_account};

#[tokio::test]
async fn every_method_of_the_table_is_answered_and_no_other() {
    let bank = StubBank::default();
    for method in methods() {
        let failure = answer_call(&bank, method.name, b"[]").await.unwrap_err();
        assert!(matches!(failure, CallFailure::Error(it) if it.code == ErrorCode::Invalid), "{}", method.name);
    }
    let failure = answer_call(&bank, "quarantine-updates", b"{}").await.unwrap_err();
    assert!(matches!(failure, CallFailure::Error(it) if it.code == ErrorCode::UnknownMethod));
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_told_every_path() {
    let failure = answer_call(&StubBank::default(), "balances", br#"{"AccountId":[1,"a",{}]}"#).await.unwrap_err();
    let CallFailure::Error(error) = failure else { panic!("{failure:?}") };
    assert_eq!(error.faults.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["AccountId[0]", "AccountId[2]"]);
}

#[tokio::test]
async fn updates_that_are_left_out_hide_no_others() {
    let bank = StubBank::with_accounts([(PsuId::from("amelia"), sample_account("a"))]);
    for number in 0..50 {
        let order = OrderId::from(if number < 48 { "held" } else { "next" });
        bank.payment_script().push_update(&order, jiff::Timestamp::UNIX_EPOCH, OrderUpdate::Warehoused);
    }
    let asked = calls::FetchStatusUpdates { limit: 2, except: vec!["held".into()] };
    let body = write_request(&CallContext::default(), &asked);
    let AnswerBody::Json(json) = answer_call(&bank, "status-updates", &body).await.unwrap() else { panic!() };
    let updates = read_answer::<calls::FetchStatusUpdates>(Some(&json)).unwrap();
    assert_eq!(updates.iter().map(|it| (it.order.as_str(), it.number)).collect::<Vec<_>>(), [("next", 1), ("next", 2)]);
}
