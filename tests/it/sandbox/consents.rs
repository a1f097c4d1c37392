use super::{accounts_of, order, refused, waiting};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt, ValueExt, access};
use serde_json::{Value, json};

fn ids(accounts: &[Value]) -> Vec<Value> {
    accounts.iter().map(|account| account["id"].clone()).collect()
}

fn authorise(consent: &str) -> String {
    format!("/sandbox/consents/{consent}/authorise")
}

fn revoke(consent: &str) -> String {
    format!("/sandbox/consents/{consent}/revoke")
}

async fn status(access_token: &str, tpp: &lombard_tpp::Tpp, consent: &str) -> Value {
    let path = format!("aisp/account-access-consents/{consent}");
    tpp.get(access_token, &path).await.unwrap().ok(200)["Data"]["Status"].clone()
}

#[tokio::test]
async fn an_approval_is_what_the_customer_would_have_given() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let (own, consent) = waiting(&tpp).await;
        let held = ids(&accounts_of(&bank, "amelia").await);
        let body = json!({"psu": "amelia", "accounts": [held[1]], "decision": "approve"});
        let given = order(&bank, &authorise(&consent), &body).await;
        assert_eq!((given.text("consent_id"), given.text("status")), (consent.as_str(), "Authorised"));
        assert_eq!((given.text("psu"), given.text("client_id")), ("amelia", tpp.client_id().as_str()));
        assert_eq!(given.list("/accounts").len(), 1);
        assert_ne!(given["accounts"][0], held[1], "AIS-087: a TPP never sees the bank's id");
        assert_eq!(status(&own, &tpp, &consent).await, "Authorised");

        let all = order(&bank, &authorise(&consent), &json!({"psu": "amelia", "decision": "approve"})).await;
        assert_eq!(all.list("/accounts").len(), held.len(), "all that can be shared, if none is named");
        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        let mut seen: Vec<_> = access.account_ids().await.into_iter().map(Value::from).collect();
        let mut told = all.list("/accounts");
        seen.sort_by_key(Value::to_string);
        told.sort_by_key(Value::to_string);
        assert_eq!(seen, told, "the ids told are those the TPP sees");
    }
}

#[tokio::test]
async fn rw_302_a_rejection_is_final() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("acme");
        let (own, consent) = waiting(&tpp).await;
        let reject = json!({"psu": "amelia", "decision": "reject"});
        let rejected = order(&bank, &authorise(&consent), &reject).await;
        assert_eq!((rejected.text("status"), rejected.list("/accounts").len()), ("Rejected", 0));
        assert_eq!(status(&own, &tpp, &consent).await, "Rejected");
        for body in [reject, json!({"psu": "amelia", "decision": "approve"})] {
            refused(&bank, &authorise(&consent), &body, 409).await;
        }
        refused(&bank, &revoke(&consent), &Value::Null, 409).await;
    }
}

#[tokio::test]
async fn what_cannot_be_decided_is_refused_with_a_hint_and_changes_nothing() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let (own, consent) = waiting(&tpp).await;
    let foreign = ids(&accounts_of(&bank, "bashir").await);
    let withheld = ids(&accounts_of(&bank, "esther").await);
    for (body, hint) in [
        (json!({"psu": "nobody", "decision": "approve"}), "psu"),
        (json!({"psu": "nobody", "decision": "reject"}), "psu"),
        (json!({"psu": "amelia", "accounts": foreign, "decision": "approve"}), "accounts"),
        (json!({"psu": "amelia", "accounts": [], "decision": "approve"}), "accounts"),
        (json!({"psu": "esther", "accounts": withheld, "decision": "approve"}), "accounts"),
        (json!({"psu": "esther", "decision": "approve"}), "accounts"),
        (json!({"psu": "amelia", "decision": "perhaps"}), "approve"),
        (json!({"decision": "approve"}), "psu"),
        (json!({"psu": "amelia"}), "decision"),
    ] {
        let reason = refused(&bank, &authorise(&consent), &body, 400).await;
        assert!(reason.contains(hint), "{body}: {reason}");
    }
    let approve = json!({"psu": "amelia", "decision": "approve"});
    refused(&bank, &authorise("no-such-consent"), &approve, 404).await;
    refused(&bank, &revoke("no-such-consent"), &Value::Null, 404).await;
    refused(&bank, &revoke(&consent), &Value::Null, 409).await;
    assert_eq!(status(&own, &tpp, &consent).await, "AwaitingAuthorisation");

    order(&bank, &authorise(&consent), &approve).await;
    let other = json!({"psu": "bashir", "decision": "approve"});
    refused(&bank, &authorise(&consent), &other, 409).await;
    refused(&bank, &authorise(&consent), &json!({"psu": "amelia", "decision": "reject"}), 409).await;
    tpp.delete(&own, &format!("aisp/account-access-consents/{consent}")).await.unwrap().ok(204);
    refused(&bank, &authorise(&consent), &approve, 404).await;
    refused(&bank, &revoke(&consent), &Value::Null, 404).await;
}

#[tokio::test]
async fn ais_071_a_revocation_ends_the_tokens_and_not_the_consent() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let access = access(&tpp, &EVERYTHING).await;
        access.read("aisp/accounts").await;

        let revoked = order(&bank, &revoke(&access.consent), &Value::Null).await;

        assert_eq!((revoked.text("status"), revoked.text("bank_status")), ("Authorised", "Revoked"));
        tpp.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
        tpp.refresh(access.tokens.refresh_token.as_deref().unwrap()).await.unwrap().oauth(400, "invalid_grant");
        assert_eq!(status(&access.own, &tpp, &access.consent).await, "Authorised");
        refused(&bank, &revoke(&access.consent), &Value::Null, 409).await;

        let again = CustomerAccess::of(&tpp, &access.own, &access.consent).await;
        again.read("aisp/accounts").await;
        tpp.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
    }
}

#[tokio::test]
async fn a_revocation_is_an_empty_post() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let url = format!("{}{}", bank.endpoints().ops, revoke(&access.consent));
    bank.ops(lombard_tpp::HttpCall::post(url)).await.ok(200);
    access.tpp.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
}
