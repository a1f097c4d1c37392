//! A version that is no longer served, and addresses in general. Source: RW-001, RW-005, RW-010.

use super::{both, own_token, text};
use crate::harness::paying::consents;
use crate::harness::{Bank, CustomerAccess, EVERYTHING, Engine, ExchangeExt, FundsTpp, PayingTpp, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_tpp::{HttpCall, HttpExchange};

/// That a path of a version that is no longer served was called, whatever the method.
fn is_retired(answer: &HttpExchange) {
    assert_eq!(answer.status, 503, "{} {}: {}", answer.method, answer.url, answer.text());
    assert_eq!(answer.json().unwrap()["Errors"][0].text("ErrorCode"), "UK.OBIE.UnexpectedError");
}

#[tokio::test]
async fn rw_010_a_version_that_is_retired_answers_503_and_the_other_is_served() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[]).await;
        let tpp = bank.tpp("robot");
        let own = own_token(&tpp).await;
        let consent = both(&tpp).0.consent(&own, &EVERYTHING).await;
        bank.stop().await;
        bank.restart_with(&[("endpoints.retired_versions", "v3.1")]).await;
        let tpp = bank.tpp("robot");
        let own = own_token(&tpp).await;
        let (old, new) = both(&tpp);
        is_retired(&old.get(&own, &super::consent_path(&consent)).await);
        is_retired(&old.delete(&own, &super::consent_path(&consent)).await);
        old.get(&own, "aisp/nothing").await.refused_with(404, "UK.Lombard.Path.NotFound", "");
        let paying = PayingTpp::robot(&bank).await;
        let body = paying.asking(PaymentProduct::DomesticPayment);
        is_retired(&paying.post(&paying.own, consents(PaymentProduct::DomesticPayment), &body).await);
        assert_eq!(text(&new.shown(&own, &consent).await, "Status"), "AWAU", "RW-015: the newer one reads it");
        let access = CustomerAccess::of(&tpp, &own, &new.consent(&own, &EVERYTHING).await).await;
        new.get(access.token(), "aisp/accounts").await.ok(200);
    }
}

/// Whatever the resource: what it calls itself begins with the one host and prefix of the bank.
#[tokio::test]
async fn rw_001_rw_005_every_resource_is_under_one_host_and_prefix() {
    let bank = Bank::start().await;
    let base = bank.endpoints().resource_base;
    assert_eq!(base, format!("{}/open-banking", bank.endpoints().mtls), "RW-001: no prefix of our own");
    let tpp = bank.tpp("robot");
    let own = own_token(&tpp).await;
    let mut links = Vec::new();
    for through in <[_; 2]>::from(both(&tpp)) {
        let consent = through.consent(&own, &EVERYTHING).await;
        links.push(through.get(&own, &super::consent_path(&consent)).await.text_at("/Links/Self").unwrap());
        let access = CustomerAccess::of(&tpp, &own, &consent).await;
        links.push(through.get(access.token(), "aisp/accounts").await.text_at("/Links/Self").unwrap());
    }
    for version in Version::ALL {
        let paying = PayingTpp::robot(&bank).await.through(version);
        for product in PaymentProduct::ALL {
            let made = paying.consent(product, &paying.asking(product)).await;
            links.push(text(&made["Links"], "Self"));
        }
    }
    let asking = FundsTpp::robot(&bank).await;
    let about = crate::harness::funds::about(&crate::harness::funds::current(&bank, "amelia").await);
    let consent = asking.consent(&about).await;
    links.push(asking.read(&consent).await.text_at("/Links/Self").unwrap());
    assert_eq!(links.len(), 4 + 2 * PaymentProduct::ALL.len() + 1);
    for link in links {
        let rest = link.strip_prefix(&base).unwrap_or_else(|| panic!("{link} is elsewhere"));
        let mut segments = rest.split('/').skip(1);
        assert!(segments.next().and_then(Version::from_segment).is_some(), "RW-001: {link}");
        assert!(["aisp", "pisp", "cbpii"].contains(&segments.next().unwrap_or_default()), "RW-001: {link}");
    }
    let undiscovered = HttpCall::get(format!("{}/v3.1/aisp/accounts", bank.endpoints().mtls)).with_bearer(&own);
    assert_eq!(tpp.send(undiscovered).await.unwrap().status, 404, "and nowhere else");
}
