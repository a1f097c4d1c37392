//! Polls: too fast, too late, twice, after a refusal. Source: AS-162.

use super::{Asking, confirm, decide, open_first, reach_decision};
use crate::apps::Visitor;
use crate::harness::{Bank, Engine, ExchangeExt};
use jiff::SignedDuration;
use serde_json::json;

fn secs(secs: i64) -> SignedDuration {
    SignedDuration::from_secs(secs)
}

#[tokio::test]
async fn as_162_a_client_that_polls_faster_than_told_is_slowed_down() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        asking.is_told(&answer, "authorization_pending").await;
        bank.clock.advance(secs(4));
        asking.is_told(&answer, "slow_down").await;
        bank.clock.advance(secs(9));
        asking.is_told(&answer, "slow_down").await;
        bank.clock.advance(secs(15));
        asking.is_told(&answer, "authorization_pending").await;
        bank.clock.advance(secs(15));
        asking.is_told(&answer, "authorization_pending").await;

        // What is ready is given, however soon it is asked for.
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        decide(&mut visitor, &page, "approve").await;
        asking.tokens(&answer).await;
    }
}

#[tokio::test]
async fn as_162_the_interval_grows_to_a_minute() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let hint = super::hint(&json!({"sub": "amelia"}));
    let request = asking.request().await.claim("login_hint_token", hint).claim("requested_expiry", 600);
    let answer = asking.tpp.ask_over_backchannel(&request).await.unwrap();
    asking.is_told(&answer, "authorization_pending").await;
    for _ in 0..13 {
        asking.is_told(&answer, "slow_down").await;
    }
    for (wait, error) in [(60, "authorization_pending"), (59, "slow_down"), (60, "authorization_pending")] {
        bank.clock.advance(secs(wait));
        asking.is_told(&answer, error).await;
    }
}

#[tokio::test]
async fn as_162_an_unanswered_request_expires() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let hint = super::hint(&json!({"sub": "amelia"}));
        let request = asking.request().await.claim("login_hint_token", hint).claim("requested_expiry", 60);
        let answer = asking.tpp.ask_over_backchannel(&request).await.unwrap();
        assert_eq!(answer.expires_in, 60);
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        bank.clock.advance(secs(60));
        asking.is_told(&answer, "expired_token").await;
        // A decision that comes too late changes nothing.
        let end = decide(&mut visitor, &page, "approve").await;
        assert!(end.exchange.text().contains("The time to decide has expired"), "{}", end.exchange.text());
        asking.is_told(&answer, "expired_token").await;
        assert_eq!(asking.status().await, "AwaitingAuthorisation");
        // Another request may be made now.
        asking.ask("amelia").await;
    }
}

#[tokio::test]
async fn as_162_an_approval_in_the_last_second_can_be_fetched_for_a_minute() {
    let bank = Bank::start().await;
    let asking = Asking::new(&bank).await;
    let first = asking.ask("amelia").await;
    let second = Asking::new(&bank).await;
    let (mut visitor, page) = reach_decision(&bank, "amelia").await;
    bank.clock.advance(secs(299));
    decide(&mut visitor, &page, "approve").await;
    bank.clock.advance(secs(59));
    asking.tokens(&first).await;

    let answer = second.ask("bashir").await;
    let (mut visitor, page) = reach_decision(&bank, "bashir").await;
    decide(&mut visitor, &page, "approve").await;
    bank.clock.advance(secs(300));
    second.is_told(&answer, "expired_token").await;
}

#[tokio::test]
async fn as_162_a_refusal_is_told_and_ends_the_consent() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        for how in ["refuse", "cancel", "delete"] {
            let asking = Asking::new(&bank).await;
            let answer = asking.ask("amelia").await;
            let mut visitor = Visitor::new(&bank);
            visitor.log_in("amelia").await;
            let second = open_first(&mut visitor).await;
            let end = match how {
                "refuse" => {
                    let page = confirm(&mut visitor, &second).await;
                    Some(decide(&mut visitor, &page, "refuse").await)
                }
                "cancel" => {
                    let form = second.forms.iter().find(|form| form.action.path().ends_with("/cancel")).unwrap();
                    Some(visitor.browser.submit(form, &[]).await)
                }
                _ => {
                    let path = format!("aisp/account-access-consents/{}", asking.consent);
                    asking.tpp.delete(&asking.own, &path).await.unwrap().ok(204);
                    None
                }
            };
            if let Some(end) = end {
                assert!(end.exchange.text().contains("This was refused"), "{how}: {}", end.exchange.text());
                assert_eq!(asking.status().await, "Rejected", "{how}");
            }
            asking.is_told(&answer, "access_denied").await;
            asking.is_told(&answer, "access_denied").await;
        }
    }
}
