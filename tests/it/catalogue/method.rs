//! Unsupported methods. Source: RW-025, RW-110.

use crate::harness::{Bank, ExchangeExt};
use http::Method;
use lombard_tpp::{HttpCall, Protocol};

#[tokio::test]
async fn rw_025_a_wrong_method_is_405_before_certificate_and_token_checks() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let naked = tpp.with_certificate(None, Protocol::Any).unwrap();
    for (path, wrong, allow) in [
        ("aisp/accounts", Method::POST, "GET"),
        ("aisp/accounts", Method::HEAD, "GET"),
        ("aisp/accounts/", Method::DELETE, "GET"),
        ("aisp/account-access-consents", Method::GET, "POST"),
        ("aisp/account-access-consents/x", Method::PUT, "DELETE, GET"),
    ] {
        for tpp in [&tpp, &naked] {
            let answer = tpp.send(HttpCall::new(wrong.clone(), tpp.resource_url(path))).await.unwrap();
            answer.decent();
            assert_eq!(answer.status, 405, "{wrong} {path}");
            let mut allowed: Vec<_> = answer.head("allow").split(", ").collect();
            allowed.sort_unstable();
            assert_eq!(allowed.join(", "), allow, "{wrong} {path}");
        }
        let right = HttpCall::new(allow.split(", ").next().unwrap().parse().unwrap(), naked.resource_url(path));
        naked.send(right).await.unwrap().unauthorised();
    }
}
