//! Tokens of VRP consents: their lifetime, and the effect of re-authorisation.

use super::{DAY, secs, with};
use crate::harness::paying::{AgreedConsent, orders};
use crate::harness::vrp::{VRP, asking};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use jiff::Timestamp;
use lombard_jose::CompactJws;
use lombard_tpp::IssuedTokens;
use serde_json::{Value, json};

const REFRESH_END: &str = "http://openbanking.org.uk/refresh_token_expires_at";

fn claims(tokens: &IssuedTokens) -> Value {
    CompactJws::parse(tokens.id_token.as_ref().unwrap()).unwrap().claims().unwrap()
}

async fn consent(paying: &PayingTpp, body: &Value) -> String {
    paying.consent(VRP, body).await["Data"].text("ConsentId").to_owned()
}

#[tokio::test]
async fn vrp_021_as_094_and_as_095_tokens_live_as_long_as_payments_can_be_made() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let open = consent(&paying, &asking()).await;
        let tokens = paying.tokens(&open).await;
        assert_eq!(tokens.expires_in, 365 * DAY);
        assert!(claims(&tokens).get(REFRESH_END).is_none(), "AS-095: it never ends");

        let last: Timestamp = "2027-06-30T12:00:00Z".parse().unwrap();
        let last = last.max(paying.now() + secs(200 * DAY));
        let body = with(asking(), "/Data/ControlParameters/ValidToDateTime", json!(last.to_string()));
        let ending = consent(&paying, &body).await;
        let limited = paying.tokens(&ending).await;
        let day = lombard_domain::calendar::london_date(last).tomorrow().unwrap();
        let end = lombard_domain::calendar::london_midnight(day).as_second();
        assert_eq!(paying.now().as_second() + limited.expires_in, end, "the end of the last day in London");
        assert_eq!(claims(&limited)[REFRESH_END], json!(end));

        // Much later than 90 days on, both still open what they are for.
        bank.clock.advance(secs(100 * DAY));
        let first = tokens.access_token.clone();
        let agreed = AgreedConsent { product: VRP, consent: open, asked: asking(), token: tokens.access_token };
        paying.pay(&agreed, "1.00").await.ok(201);
        let renewed =
            IssuedTokens::from_exchange(paying.tpp.refresh(&tokens.refresh_token.unwrap()).await.unwrap()).unwrap();
        assert_eq!(renewed.expires_in, 365 * DAY);
        let agreed = AgreedConsent { token: renewed.access_token, ..agreed };
        paying.pay(&agreed, "1.00").await.ok(201);
        // VRP-023: that tokens end does not change the consent.
        bank.clock.advance(secs(266 * DAY));
        paying.post(&first, orders(VRP), &agreed.payment("1.00")).await.unauthorised();
        let own = paying.tpp.client_credentials("payments").await.unwrap().access_token;
        let paying = PayingTpp { own, ..paying };
        assert_eq!(paying.consent_now(VRP, &agreed.consent).await["Data"].text("Status"), "Authorised");
        paying.tpp.refresh(&limited.refresh_token.unwrap()).await.unwrap().oauth(400, "invalid_grant");
    }
}

#[tokio::test]
async fn vrp_022_and_as_099_a_consent_is_given_again_for_the_same_account() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(VRP).await;
        let before = paying.consent_now(VRP, &agreed.consent).await;
        paying.pay(&agreed, "100.00").await.ok(201);
        let again = AgreedConsent { token: paying.token(&agreed.consent).await, ..agreed.clone() };
        paying.post(&agreed.token, orders(VRP), &agreed.payment("1.00")).await.unauthorised();
        paying.pay(&again, "100.00").await.ok(201);
        paying.pay(&again, "0.01").await.refused(400);
        let after = paying.consent_now(VRP, &agreed.consent).await;
        assert_eq!(before["Data"], after["Data"], "RW-309, PIS-035");
        // Another account cannot be chosen.
        let accounts = crate::harness::pending_consent::accounts_of(&bank, "amelia").await;
        let savings = accounts.iter().find(|it| it["sub_type"] == "Savings").unwrap();
        let order = json!({"psu": "amelia", "decision": "approve", "accounts": [savings.text("id")]});
        let path = format!("/sandbox/consents/{}/authorise", agreed.consent);
        assert_eq!(bank.ops_post(&path, &order).await.0, 400);
    }
}
