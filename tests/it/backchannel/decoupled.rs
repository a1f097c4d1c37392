//! The bank's identity provider asks the customer on a device that it reaches by itself. Source: AS-160, AS-142.

use super::Asking;
use super::device_provider::{Device, Provider, purpose, start};
use crate::harness::paying::AgreedConsent;
use crate::harness::pending_consent::{accounts_of, debtor};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt, until};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{BackchannelAnswer, IssuedTokens};
use serde_json::json;

/// A payment from an account of amelia's that the TPP names, asked for over the backchannel.
async fn pay_from_named(bank: &Bank) -> (PayingTpp, AgreedConsent, BackchannelAnswer) {
    ask_to_pay(bank, PaymentProduct::DomesticPayment, "amelia").await
}

/// A payment from an account of amelia's that the TPP names, for which it asks this customer.
async fn ask_to_pay(
    bank: &Bank,
    product: PaymentProduct,
    customer: &str,
) -> (PayingTpp, AgreedConsent, BackchannelAnswer) {
    let paying = PayingTpp::as_tpp(bank, "acme").await;
    let mut asked = paying.asking(product);
    let accounts = accounts_of(bank, "amelia").await;
    let current = accounts.iter().find(|account| account["sub_type"] == "CurrentAccount").unwrap();
    asked["Data"]["Initiation"]["DebtorAccount"] = debtor(current);
    if product == PaymentProduct::DomesticVrp {
        asked["Data"]["Initiation"]["DebtorAccount"]["Name"] = json!("Amelia");
    }
    let consent = paying.consent(product, &asked).await["Data"].text("ConsentId").to_owned();
    let request = paying.tpp.backchannel_request(&consent, "payments").await.unwrap();
    let request = request.claim("login_hint_token", super::hint(&json!({"sub": customer})));
    let answer = paying.tpp.ask_over_backchannel(&request.claim("binding_message", "TILL 7")).await.unwrap();
    (paying, AgreedConsent { product, consent, asked, token: String::new() }, answer)
}

/// Waits until the provider was asked, and then polled once.
async fn until_polled(bank: &Bank, provider: &Provider) {
    until(async || (!provider.state.lock().asked.is_empty()).then_some(())).await;
    bank.clock.advance(SignedDuration::from_secs(5));
    until(async || (provider.state.lock().polls > 0).then_some(())).await;
}

#[tokio::test]
async fn as_142_a_payment_from_a_named_account_is_confirmed_on_the_device() {
    for engine in Engine::at_hand() {
        let (bank, provider) = start(engine).await;
        let (paying, agreed, answer) = pay_from_named(&bank).await;
        until_polled(&bank, &provider).await;
        paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "authorization_pending");
        let asked = provider.state.lock().asked[0].clone();
        assert_eq!((&asked["login_hint"], &asked["binding_message"]), (&json!("amelia"), &json!("TILL 7")));
        let shown = purpose(&asked).unwrap();
        assert_eq!(shown["amount"], json!({"amount": "12.50", "currency": "GBP"}));
        assert_eq!(shown["requester"], json!({"name": "Acme", "organisation": "Acme Limited"}));
        let payer = &agreed.asked["Data"]["Initiation"]["DebtorAccount"]["Identification"];
        assert_eq!((shown["payer"]["identification"].as_str(), payer.is_string()), (payer.as_str(), true));
        provider.state.lock().device = Device::Agrees;
        bank.clock.advance(SignedDuration::from_secs(5));
        let token = until(async || {
            IssuedTokens::from_exchange(paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap()).ok()
        })
        .await;
        paying.ordered(&AgreedConsent { token: token.access_token, ..agreed }).await;
    }
}

#[tokio::test]
async fn as_142_a_refusal_another_customer_or_another_purpose_approves_nothing() {
    for (device, status) in [
        (Device::Refuses, "Rejected"),
        (Device::Other, "AwaitingAuthorisation"),
        (Device::OtherPurpose, "AwaitingAuthorisation"),
    ] {
        let (bank, provider) = start(Engine::Sqlite).await;
        provider.state.lock().device = device;
        let (paying, agreed, answer) = pay_from_named(&bank).await;
        until_polled(&bank, &provider).await;
        until(async || {
            let poll = paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap();
            (poll.json().unwrap()["error"] == "access_denied").then_some(())
        })
        .await;
        let now = paying.consent_now(agreed.product, &agreed.consent).await;
        assert_eq!(now["Data"].text("Status"), status, "{device:?}");
    }
}

#[tokio::test]
async fn as_160_a_login_expired_at_the_provider_leaves_the_request_to_pages() {
    for engine in Engine::at_hand() {
        let (bank, provider) = start(engine).await;
        provider.state.lock().device = Device::Expires;
        let (paying, agreed, answer) = pay_from_named(&bank).await;
        until_polled(&bank, &provider).await;
        // The next login comes after what the first one's end is worth.
        provider.state.lock().device = Device::Silent;
        ask_to_pay(&bank, PaymentProduct::DomesticPayment, "amelia").await;
        until(async || (provider.state.lock().asked.len() > 1).then_some(())).await;
        paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "authorization_pending");
        let now = paying.consent_now(agreed.product, &agreed.consent).await;
        assert_eq!(now["Data"].text("Status"), "AwaitingAuthorisation");
        bank.clock.advance(SignedDuration::from_secs(300));
        paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "expired_token");
    }
}

#[tokio::test]
async fn as_160_a_request_with_an_unusable_answer_is_not_sent_again() {
    for engine in Engine::at_hand() {
        let (bank, provider) = start(engine).await;
        provider.state.lock().device = Device::Broken;
        let (paying, _, answer) = pay_from_named(&bank).await;
        until(async || (!provider.state.lock().asked.is_empty()).then_some(())).await;
        bank.clock.advance(SignedDuration::from_secs(60));
        // A repetition would be due before this one.
        ask_to_pay(&bank, PaymentProduct::DomesticPayment, "amelia").await;
        until(async || (provider.state.lock().asked.len() > 1).then_some(())).await;
        let asked: Vec<_> = provider.state.lock().asked.iter().map(|asked| asked["jti"].clone()).collect();
        assert_eq!(asked.len(), 2, "one for each payment");
        paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "authorization_pending");
    }
}

#[tokio::test]
async fn as_142_what_a_purpose_does_not_state_is_left_to_the_pages() {
    for engine in Engine::at_hand() {
        let (bank, provider) = start(engine).await;
        let products = [
            PaymentProduct::DomesticScheduledPayment,
            PaymentProduct::DomesticStandingOrder,
            PaymentProduct::InternationalPayment,
            PaymentProduct::DomesticVrp,
        ];
        let mut waiting = Vec::new();
        for product in products {
            waiting.push(ask_to_pay(&bank, product, "amelia").await);
        }
        // The one that needs no page is asked for last, and is asked alone.
        pay_from_named(&bank).await;
        until_polled(&bank, &provider).await;
        bank.clock.advance(SignedDuration::from_secs(5));
        assert_eq!(provider.state.lock().asked.len(), 1, "the payment that is made at once");
        for (paying, agreed, answer) in waiting {
            let poll = paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap();
            assert_eq!(poll.json().unwrap()["error"], "authorization_pending", "{:?}", agreed.product);
        }
    }
}

#[tokio::test]
async fn as_160_a_consent_whose_accounts_are_to_be_chosen_is_left_to_the_pages() {
    let (bank, provider) = start(Engine::Sqlite).await;
    let asking = Asking::new(&bank).await;
    let answer = asking.ask("amelia").await;
    let (_, _, other) = pay_from_named(&bank).await;
    until_polled(&bank, &provider).await;
    assert_eq!(provider.state.lock().asked.len(), 1, "the payment alone");
    bank.clock.advance(SignedDuration::from_secs(30));
    asking.is_told(&answer, "authorization_pending").await;
    assert_ne!(answer.auth_req_id, other.auth_req_id);
}
