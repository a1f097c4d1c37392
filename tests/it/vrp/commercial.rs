//! Commercial VRP: what its customers are told, which contexts it has, and consents that outlive the bank's offer.

use super::with;
use crate::harness::paying::{AgreedConsent, PayingTpp, consents, orders};
use crate::harness::vrp::{VRP, question};
use crate::harness::{Bank, Browser, Engine, ExchangeExt, PendingConsent, ValueExt};
use lombard_domain::version::Version;
use serde_json::{Value, json};

const ON: (&str, &str) = ("vrp.commercial", "true");

async fn as_tpp(bank: &Bank, name: &str) -> PayingTpp {
    PayingTpp::as_tpp(bank, name).await.through(Version::V4_0)
}

/// What asks for a consent with these types.
fn asking(paying: &PayingTpp, types: &[&str]) -> Value {
    let types: Vec<_> = types.iter().map(|kind| format!("UK.OBIE.VRPType.{kind}")).collect();
    with(paying.asking(VRP), "/Data/ControlParameters/VRPType", json!(types))
}

/// What asks for a payment of this type.
fn payment(agreed: &AgreedConsent, kind: &str) -> Value {
    with(agreed.payment("1.00"), "/Data/VRPType", json!(format!("UK.OBIE.VRPType.{kind}")))
}

#[tokio::test]
async fn cvrp_002_003_a_customer_sees_that_payments_are_commercial_and_why() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[ON]).await;
        let paying = as_tpp(&bank, "acme").await;
        let asked = asking(&paying, &["CVRP1"]);
        let asked = with(asked, "/Risk/PaymentContextCode", json!("EcommerceMerchantInitiatedPayment"));
        let asked = PendingConsent::with(&bank, paying.clone(), VRP, asked).await;
        let mut browser = Browser::new(&paying.tpp);
        let login = browser.open(&asked.url()).await;
        assert!(login.exchange.text().contains("let it make commercial variable recurring payments for you"));
        let page = browser.log_in(&asked.url(), "amelia").await;
        let text = page.exchange.text();
        for told in [
            "Allow commercial variable recurring payments within these limits?",
            "may take payments from your account for businesses and other organisations",
            "Goods or services bought online; the seller starts each payment",
            "£100.00",
            "At most £200.00 in each month",
            "Somebody Else",
            "No. It can pay without asking you",
        ] {
            assert!(text.contains(told), "{told} in {text}");
        }
    }
}

#[tokio::test]
async fn cvrp_003_the_contexts_of_commercial_consents_are_those_that_are_set() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[ON, ("vrp.commercial_contexts", "BillingGoodsAndServicesInArrears")]).await;
    let paying = as_tpp(&bank, "robot").await;
    for (context, allowed) in [("BillingGoodsAndServicesInArrears", true), ("TransferToSelf", false)] {
        let asked = with(asking(&paying, &["CVRP2"]), "/Risk/PaymentContextCode", json!(context));
        let answer = paying.post(&paying.own, consents(VRP), &asked).await;
        if allowed {
            answer.ok(201);
        } else {
            answer.refused_with(400, "U002", "Risk.PaymentContextCode");
        }
        let other = with(asking(&paying, &["Sweeping"]), "/Risk/PaymentContextCode", json!(context));
        paying.consent(VRP, &other).await;
    }
}

#[tokio::test]
async fn cvrp_007_008_a_commercial_consent_needs_membership_and_offer_to_pay() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[ON]).await;
        let paying = as_tpp(&bank, "robot").await;
        let agreed = paying.agreed_to(VRP, asking(&paying, &["CVRP1", "Sweeping"])).await;
        let usual = paying.agreed(VRP).await;
        let waiting = paying.consent(VRP, &asking(&paying, &["CVRP1"])).await["Data"].text("ConsentId").to_owned();
        let key = paying.tpp.new_idempotency_key();
        let first = paying.post_as(&agreed.token, orders(VRP), &key, &payment(&agreed, "CVRP1")).await.ok(201);
        let order = first["Data"].text("DomesticVRPId").to_owned();

        for settings in [&[][..], &[ON, ("vrp.commercial_members", "somebody-else")]] {
            bank.stop().await;
            bank.restart_with(settings).await;
            let paying = as_tpp(&bank, "robot").await;
            for kind in ["CVRP1", "Sweeping"] {
                let answer = paying.post(&agreed.token, orders(VRP), &payment(&agreed, kind)).await;
                assert_eq!(answer.status, 403, "{settings:?}");
            }
            let body = question(&agreed.consent, "1.00");
            assert_eq!(paying.ask_funds(&agreed.token, &agreed.consent, &body).await.status, 403);
            let request = paying.tpp.new_authorisation_request(&waiting, "payments").await.unwrap();
            let channel = paying.tpp.authorise_headless(&request).await.unwrap();
            assert_eq!(channel.error.as_deref(), Some("invalid_request"), "nobody is asked for what cannot be used");
            let again = paying.post_as(&agreed.token, orders(VRP), &key, &payment(&agreed, "CVRP1")).await.ok(201);
            assert_eq!(again["Data"].text("DomesticVRPId"), order, "PIS-064: a repeat is no new order");
            assert_eq!(paying.consent_now(VRP, &agreed.consent).await["Data"].text("Status"), "AUTH");
            paying.order_now(VRP, &order).await;
            paying.pay(&usual, "1.00").await.ok(201);
        }
        bank.stop().await;
        bank.restart_with(&[ON]).await;
        let paying = as_tpp(&bank, "robot").await;
        paying.post(&agreed.token, orders(VRP), &payment(&agreed, "CVRP1")).await.ok(201);
        bank.stop().await;
        bank.restart_with(&[]).await;
        let paying = as_tpp(&bank, "robot").await;
        let path = format!("{}/{}", consents(VRP), agreed.consent);
        paying.tpp.delete(&paying.own, &path).await.unwrap().ok(204);
    }
}
