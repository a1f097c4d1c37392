//! Idempotency of repeated requests. Source: section 2.6, RW-180 to RW-188.

use super::with;
use crate::harness::paying::{TRANSFERS, consents, orders};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

#[tokio::test]
async fn pis_060_rw_181_182_the_key_is_required_and_short() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for product in TRANSFERS {
        let agreed = paying.agreed(product).await;
        let rows = bank.rows();
        for (path, token, body) in
            [(consents(product), &paying.own, paying.asking(product)), (orders(product), &agreed.token, agreed.order())]
        {
            let call = HttpCall::post(paying.tpp.resource_url(path)).with_bearer(token);
            let bare = paying.tpp.signed(call.clone(), &body).unwrap();
            paying.send(bare).await.refused_with(400, "UK.OBIE.Header.Missing", "x-idempotency-key");
            let long = call.with_header("x-idempotency-key", "k".repeat(41));
            let long = paying.tpp.signed(long, &body).unwrap();
            paying.send(long).await.refused_with(400, "UK.OBIE.Header.Invalid", "x-idempotency-key");
        }
        assert_eq!(bank.rows(), rows, "nothing is stored");
    }
}

#[tokio::test]
async fn pis_061_064_rw_183_187_a_repeat_returns_the_resource_in_present_state() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let asked = paying.asking(product);
            let key = paying.tpp.new_idempotency_key();
            let first = paying.post_as(&paying.own, consents(product), &key, &asked).await;
            let consent = first.ok(201)["Data"].text("ConsentId").to_owned();
            let token = paying.token(&consent).await;
            let again = paying.post_as(&paying.own, consents(product), &key, &asked).await;
            assert_eq!(again.ok(201)["Data"].text("ConsentId"), consent);
            assert_eq!(again.ok(201)["Data"].text("Status"), "Authorised", "its present state");
            assert_eq!(again.ok(201)["Links"], first.ok(201)["Links"], "RW-187");
            assert_ne!(again.head("x-jws-signature"), first.head("x-jws-signature"), "RW-187");

            let order = crate::harness::paying::order_of(&consent, &asked);
            let placed = paying.post_as(&token, orders(product), &key, &order).await.ok(201);
            let repeated = paying.post_as(&token, orders(product), &key, &order).await.ok(201);
            let id = |answer: &Value| answer["Data"].text(product.id_member()).to_owned();
            assert_eq!(id(&placed), id(&repeated), "PIS-064: the consent is consumed, the order is found");
        }
    }
}

#[tokio::test]
async fn pis_065_066_rw_184_a_key_stands_for_one_body() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let asked = paying.asking(NOW);
        let key = paying.tpp.new_idempotency_key();
        let made = paying.post_as(&paying.own, consents(NOW), &key, &asked).await.ok(201);
        let rows = bank_rows(&bank);
        let changed = with(asked.clone(), "/Data/Initiation/EndToEndIdentification", json!("E2E-2"));
        let refused = paying.post_as(&paying.own, consents(NOW), &key, &changed).await;
        refused.refused_with(400, "UK.OBIE.Header.Invalid", "x-idempotency-key");
        // Another order of members and other blanks say the same.
        let spread = format!("{{ \"Risk\" : {{}},\n \"Data\" : {} }}", asked["Data"]);
        let call = HttpCall::post(paying.tpp.resource_url(consents(NOW))).with_bearer(&paying.own);
        let call = call.with_header("x-idempotency-key", &key).with_header("content-type", "application/json");
        let signature = paying.tpp.new_message_signature().sign(&paying.tpp.folder.signing, spread.as_bytes()).unwrap();
        let answer = paying.send(call.with_header("x-jws-signature", signature).with_body(spread)).await;
        assert_eq!(answer.ok(201)["Data"]["ConsentId"], made["Data"]["ConsentId"]);
        assert_eq!(bank_rows(&bank), rows);
    }
}

#[tokio::test]
async fn pis_062_063_rw_185_a_key_belongs_to_its_client_and_path() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let rival = PayingTpp::as_tpp(&bank, "rival").await;
        let key = paying.tpp.new_idempotency_key();
        let mut ids = std::collections::HashSet::new();
        for tpp in [&paying, &rival] {
            for product in TRANSFERS {
                let made = tpp.post_as(&tpp.own, consents(product), &key, &tpp.asking(product)).await.ok(201);
                assert!(ids.insert(made["Data"].text("ConsentId").to_owned()));
            }
        }
        assert_eq!(ids.len(), 12);
        // One trailing slash is the same path (RW-007).
        let slashed = format!("{}/", consents(NOW));
        let again = paying.post_as(&paying.own, &slashed, &key, &paying.asking(NOW)).await.ok(201);
        assert!(ids.contains(again["Data"].text("ConsentId")));
        assert!(
            !again["Links"].text("Self").contains("//domestic") && !again["Links"].text("Self").contains("consents//")
        );
    }
}

#[tokio::test]
async fn pis_067_the_key_is_free_again_after_a_day() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(NOW).await;
        let asked = agreed.asked.clone();
        let key = paying.tpp.new_idempotency_key();
        let first = paying.post_as(&paying.own, consents(NOW), &key, &asked).await.ok(201);
        paying.post_as(&agreed.token, orders(NOW), &key, &agreed.order()).await.ok(201);
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 24 * 3_600 + 1})).await;
        let second = paying.post_as(&paying.own, consents(NOW), &key, &asked).await.ok(201);
        assert_ne!(first["Data"]["ConsentId"], second["Data"]["ConsentId"]);
        let late = paying.post_as(&agreed.token, orders(NOW), &key, &agreed.order()).await;
        late.refused_with(400, "UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
    }
}

#[tokio::test]
async fn pis_068_what_was_refused_does_not_bind_its_key() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(NOW).await;
        let key = paying.tpp.new_idempotency_key();
        let wrong = with(agreed.order(), "/Data/Initiation/EndToEndIdentification", json!("X"));
        paying.post_as(&agreed.token, orders(NOW), &key, &wrong).await.refused(400);
        let bad = with(paying.asking(NOW), "/Data/Initiation/InstructedAmount/Amount", json!("0"));
        paying.post_as(&paying.own, consents(NOW), &key, &bad).await.refused(400);
        paying.post_as(&agreed.token, orders(NOW), &key, &agreed.order()).await.ok(201);
        paying.post_as(&paying.own, consents(NOW), &key, &paying.asking(NOW)).await.ok(201);
    }
}

#[tokio::test]
async fn pis_166_rw_186_reading_ignores_the_key() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(NOW).await;
    for (path, token) in [
        (format!("{}/{}", consents(NOW), agreed.consent), &paying.own),
        (format!("{}/{}/funds-confirmation", consents(NOW), agreed.consent), &agreed.token),
    ] {
        let call = HttpCall::get(paying.tpp.resource_url(&path))
            .with_bearer(token)
            .with_header("x-idempotency-key", "k".repeat(60));
        paying.send(call).await.ok(200);
    }
}

/// The rows of the tables that a request for a consent writes to; `None` where only SQLite can be looked into.
fn bank_rows(bank: &Bank) -> Option<(i64, i64)> {
    bank.data_dir().join("lombard.db").exists().then(|| {
        let rows = bank.rows();
        (rows["consents"], rows["orders"])
    })
}
