use super::{clock, refused};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, PayingTpp, ValueExt, access};
use crate::payments::books::add_up;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::payment::PaymentProduct;
use serde_json::json;

const DAY_SECS: i64 = 86_400;

async fn shown(bank: &Bank) -> Timestamp {
    bank.ops_get("/sandbox/clock").await.ok(200).text("now").parse().unwrap()
}

#[tokio::test]
async fn the_clock_ends_consents_and_no_tokens() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let open_ended = access(&tpp, &EVERYTHING).await;
        let end = bank.now() + SignedDuration::from_hours(24);
        let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
        let consent = tpp.consent_post(&open_ended.own, &body).await.unwrap().ok(201);
        let ending = CustomerAccess::of(&tpp, &open_ended.own, consent["Data"].text("ConsentId")).await;
        ending.read("aisp/accounts").await;

        assert_eq!(clock(&bank, &json!({"advance_secs": DAY_SECS})).await, end);

        tpp.get(ending.token(), "aisp/accounts").await.unwrap().unauthorised();
        open_ended.read("aisp/accounts").await;
        assert_eq!(
            ending.tpp.get(&ending.own, &ending.consent_path()).await.unwrap().ok(200)["Data"]["Status"],
            "Authorised"
        );
        tpp.client_credentials("accounts").await.unwrap();
        let late = tpp.consent_post(&open_ended.own, &body).await.unwrap();
        late.refused_with(400, "UK.OBIE.Field.InvalidDate", "Data.ExpirationDateTime");

        assert_eq!(clock(&bank, &json!({"advance_secs": -1})).await, end - SignedDuration::from_secs(1));
        ending.read("aisp/accounts").await;
    }
}

#[tokio::test]
async fn a_restart_keeps_the_clock_where_it_was_set() {
    for mut bank in Bank::each_engine().await {
        let there: Timestamp = "2031-05-06T07:08:09Z".parse().unwrap();
        assert_eq!(clock(&bank, &json!({"set": there.to_string()})).await, there);
        assert_eq!(shown(&bank).await, there);
        bank.stop().await;
        bank.clock.advance(SignedDuration::from_secs(60));
        bank.restart().await;
        assert_eq!(shown(&bank).await, there + SignedDuration::from_secs(60), "it goes on as the wall does");
        let (_, consent) = super::waiting(&bank.tpp("robot")).await;
        let order = json!({"psu": "amelia", "decision": "approve"});
        super::order(&bank, &format!("/sandbox/consents/{consent}/authorise"), &order).await;
    }
}

#[tokio::test]
async fn resources_carry_the_time_of_the_bank() {
    let bank = Bank::start().await;
    clock(&bank, &json!({"set": "2031-05-06T07:08:09Z"})).await;
    let (own, consent) = super::waiting(&bank.tpp("robot")).await;
    let path = format!("aisp/account-access-consents/{consent}");
    let shown = bank.tpp("robot").get(&own, &path).await.unwrap().ok(200);
    let made: Timestamp = shown["Data"].text("CreationDateTime").parse().unwrap();
    assert_eq!(made, "2031-05-06T07:08:09Z".parse().unwrap());
}

#[tokio::test]
async fn a_time_the_bank_does_not_know_is_refused_and_moves_nothing() {
    let bank = Bank::start().await;
    let before = shown(&bank).await;
    for body in [
        json!({}),
        json!({"advance_secs": i64::MAX}),
        json!({"advance_secs": i64::MIN}),
        json!({"set": "1999-12-31T23:59:59Z"}),
        json!({"set": "2100-01-01T00:00:00Z"}),
        json!({"set": "soon"}),
        json!({"set": "2030-01-01T00:00:00Z", "advance_secs": 1}),
        json!({"advance_secs": 1, "colour": "blue"}),
    ] {
        assert!(!refused(&bank, "/sandbox/clock", &body, 400).await.is_empty());
    }
    assert_eq!(shown(&bank).await, before);
}

#[tokio::test]
async fn a_move_of_the_clock_is_answered_when_what_was_due_is_done() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let (id, _) = paying.ordered(&paying.agreed(PaymentProduct::DomesticScheduledPayment).await).await;
        let waiting = paying.agreed(PaymentProduct::DomesticPayment).await;
        let undecided = paying.consent(PaymentProduct::DomesticPayment, &waiting.asked).await;
        let moved = super::order(&bank, "/sandbox/clock", &json!({"advance_secs": DAY_SECS * 45})).await;
        assert_eq!((&moved["settled"], moved.get("left")), (&json!(true), None), "{moved}");
        let shown = bank.ops_get("/sandbox/clock").await.ok(200);
        assert_eq!((&shown["settled"], shown.text("now")), (&json!(true), moved.text("now")));
        // One look is enough: nothing is waited for.
        let seen = paying.order_now(PaymentProduct::DomesticScheduledPayment, &id).await;
        assert_eq!(seen["Data"].text("Status"), "InitiationCompleted");
        let payment = bank.ops_get(&format!("/sandbox/orders/{id}")).await.ok(200).list("/payments");
        assert_eq!(payment[0].text("status"), "AcceptedCreditSettlementCompleted", "{payment:?}");
        let consent = undecided["Data"].text("ConsentId");
        let consent = paying.consent_now(PaymentProduct::DomesticPayment, consent).await;
        assert_eq!(consent["Data"].text("Status"), "Rejected");
        add_up(&bank).await;
    }
}
