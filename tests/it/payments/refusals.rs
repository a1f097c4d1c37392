//! Access to consents and orders. Refusals common to all endpoints are tested in `catalogue`.

use crate::harness::paying::{DOMESTIC, TRANSFERS, consents, orders};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use lombard_domain::version::Version;
use lombard_tpp::HttpCall;

const OWNER: &str = "UK.Lombard.Forbidden.Owner";
const NOT_FOUND: &str = "UK.OBIE.Resource.NotFound";

#[tokio::test]
async fn pis_004_a_customer_token_reads_only_its_own_consent_and_order() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in TRANSFERS {
            let mine = paying.agreed(product).await;
            let other = paying.agreed(product).await;
            let (order, _) = paying.ordered(&mine).await;
            let (strange, _) = paying.ordered(&other).await;
            for path in [
                format!("{}/{}", consents(product), mine.consent),
                format!("{}/{order}", orders(product)),
                format!("{}/{order}/payment-details", orders(product)),
            ] {
                paying.get(&mine.token, &path).await.ok(200);
                paying.get(&other.token, &path).await.unauthorised();
            }
            for path in [
                format!("{}/{}", consents(product), other.consent),
                format!("{}/unknown", consents(product)),
                format!("{}/{strange}", orders(product)),
                format!("{}/{strange}/payment-details", orders(product)),
                format!("{}/unknown", orders(product)),
            ] {
                paying.get(&mine.token, &path).await.unauthorised();
            }
            // A consent is asked for by the TPP alone.
            paying.post(&mine.token, consents(product), &mine.asked).await.unauthorised();
            paying.post(&paying.own, orders(product), &mine.order()).await.unauthorised();
        }
    }
}

#[tokio::test]
async fn pis_007_008_others_resources_are_403_and_unknown_ones_400() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let rival = PayingTpp::as_tpp(&bank, "rival").await;
        for (product, next) in TRANSFERS.into_iter().zip(TRANSFERS.into_iter().cycle().skip(1)) {
            let agreed = paying.agreed(product).await;
            let (order, _) = paying.ordered(&agreed).await;
            let paths = |product, consent: &str, order: &str| {
                [
                    format!("{}/{consent}", consents(product)),
                    format!("{}/{order}", orders(product)),
                    format!("{}/{order}/payment-details", orders(product)),
                ]
            };
            for path in paths(product, &agreed.consent, &order) {
                rival.get(&rival.own, &path).await.refused_with(403, OWNER, "");
            }
            for path in paths(product, "unknown", "unknown") {
                paying.get(&paying.own, &path).await.refused_with(400, NOT_FOUND, "");
            }
            for path in paths(next, &agreed.consent, &order) {
                paying.get(&paying.own, &path).await.refused_with(400, NOT_FOUND, "");
            }
        }
    }
}

#[tokio::test]
async fn rw_115_what_is_kept_of_a_request_is_bounded() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let padded = |length: usize| {
        let mut asked = paying.asking(DOMESTIC[0]);
        asked["Data"]["SCASupportData"] = serde_json::json!({ "Stranger": "x".repeat(length) });
        asked
    };
    paying.post(&paying.own, consents(DOMESTIC[0]), &padded(60 * 1024)).await.ok(201);
    let too_large = "UK.Lombard.Body.TooLarge";
    paying.post(&paying.own, consents(DOMESTIC[0]), &padded(64 * 1024)).await.refused_with(413, too_large, "");
}

#[tokio::test]
async fn pis_160_v4_009_a_payment_consent_is_unknown_to_the_other_version() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for (version, other, code) in
        [(Version::V3_1, Version::V4_0, "U011"), (Version::V4_0, Version::V3_1, "UK.OBIE.Resource.NotFound")]
    {
        let agreed = paying.through(version).agreed(DOMESTIC[0]).await;
        let path = format!("{}/{}", consents(DOMESTIC[0]), agreed.consent);
        paying.through(other).get(&paying.own, &path).await.refused_with(400, code, "");
    }
}

#[tokio::test]
async fn pis_002_009_012_013_headers_and_tokens() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let made = paying.consent(DOMESTIC[0], &paying.asking(DOMESTIC[0])).await;
    let path = format!("{}/{}", consents(DOMESTIC[0]), made["Data"].text("ConsentId"));
    let get = |token: &str| HttpCall::get(paying.tpp.resource_url(&path)).with_bearer(token);
    paying.send(get("nonsense")).await.unauthorised();
    let accounts = paying.tpp.client_credentials("accounts").await.unwrap().access_token;
    paying.send(get(&accounts)).await.refused_with(403, "UK.Lombard.Forbidden.Scope", "");
    let dated = get(&paying.own).with_header("x-fapi-auth-date", "yesterday");
    paying.send(dated).await.refused_with(400, "UK.OBIE.Header.Invalid", "x-fapi-auth-date");
    let told = paying.send(get(&paying.own).with_header("x-fapi-interaction-id", "a-b")).await;
    told.ok(200);
    assert_eq!(told.head("x-fapi-interaction-id"), "a-b");
    paying.send(get(&paying.own).with_header("x-fapi-financial-id", "anything")).await.ok(200);
}
