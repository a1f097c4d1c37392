//! Members with two names: both at once could say different things, so a request has one of them. Source: PIS-148, AS-160, DCR-014.

use crate::harness::vrp::VRP;
use crate::harness::{Bank, EVERYTHING, ExchangeExt, PayingTpp};
use crate::registration::{attempt, unregistered};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use serde_json::{Value, json};

/// The members of `Risk` that official files misspell. `lombard-wire` tests its whole table on the parser.
const PAIRS: [(&str, &str); 2] = [
    ("ContractPresentIndicator", "ContractPresentInidicator"),
    ("BeneficiaryPrepopulatedIndicator", "BeneficiaryPaymentDetailsPrepopulatedIndicator"),
];

#[tokio::test]
async fn pis_148_a_consent_and_an_order_have_one_spelling_of_a_member() {
    let bank = Bank::start().await;
    for version in Version::ALL {
        let paying = PayingTpp::robot(&bank).await.through(version);
        for product in [PaymentProduct::DomesticPayment, VRP] {
            let mut asked = paying.asking(product);
            asked["Risk"] = json!({PAIRS[0].0: true, PAIRS[1].0: true});
            let agreed = paying.agreed_to(product, asked.clone()).await;
            let order = agreed.order();
            for (correct, misspelt) in PAIRS {
                for said in [true, false] {
                    let both = |body: &Value| {
                        let mut body = body.clone();
                        body["Risk"][correct] = true.into();
                        body["Risk"][misspelt] = said.into();
                        body
                    };
                    let consents = product.consents_path().trim_start_matches('/');
                    let orders = product.orders_path().trim_start_matches('/');
                    for answer in [
                        paying.post(&paying.own, consents, &both(&asked)).await,
                        paying.post(&agreed.token, orders, &both(&order)).await,
                    ] {
                        let found = answer.refused(400);
                        assert!(answer.text().contains(misspelt), "{version:?} {product:?}: {found:?}");
                    }
                }
            }
            paying.ordered(&agreed).await;
        }
    }
}

#[tokio::test]
async fn as_160_the_consent_of_a_backchannel_request_has_one_id() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let other = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    for (hyphens, underscores, is_accepted) in [(&consent, &other, false), (&consent, &consent, true)] {
        let request = tpp.backchannel_request(&consent, "accounts").await.unwrap();
        let request = request.claim("openbanking-intent-id", hyphens.as_str());
        let request = request.claim("openbanking_intent_id", underscores.as_str());
        let answer = tpp.send_backchannel_request(&request.sign(&tpp.folder.signing).unwrap()).await.unwrap();
        if is_accepted {
            answer.ok(200);
        } else {
            answer.oauth(400, "invalid_request");
        }
    }
}

#[tokio::test]
async fn dcr_014_neither_name_of_the_user_code_parameter_says_true() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    for (one, other) in [(true, false), (false, true), (true, true)] {
        let answer = attempt(&tpp, |request| {
            let request = request.claim("backchannel_user_code_parameter", one);
            request.claim("backchannel_user_code_parameter_supported", other)
        });
        answer.await.oauth(400, "invalid_client_metadata");
    }
}
