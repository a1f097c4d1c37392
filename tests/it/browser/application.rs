//! The TPP application that sends a person to the bank, and the response that it receives.

use crate::harness::{Bank, EVERYTHING, ExchangeExt, ValueExt};
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, HttpExchange, IssuedTokens, Tpp};

/// An application with a consent that awaits its customer.
#[derive(Debug)]
pub(crate) struct Application {
    /// The TPP.
    pub(crate) tpp: Tpp,
    /// The consent.
    pub(crate) consent: String,
    /// Where the customer is to be sent back to: the sandbox's own page.
    pub(crate) callback: String,
    request: AuthorisationRequest,
    own: String,
}

impl Application {
    /// A new consent of the interactive TPP.
    pub(crate) async fn of(bank: &Bank) -> Self {
        let tpp = bank.tpp("acme");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let callback = format!("{}/portal/callback", bank.endpoints().public);
        assert!(tpp.folder.details.redirect_uris.contains(&callback), "the sandbox registers its own page");
        let request = request(&tpp, &consent, &callback).await;
        Self { tpp, consent, callback, request, own }
    }

    /// Another request for the same consent.
    pub(crate) async fn ask_again(&mut self) {
        self.request = request(&self.tpp, &self.consent, &self.callback).await;
    }

    /// Where to send the customer.
    pub(crate) fn url(&self) -> String {
        self.request.url(&self.tpp.folder.signing).unwrap()
    }

    /// The consent's status; with a new token, as the clock may have moved.
    pub(crate) async fn status(&mut self) -> String {
        self.own = self.tpp.client_credentials("accounts").await.unwrap().access_token;
        let path = format!("aisp/account-access-consents/{}", self.consent);
        self.tpp.get(&self.own, &path).await.unwrap().ok(200)["Data"].text("Status").to_owned()
    }

    /// The tokens for the code that came back with the right state.
    pub(crate) async fn tokens(&self, channel: &AuthorisationResponse) -> IssuedTokens {
        let (code, _) = channel.expect_code(&self.request.state).unwrap();
        IssuedTokens::from_exchange(self.tpp.exchange_code_of(code, &self.callback).await.unwrap()).unwrap()
    }

    /// That the customer came back with a refusal, and with the right state.
    pub(crate) fn refused(&self, channel: &AuthorisationResponse) {
        assert_eq!(channel.error.as_deref(), Some("access_denied"));
        assert_eq!(channel.state.as_deref(), Some(self.request.state.as_str()), "AS-065");
        assert!(channel.code.is_none());
    }

    /// Reads the accounts.
    pub(crate) async fn accounts(&self, tokens: &IssuedTokens) -> HttpExchange {
        self.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap()
    }
}

async fn request(tpp: &Tpp, consent: &str, callback: &str) -> AuthorisationRequest {
    tpp.new_authorisation_request(consent, "accounts").await.unwrap().claim("redirect_uri", callback)
}
