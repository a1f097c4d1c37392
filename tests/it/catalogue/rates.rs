//! Rate limits. Source: RW-112.

use crate::authorise::pushed::endpoint;
use crate::harness::paying::{DOMESTIC, consents};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, Engine, ExchangeExt, access};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpCall, HttpExchange, Tpp};

/// Two calls at once, and one a second, of everything.
const SLOW: [(&str, &str); 11] = [
    ("rates.token_per_s", "1"),
    ("rates.pushed_per_s", "1"),
    ("rates.accounts_per_s", "1"),
    ("rates.payments_per_s", "1"),
    ("rates.files_per_s", "1"),
    ("rates.funds_per_s", "1"),
    ("rates.vrp_per_s", "1"),
    ("rates.failures_per_s", "1"),
    ("rates.burst_secs", "2"),
    ("events.rate_per_s", "1"),
    ("events.rate_burst", "2"),
];

async fn token(tpp: &Tpp, scope: &str) -> HttpExchange {
    tpp.request_token(&[("grant_type", "client_credentials"), ("scope", scope)]).await.unwrap()
}

#[tokio::test]
async fn rw_112_every_group_of_endpoints_has_a_rate_for_each_client() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart().await;
    let CustomerAccess { tpp, own, .. } = access(&bank.tpp("robot"), &EVERYTHING).await;
    let everything = token(&tpp, "accounts payments fundsconfirmations").await.ok(200)["access_token"].clone();
    let everything = everything.as_str().unwrap().to_owned();
    bank.stop().await;
    bank.restart_with(&SLOW).await;
    let tpp = bank.tpp("robot");
    let unknown = |product: PaymentProduct| format!("{}/unknown", consents(product));
    for (path, found) in [
        ("aisp/account-access-consents/unknown".to_owned(), 400),
        (unknown(DOMESTIC[0]), 400),
        (unknown(PaymentProduct::FilePayment), 400),
        (unknown(PaymentProduct::DomesticVrp), 400),
        ("cbpii/funds-confirmation-consents/unknown".to_owned(), 400),
    ] {
        for _ in 0..2 {
            assert_eq!(tpp.get(&everything, &path).await.unwrap().status, found, "{path}");
        }
        let refused = tpp.get(&everything, &path).await.unwrap();
        refused.refused_with(429, "UK.Lombard.TooManyRequests", "");
        assert_eq!(refused.head("retry-after"), "1", "{path}");
    }
    let par = endpoint(&tpp).await;
    let push = async || {
        let form = tpp.authentication().await.unwrap();
        tpp.send(HttpCall::post(par.clone()).with_form(form)).await.unwrap()
    };
    for _ in 0..2 {
        assert_eq!(push().await.status, 400, "nothing is pushed");
    }
    let refused = push().await;
    refused.oauth(429, "temporarily_unavailable");
    assert_eq!(refused.head("retry-after"), "1");
    for _ in 0..2 {
        token(&tpp, "accounts").await.ok(200);
    }
    let refused = token(&tpp, "accounts").await;
    refused.oauth(429, "temporarily_unavailable");
    assert_eq!(refused.head("retry-after"), "1");
    token(&bank.tpp("rival"), "accounts").await.ok(200);
    bank.clock.advance(SignedDuration::from_secs(1));
    token(&tpp, "accounts").await.ok(200);
    drop(own);
}

#[tokio::test]
async fn rw_112_tokens_of_customers_and_of_clients_have_rates_of_their_own() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart().await;
    let customer = access(&bank.tpp("robot"), &EVERYTHING).await;
    bank.stop().await;
    let rates = [("rates.accounts_per_s", "1"), ("rates.accounts_client_per_s", "2"), ("rates.burst_secs", "2")];
    bank.restart_with(&rates).await;
    let tpp = bank.tpp("robot");
    let by_customer = async || tpp.get(customer.token(), "aisp/accounts").await.unwrap().status.as_u16();
    let by_client = async || tpp.get(&customer.own, &customer.consent_path()).await.unwrap().status.as_u16();
    assert_eq!([by_customer().await, by_customer().await, by_customer().await], [200, 200, 429]);
    let mut own = Vec::new();
    for _ in 0..5 {
        own.push(by_client().await);
    }
    assert_eq!(own, [200, 200, 200, 200, 429], "calls of the customer have not counted");
    bank.clock.advance(SignedDuration::from_secs(1));
    assert_eq!([by_customer().await, by_customer().await], [200, 429]);
}

#[tokio::test]
async fn rw_112_invalid_tokens_and_assertions_are_limited_per_certificate() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("rates.failures_per_s", "1"), ("rates.burst_secs", "2")]).await;
    let tpp = bank.tpp("robot");
    let rival = bank.tpp("rival");
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let read = async |tpp: &Tpp, token: &str| tpp.get(token, "aisp/account-access-consents/unknown").await.unwrap();
    let forged = async || {
        let mut form = tpp.authentication().await.unwrap();
        form.last_mut().unwrap().1.push('x');
        form.push(("grant_type".to_owned(), "client_credentials".to_owned()));
        tpp.request_token_with_form(&form).await.unwrap()
    };
    read(&tpp, "garbage").await.unauthorised();
    forged().await.oauth(401, "invalid_client");
    let refused = read(&tpp, "garbage").await;
    refused.refused_with(429, "UK.Lombard.TooManyRequests", "");
    assert_eq!(refused.head("retry-after"), "1");
    forged().await.oauth(429, "temporarily_unavailable");
    assert_eq!(read(&tpp, &own).await.status, 429, "nothing is looked up for this certificate");
    assert_eq!(read(&rival, "garbage").await.status, 401, "nobody else is slowed down");
    bank.clock.advance(SignedDuration::from_secs(2));
    for _ in 0..9 {
        assert_eq!(read(&tpp, &own).await.status, 400, "a token that is good costs nothing");
    }
    let naked = tpp.with_certificate(None, lombard_tpp::Protocol::Any).unwrap();
    for _ in 0..9 {
        let call = HttpCall::get(naked.resource_url("aisp/accounts")).with_bearer("garbage");
        naked.send(call).await.unwrap().unauthorised();
    }
}
