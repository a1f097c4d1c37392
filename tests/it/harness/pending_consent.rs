//! A payment consent that a customer decides on in a browser.

use super::paying::{AgreedConsent, PayingTpp};
use super::{Bank, ExchangeExt, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, IssuedTokens};
use serde_json::{Value, json};

/// A consent to a payment that awaits its customer, and the request to send them with.
#[derive(Debug)]
pub(crate) struct PendingConsent {
    /// Who asks.
    pub(crate) paying: PayingTpp,
    /// For what.
    pub(crate) product: PaymentProduct,
    /// What the consent was asked with.
    pub(crate) body: Value,
    /// The consent.
    pub(crate) consent: String,
    /// Where the customer is to be sent back to: the sandbox's own page.
    pub(crate) callback: String,
    request: AuthorisationRequest,
}

impl PendingConsent {
    /// The interactive TPP asks for what a request to this product usually asks for.
    pub(crate) async fn of(bank: &Bank, product: PaymentProduct) -> Self {
        let paying = PayingTpp::as_tpp(bank, "acme").await;
        let body = paying.asking(product);
        Self::with(bank, paying, product, body).await
    }

    /// This TPP asks for this.
    pub(crate) async fn with(bank: &Bank, paying: PayingTpp, product: PaymentProduct, body: Value) -> Self {
        let consent = paying.consent(product, &body).await["Data"].text("ConsentId").to_owned();
        let callback = format!("{}/portal/callback", bank.endpoints().public);
        let request = request(&paying, &consent, &callback).await;
        Self { paying, product, body, consent, callback, request }
    }

    /// Another request for the same consent.
    pub(crate) async fn ask_again(&mut self) {
        self.request = request(&self.paying, &self.consent, &self.callback).await;
    }

    /// Where to send the customer.
    pub(crate) fn url(&self) -> String {
        self.request.url(&self.paying.tpp.folder.signing).unwrap()
    }

    /// The consent's status; with a new token, as the clock may have moved.
    pub(crate) async fn status(&mut self) -> String {
        self.paying.own = self.paying.tpp.client_credentials("payments").await.unwrap().access_token;
        self.paying.consent_now(self.product, &self.consent).await["Data"].text("Status").to_owned()
    }

    /// The tokens for the code that came back with the right state.
    pub(crate) async fn tokens(&self, channel: &AuthorisationResponse) -> IssuedTokens {
        let (code, _) = channel.expect_code(&self.request.state).unwrap();
        IssuedTokens::from_exchange(self.paying.tpp.exchange_code_of(code, &self.callback).await.unwrap()).unwrap()
    }

    /// The consent as it was given, with the token that came back for it.
    pub(crate) async fn agreed(&self, channel: &AuthorisationResponse) -> AgreedConsent {
        let token = self.tokens(channel).await.access_token;
        AgreedConsent { product: self.product, consent: self.consent.clone(), asked: self.body.clone(), token }
    }

    /// That the customer came back with this refusal and the right state, without a code, and the consent is rejected.
    pub(crate) async fn refused(&mut self, channel: &AuthorisationResponse, error: &str) {
        assert_eq!((channel.error.as_deref(), channel.code.as_deref()), (Some(error), None));
        assert_eq!(channel.state.as_deref(), Some(self.request.state.as_str()), "AS-065");
        assert_eq!(self.status().await, "Rejected");
    }
}

async fn request(paying: &PayingTpp, consent: &str, callback: &str) -> AuthorisationRequest {
    paying.tpp.new_authorisation_request(consent, "payments").await.unwrap().claim("redirect_uri", callback)
}

/// A customer's accounts as the sandbox shows them.
pub(crate) async fn accounts_of(bank: &Bank, login: &str) -> Vec<Value> {
    let shown = bank.ops_get("/sandbox/psus").await.ok(200);
    let customer = shown.list("/psus").into_iter().find(|customer| customer.text("login") == login);
    customer.unwrap_or_else(|| panic!("no {login}")).list("/accounts")
}

/// An account, as a request names the one to pay from.
pub(crate) fn debtor(account: &Value) -> Value {
    let numbers = account.list("/identifications");
    let sort_code = numbers.iter().find(|it| it.text("scheme").ends_with("SortCodeAccountNumber")).unwrap();
    json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": sort_code.text("identification")})
}
