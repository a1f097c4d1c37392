//! The life cycle of a consent in both versions. Source: T8, RW-018, RW-019, RW-133, AIS-071 to AIS-074.

use super::{Through, at_the_bank, both, consent_path, own_token, text};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// A status with the codes of its reasons.
fn told(status: &str, codes: &[&str]) -> (String, Vec<String>) {
    (status.to_owned(), codes.iter().map(|code| (*code).to_owned()).collect())
}

/// What a version tells of a consent's status, and since when.
async fn status(through: &Through<'_>, own: &str, consent: &str) -> ((String, Vec<String>), Timestamp) {
    let (status, codes, since) = through.status(own, consent).await;
    ((status, codes), since.parse().unwrap())
}

#[tokio::test]
async fn ais_071_074_customer_revoked_access_is_canc_in_v4_0_and_regrantable() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let own = own_token(&tpp).await;
        let (old, new) = both(&tpp);
        for (made_through, seen_by_old) in [(&old, true), (&new, false)] {
            let consent = &made_through.consent(&own, &EVERYTHING).await;
            let made = bank.now();
            assert_eq!(status(&new, &own, consent).await, (told("AWAU", &["U036"]), made));
            bank.clock.advance(SignedDuration::from_secs(10));
            let given = bank.now();
            let access = CustomerAccess::of(&tpp, &own, consent).await;
            assert_eq!(status(&new, &own, consent).await, (told("AUTH", &[]), given));

            bank.clock.advance(SignedDuration::from_secs(10));
            at_the_bank(&bank, consent, "revoke", &Value::Null).await;
            assert_eq!(status(&new, &own, consent).await, (told("CANC", &["CUST"]), bank.now()));
            new.get(access.token(), "aisp/accounts").await.unauthorised();
            if seen_by_old {
                let told_by_old = status(&old, &own, consent).await;
                assert_eq!(told_by_old, (told("Authorised", &[]), given), "AIS-070, AIS-071");
                old.get(access.token(), "aisp/accounts").await.unauthorised();
            }

            bank.clock.advance(SignedDuration::from_secs(10));
            let again = CustomerAccess::of(&tpp, &own, consent).await;
            assert_eq!(status(&new, &own, consent).await, (told("AUTH", &[]), bank.now()), "RW-305");
            new.get(again.token(), "aisp/accounts").await.ok(200);
            new.get(access.token(), "aisp/accounts").await.unauthorised();
        }
    }
}

#[tokio::test]
async fn t8_a_refusal_is_rejected_in_v3_1_and_rjct_in_v4_0() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let own = own_token(&tpp).await;
    let (old, new) = both(&tpp);
    let older = old.consent(&own, &EVERYTHING).await;
    let newer = new.consent(&own, &EVERYTHING).await;
    bank.clock.advance(SignedDuration::from_secs(10));
    for consent in [&older, &newer] {
        at_the_bank(&bank, consent, "authorise", &json!({"psu": "amelia", "decision": "reject"})).await;
        assert_eq!(status(&new, &own, consent).await, (told("RJCT", &["U033"]), bank.now()), "CON-32");
    }
    assert_eq!(status(&old, &own, &older).await, (told("Rejected", &[]), bank.now()));
}

#[tokio::test]
async fn rw_019_133_v4_006_err_007_expired_consents_are_expd_with_token_reason() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let own = own_token(&tpp).await;
        let (old, new) = both(&tpp);
        let end = bank.now() + SignedDuration::from_mins(10);
        let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
        let consent = text(&old.post_consent(&own, &body).await.ok(201)["Data"], "ConsentId");
        let waiting = text(&new.post_consent(&own, &body).await.ok(201)["Data"], "ConsentId");
        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        bank.clock.advance(SignedDuration::from_mins(10) - SignedDuration::from_secs(1));
        new.get(access.token(), "aisp/accounts").await.ok(200);
        assert_eq!(new.status(&own, &consent).await.0, "AUTH");

        bank.clock.advance(SignedDuration::from_secs(1));
        assert_eq!(status(&new, &own, &consent).await, (told("EXPD", &["TKXP"]), end), "AIS-078");
        assert_eq!(status(&new, &own, &waiting).await, (told("EXPD", &["TKXP"]), end), "T8");
        assert_eq!(old.status(&own, &consent).await.0, "Authorised", "AIS-072");
        for _ in 0..2 {
            let refused = new.get(access.token(), "aisp/accounts").await;
            refused.refused_with(401, "TKXP", "");
            assert_eq!(refused.head("www-authenticate"), r#"Bearer error="invalid_token""#, "RW-059");
            assert_eq!(refused.head("content-type"), "application/json; charset=utf-8");
            old.get(access.token(), "aisp/accounts").await.unauthorised();
        }
        let refresh = access.tokens.refresh_token.as_deref().unwrap();
        tpp.refresh(refresh).await.unwrap().oauth(400, "invalid_grant");
        new.delete(&own, &consent_path(&consent)).await.ok(204);
        new.get(access.token(), "aisp/accounts").await.unauthorised();
    }
}

#[tokio::test]
async fn con_30_token_expiry_changes_no_consent_and_a_refresh_restores_access() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let own = own_token(&tpp).await;
    let (_, new) = both(&tpp);
    let consent = new.consent(&own, &EVERYTHING).await;
    let access = CustomerAccess::of(&tpp, &own, &consent).await;
    bank.clock.advance(SignedDuration::from_hours(1));
    new.get(access.token(), "aisp/accounts").await.unauthorised();
    let own = own_token(&tpp).await;
    assert_eq!(new.status(&own, &consent).await.0, "AUTH", "RW-041");
    let refreshed = tpp.refresh(access.tokens.refresh_token.as_deref().unwrap()).await.unwrap();
    let token = refreshed.text_at("/access_token").unwrap();
    new.get(&token, "aisp/accounts").await.ok(200);
}
