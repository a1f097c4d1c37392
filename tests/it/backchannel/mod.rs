//! Backchannel authentication (CIBA): a TPP asks a customer who is not in its browser. Source: AS-160 to AS-162.

mod attacks;
mod decoupled;
mod device_provider;
mod hints;
mod journeys;
mod notifications;
mod polling;
mod refusals;

use crate::apps::Visitor;
use crate::harness::{Bank, EVERYTHING, ExchangeExt, Page};
use lombard_jose::base64url;
use lombard_tpp::{BackchannelAnswer, IssuedTokens, Jwt, Tpp};
use serde_json::{Value, json};

/// A TPP whose consent to account access awaits its customer.
pub(crate) struct Asking {
    tpp: Tpp,
    own: String,
    consent: String,
}

impl Asking {
    pub(crate) async fn new(bank: &Bank) -> Self {
        Self::of(bank.tpp("acme")).await
    }

    async fn of(tpp: Tpp) -> Self {
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        Self { tpp, own, consent }
    }

    /// A request for the consent, which names nobody.
    async fn request(&self) -> Jwt {
        self.tpp.backchannel_request(&self.consent, "accounts").await.unwrap()
    }

    /// Asks this customer, by name.
    pub(crate) async fn ask(&self, customer: &str) -> BackchannelAnswer {
        let request = self.request().await.claim("login_hint_token", hint(&json!({"sub": customer})));
        self.tpp.ask_over_backchannel(&request).await.unwrap()
    }

    async fn status(&self) -> String {
        let path = format!("aisp/account-access-consents/{}", self.consent);
        self.tpp.get(&self.own, &path).await.unwrap().ok(200)["Data"]["Status"].as_str().unwrap().to_owned()
    }

    /// That a poll is answered with this error.
    async fn is_told(&self, answer: &BackchannelAnswer, error: &str) {
        self.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, error);
    }

    pub(crate) async fn tokens(&self, answer: &BackchannelAnswer) -> IssuedTokens {
        IssuedTokens::from_exchange(self.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap()).unwrap()
    }
}

/// An unsigned hint, as the standard's examples have it. Source: AS-161.
fn hint(claims: &Value) -> String {
    let part = |value: &Value| base64url(value.to_string().as_bytes());
    format!("{}.{}.", part(&json!({"alg": "none"})), part(claims))
}

/// Opens the newest request that waits for a customer who is logged in: the page for the one-time code.
async fn open_first(visitor: &mut Visitor) -> Page {
    let list = visitor.at("requests").await;
    let form = list.forms.iter().find(|form| form.action.path().starts_with("/apps/requests/"));
    let form = form.unwrap_or_else(|| panic!("no request waits: {}", list.exchange.text())).clone();
    visitor.browser.submit(&form, &[]).await
}

/// Gives the one-time code; ends at the decision.
async fn confirm(visitor: &mut Visitor, second: &Page) -> Page {
    let code = second.shown_code();
    visitor.browser.submit(second.form_with("code"), &[("code", &code)]).await
}

/// A customer logs in at the bank, opens the newest request and comes to its decision.
async fn reach_decision(bank: &Bank, customer: &str) -> (Visitor, Page) {
    let mut visitor = Visitor::new(bank);
    visitor.log_in(customer).await;
    let second = open_first(&mut visitor).await;
    let page = confirm(&mut visitor, &second).await;
    (visitor, page)
}

/// Decides with these accounts, or with those that are checked already.
async fn decide(visitor: &mut Visitor, page: &Page, decision: &str) -> Page {
    let form = page.form_with("decision");
    let accounts = form.values("account");
    let mut set: Vec<_> = accounts.iter().take(1).map(|account| ("account", account.as_str())).collect();
    set.push(("decision", decision));
    visitor.browser.submit(form, &set).await
}
