//! Both versions' views of the same consents and accounts. Source: RW-015 to RW-020, T8, part 5 row 25.

mod errors;
mod life;
mod retired;
mod seam;
mod shapes;

use crate::harness::{Bank, ExchangeExt};
use lombard_domain::version::Version;
use lombard_tpp::{HttpCall, HttpExchange, Tpp};
use serde_json::{Value, json};

/// A TPP that calls through one version.
struct Through<'a> {
    tpp: &'a Tpp,
    version: Version,
}

/// The TPP through both versions, the older first.
fn both(tpp: &Tpp) -> (Through<'_>, Through<'_>) {
    (Through { tpp, version: Version::V3_1 }, Through { tpp, version: Version::V4_0 })
}

impl Through<'_> {
    /// The address of a resource, as `aisp/accounts`.
    fn url(&self, path: &str) -> String {
        self.tpp.with_version(self.version).resource_url(path)
    }

    async fn get(&self, token: &str, path: &str) -> HttpExchange {
        self.tpp.read_link(token, &self.url(path)).await.unwrap()
    }

    async fn delete(&self, token: &str, path: &str) -> HttpExchange {
        let call = HttpCall::new(http::Method::DELETE, self.url(path)).with_bearer(token);
        self.tpp.send(call).await.unwrap()
    }

    async fn post_consent(&self, own: &str, body: &Value) -> HttpExchange {
        let call = HttpCall::post(self.url("aisp/account-access-consents")).with_bearer(own).with_json(body);
        self.tpp.send(call).await.unwrap()
    }

    /// Makes a consent with these permissions; gives its id.
    async fn consent(&self, own: &str, permissions: &[&str]) -> String {
        let made = self.post_consent(own, &json!({"Data": {"Permissions": permissions}, "Risk": {}})).await;
        made.ok(201);
        made.text_at("/Data/ConsentId").unwrap()
    }

    /// `Data` of a consent that must be there.
    async fn shown(&self, own: &str, consent: &str) -> Value {
        self.get(own, &consent_path(consent)).await.ok(200)["Data"].clone()
    }

    /// Status, codes of the reasons, and the time of the status, of a consent that must be there.
    async fn status(&self, own: &str, consent: &str) -> (String, Vec<String>, String) {
        let data = self.shown(own, consent).await;
        let reasons = data["StatusReason"].as_array().cloned().unwrap_or_default();
        let codes = reasons.iter().map(|reason| text(reason, "StatusReasonCode")).collect();
        (text(&data, "Status"), codes, text(&data, "StatusUpdateDateTime"))
    }
}

fn consent_path(consent: &str) -> String {
    format!("aisp/account-access-consents/{consent}")
}

fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_else(|| panic!("no {member}: {value}")).to_owned()
}

/// A TPP's own token.
async fn own_token(tpp: &Tpp) -> String {
    tpp.client_credentials("accounts").await.unwrap().access_token
}

/// Has the bank do something to a consent, as the sandbox's controls let testers do.
async fn at_the_bank(bank: &Bank, consent: &str, what: &str, body: &Value) {
    let (status, answer) = bank.ops_post(&format!("/sandbox/consents/{consent}/{what}"), body).await;
    assert_eq!(status, 200, "{what}: {answer}");
}
