//! Helpers for funds confirmations.

use super::pending_consent::{accounts_of, debtor};
use super::{Bank, ExchangeExt, ValueExt};
use lombard_tpp::{AuthorisationRequest, HttpCall, HttpExchange, IssuedTokens, Tpp};
use serde_json::{Value, json};

/// The path of the consents.
pub(crate) const CONSENTS: &str = "cbpii/funds-confirmation-consents";
/// The path of the questions.
pub(crate) const QUESTIONS: &str = "cbpii/funds-confirmations";

/// A TPP that asks whether there is enough money, with its own token.
#[derive(Debug, Clone)]
pub(crate) struct FundsTpp {
    /// The TPP.
    pub(crate) tpp: Tpp,
    /// Its own token.
    pub(crate) own: String,
}

/// A customer's first current account, as the sandbox shows it.
pub(crate) async fn current(bank: &Bank, login: &str) -> Value {
    let accounts = accounts_of(bank, login).await;
    accounts.into_iter().find(|account| account["sub_type"] == "CurrentAccount").unwrap()
}

/// What asks for a consent to ask about an account, as the sandbox shows the account.
pub(crate) fn about(account: &Value) -> Value {
    json!({"Data": {"DebtorAccount": debtor(account)}})
}

/// A question.
pub(crate) fn question(consent: &str, reference: &str, amount: &str, currency: &str) -> Value {
    let amount = json!({"Amount": amount, "Currency": currency});
    json!({"Data": {"ConsentId": consent, "Reference": reference, "InstructedAmount": amount}})
}

impl FundsTpp {
    /// This TPP.
    pub(crate) async fn with(tpp: Tpp) -> Self {
        let own = tpp.client_credentials("fundsconfirmations").await.unwrap().access_token;
        Self { tpp, own }
    }

    /// The TPP whose customer, amelia, agrees at once.
    pub(crate) async fn robot(bank: &Bank) -> Self {
        Self::with(bank.tpp("robot")).await
    }

    /// Posts with this token.
    pub(crate) async fn post(&self, token: &str, path: &str, body: &Value) -> HttpExchange {
        self.tpp.send(HttpCall::post(self.tpp.resource_url(path)).with_bearer(token).with_json(body)).await.unwrap()
    }

    /// Asks for a consent that must be made; gives its id.
    pub(crate) async fn consent(&self, body: &Value) -> String {
        self.post(&self.own, CONSENTS, body).await.ok(201)["Data"].text("ConsentId").to_owned()
    }

    /// What reading a consent is answered.
    pub(crate) async fn read(&self, consent: &str) -> HttpExchange {
        self.tpp.get(&self.own, &format!("{CONSENTS}/{consent}")).await.unwrap()
    }

    /// How a consent stands; with a new token, as the clock may have moved.
    pub(crate) async fn status(&mut self, consent: &str) -> String {
        self.own = self.tpp.client_credentials("fundsconfirmations").await.unwrap().access_token;
        self.read(consent).await.ok(200)["Data"].text("Status").to_owned()
    }

    /// A request for the customer's leave.
    pub(crate) async fn request(&self, consent: &str) -> AuthorisationRequest {
        self.tpp.new_authorisation_request(consent, "fundsconfirmations").await.unwrap()
    }

    /// Has the customer agree; gives the tokens.
    pub(crate) async fn tokens(&self, consent: &str) -> IssuedTokens {
        let request = self.request(consent).await;
        let channel = self.tpp.authorise_headless(&request).await.unwrap();
        let code = channel.expect_code(&request.state).unwrap().0.to_owned();
        IssuedTokens::from_exchange(self.tpp.exchange_code(&code).await.unwrap()).unwrap()
    }

    /// A consent about this account that the customer gave, and the token that stands on it.
    pub(crate) async fn agreed(&self, account: &Value) -> (String, String) {
        let consent = self.consent(&about(account)).await;
        let token = self.tokens(&consent).await.access_token;
        (consent, token)
    }
}
