//! The end of VRP consents: deletion by the TPP, revocation by the customer, and loss of the debtor account.

use super::{end_of, of_consent, told};
use crate::harness::paying::{AgreedConsent, consents, orders};
use crate::harness::pending_consent::accounts_of;
use crate::harness::vrp::{VRP, asking, question};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use serde_json::{Value, json};

fn path(agreed: &AgreedConsent) -> String {
    format!("{}/{}", consents(VRP), agreed.consent)
}

#[tokio::test]
async fn vrp_080_to_084_a_deleted_consent_is_gone_and_its_payments_remain() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let key = paying.tpp.new_idempotency_key();
        let asked = asking();
        let made = paying.post_as(&paying.own, consents(VRP), &key, &asked).await.ok(201);
        let consent = made["Data"].text("ConsentId").to_owned();
        let token = paying.token(&consent).await;
        let agreed = AgreedConsent { product: VRP, consent, asked: asked.clone(), token };
        let (order, _) = paying.ordered(&agreed).await;
        told(&paying).await;

        let rival = PayingTpp::as_tpp(&bank, "rival").await;
        rival.tpp.delete(&rival.own, &path(&agreed)).await.unwrap().refused_with(403, "UK.Lombard.Forbidden.Owner", "");
        let other = paying.agreed(VRP).await;
        paying.tpp.delete(&other.token, &path(&agreed)).await.unwrap().unauthorised();
        let answer = paying.tpp.delete(&paying.own, &path(&agreed)).await.unwrap();
        answer.ok(204);
        assert!(answer.body.is_empty() && answer.header("x-jws-signature").is_none(), "VRP-080");

        let not_found = "UK.OBIE.Resource.NotFound";
        paying.get(&paying.own, &path(&agreed)).await.refused_with(400, not_found, "");
        paying.tpp.delete(&paying.own, &path(&agreed)).await.unwrap().refused_with(400, not_found, "");
        paying.post(&agreed.token, orders(VRP), &agreed.payment("1.00")).await.unauthorised();
        let body = question(&agreed.consent, "1.00");
        paying.ask_funds(&agreed.token, &agreed.consent, &body).await.unauthorised();
        let request = paying.tpp.new_authorisation_request(&agreed.consent, "payments").await.unwrap();
        let channel = paying.tpp.authorise_headless(&request).await.unwrap();
        assert!(channel.error.is_some() && channel.code.is_none(), "VRP-082");
        paying.post_as(&paying.own, consents(VRP), &key, &asked).await.refused_with(400, not_found, "");

        assert_eq!(end_of(&bank, &paying, &order).await, "AcceptedCreditSettlementCompleted", "VRP-083");
        assert_eq!(paying.details(VRP, &order).await.len(), 1);
        assert!(!told(&paying).await.iter().any(|it| it.2 == agreed.consent), "SET-035");
        // PIS-004: a customer's token deletes the consent it stands on.
        paying.tpp.delete(&other.token, &path(&other)).await.unwrap().ok(204);
        // VRP-080: in every status.
        let waiting = paying.consent(VRP, &asking()).await["Data"].text("ConsentId").to_owned();
        paying.tpp.delete(&paying.own, &format!("{}/{waiting}", consents(VRP))).await.unwrap().ok(204);
    }
}

#[tokio::test]
async fn vrp_062_085_and_086_a_customer_ends_it_and_the_tpp_may_ask_again() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(VRP).await;
        paying.pay(&agreed, "100.00").await.ok(201);
        told(&paying).await;
        let (status, answer) =
            bank.ops_post(&format!("/sandbox/consents/{}/revoke", agreed.consent), &Value::Null).await;
        assert_eq!(status, 200, "{answer}");
        let events = told(&paying).await;
        let event = of_consent("consent-authorization-revoked", &agreed.consent, "");
        assert_eq!(events.iter().filter(|it| it.2 == agreed.consent).collect::<Vec<_>>(), [&event], "VRP-086");
        paying.post(&agreed.token, orders(VRP), &agreed.payment("1.00")).await.unauthorised();
        assert_eq!(paying.consent_now(VRP, &agreed.consent).await["Data"].text("Status"), "Authorised", "VRP-085");

        let again = AgreedConsent { token: paying.token(&agreed.consent).await, ..agreed };
        paying.pay(&again, "100.00").await.ok(201);
        paying.pay(&again, "0.01").await.refused(400);
        assert!(!told(&paying).await.iter().any(|it| it.2 == again.consent), "nothing a GET shows has changed");
    }
}

#[tokio::test]
async fn vrp_087_and_set_033_an_account_that_is_gone_is_told_and_pays_nothing() {
    for (end, reason) in [("close", "UK.OBIE.AccountClosure"), ("switch", "UK.OBIE.CASS"), ("bar", "")] {
        for bank in Bank::each_engine().await {
            let paying = PayingTpp::robot(&bank).await;
            let agreed = paying.agreed(VRP).await;
            told(&paying).await;
            let accounts = accounts_of(&bank, "amelia").await;
            let current = accounts.iter().find(|it| it["sub_type"] == "CurrentAccount").unwrap().text("id").to_owned();
            let (status, answer) = bank.ops_post(&format!("/sandbox/accounts/{current}/{end}"), &Value::Null).await;
            assert_eq!(status, 200, "{answer}");
            let events = told(&paying).await;
            let event = of_consent("domestic-vrp-consent-linked-account-update", &agreed.consent, reason);
            assert_eq!(events, [event]);
            let body = question(&agreed.consent, "0.01");
            let funds = paying.ask_funds(&agreed.token, &agreed.consent, &body).await.ok(201);
            assert_eq!(funds["Data"]["FundsAvailableResult"].text("FundsAvailable"), "NotAvailable");
            let (order, _) = paying.ordered(&agreed).await;
            assert_eq!(end_of(&bank, &paying, &order).await, "Rejected", "VRP-087");
            // What was rejected is given back: the whole limit is still there to be refused again.
            paying.pay(&agreed, "100.00").await.ok(201);
        }
    }
    let bank = Bank::start().await;
    assert_eq!(bank.ops_post("/sandbox/accounts/none/close", &json!(null)).await.0, 404);
}
