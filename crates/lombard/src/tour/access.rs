//! Obtains access: discovery, client credentials token, consent, authorisation and code exchange. Account information and payments differ
//! only in the scope.

use super::checks::{at, text};
use super::run::Tour;
use http::StatusCode;
use lombard_tpp::{AuthorisationRequest, AuthorisationResponse, ExpectedIdToken, IssuedTokens, TppError};
use serde_json::json;
use std::io::IsTerminal;

/// The permissions that the tour requests.
pub(super) const PERMISSIONS: [&str; 6] = [
    "ReadAccountsDetail",
    "ReadBalances",
    "ReadStatementsDetail",
    "ReadTransactionsDetail",
    "ReadTransactionsCredits",
    "ReadTransactionsDebits",
];

/// The scope of account information.
pub(super) const ACCOUNTS: &str = "accounts";
/// The scope of payments.
pub(super) const PAYMENTS: &str = "payments";
/// The scope of funds confirmations.
pub(super) const FUNDS: &str = "fundsconfirmations";

/// An authorised consent and its access token.
#[derive(Debug)]
pub(super) struct GrantedAccess {
    /// The consent.
    pub(super) consent: String,
    /// The access token of the consent.
    pub(super) token: String,
    /// Whether the TPP received a refresh token.
    pub(super) lasts: bool,
    /// Whether the consent is a payment consent.
    pub(super) pays: bool,
}

impl Tour<'_> {
    /// Fetches the discovery document and the bank's keys.
    pub(super) async fn discover(&mut self) -> Result<(), TppError> {
        self.step("Discovery and keys");
        let discovery = self.tpp.discovery().await?.clone();
        let only_ps256 = |values: &[String]| values == ["PS256"];
        self.check(only_ps256(&discovery.id_token_signing_alg_values_supported), "identity tokens are PS256 (AS-005)");
        self.check(only_ps256(&discovery.request_object_signing_alg_values_supported), "requests are PS256 (AS-005)");
        self.check(discovery.response_types_supported.iter().any(|it| it == "code id_token"), "hybrid flow (AS-005)");
        self.check(discovery.tls_client_certificate_bound_access_tokens, "tokens are bound to certificates (AS-003)");
        let keys = self.tpp.bank_keys().await?.iter().count();
        self.check(keys > 0, "keys are published (AS-007)");
        self.fact(&format!("issuer {}, {keys} key(s)", discovery.issuer));
        Ok(())
    }

    /// Requests a client credentials token for account information.
    pub(super) async fn own_token(&mut self) -> Result<String, TppError> {
        self.step(&format!("A client credentials token ({})", self.tpp.folder.details.token_endpoint_auth_method));
        self.own_token_for(ACCOUNTS).await
    }

    /// Requests a client credentials token with this scope.
    pub(super) async fn own_token_for(&mut self, scope: &str) -> Result<String, TppError> {
        let tokens = self.tpp.client_credentials(scope).await?;
        self.check(tokens.scope.as_deref() == Some(scope), "the scope is stated (AS-039)");
        self.check(tokens.refresh_token.is_none() && tokens.id_token.is_none(), "an access token only (AS-038)");
        self.fact(&format!("lives {} s, bound to our certificate", tokens.expires_in));
        Ok(tokens.access_token)
    }

    /// Creates a consent, which awaits authorisation.
    pub(super) async fn consent(&mut self, own_token: &str) -> Result<String, TppError> {
        self.step("A consent to account information");
        let body = json!({"Data": {"Permissions": PERMISSIONS}, "Risk": {}});
        let exchange = self.tpp.consent_post(own_token, &body).await?;
        let answer = self.resource(exchange, StatusCode::CREATED)?;
        let consent = text(at(&answer, "/Data"), "ConsentId").to_owned();
        self.check(!consent.is_empty() && consent.len() <= 128, "the consent has an id (RW-249)");
        self.check(text(at(&answer, "/Data"), "Status") == self.names.awaiting, "it awaits authorisation (AIS-012)");
        self.check(*at(&answer, "/Data/Permissions") == json!(PERMISSIONS), "permissions come back as sent (AIS-012)");
        self.check(*at(&answer, "/Risk") == json!({}), "Risk comes back (RW-240)");
        self.check(text(at(&answer, "/Links"), "Self").ends_with(&consent), "Links.Self names it (RW-243)");
        self.fact(&format!("{consent} awaits the customer"));
        Ok(consent)
    }

    /// Authorises a consent with a headless TPP and exchanges the code.
    pub(super) async fn authorise_headless(&mut self, consent: &str, scope: &str) -> Result<GrantedAccess, TppError> {
        let psu = self.tpp.folder.details.headless.as_ref().map_or("nobody", |psu| psu.as_str()).to_owned();
        self.step(&format!("Authorisation: the bank answers at once in the name of {psu}"));
        let request = self.tpp.new_authorisation_request(consent, scope).await?;
        let channel = self.tpp.authorise_headless(&request).await?;
        self.code_from(&channel, consent, &request).await?;
        let code = channel.expect_code(&request.state)?.0.to_owned();
        let redirect_uri = self.tpp.redirect_uri()?.to_owned();
        self.exchange_code(&code, &redirect_uri, Some((consent, &request)), Some(scope)).await
    }

    /// Prints the URL that a person has to open, and the steps to take there.
    async fn send_person(&mut self, consent: &str, scope: &str) -> Result<AuthorisationRequest, TppError> {
        self.step("Authorisation: your turn, as a customer of the bank");
        let redirect_uri = self.browser_redirect_uri()?;
        let request = self.tpp.new_authorisation_request(consent, scope).await?.claim("redirect_uri", redirect_uri);
        let url = request.url(&self.tpp.folder.signing)?;
        self.fact("Open this address in a browser that trusts ca.pem of the data folder (or accept its warning):");
        self.fact("");
        self.report.title(&url);
        self.fact("");
        let choice = if scope == ACCOUNTS { "choose accounts" } else { "choose the account to pay from" };
        self.fact(&format!("Log in (the page shows customers and passwords), {choice}, approve."));
        self.fact("You come back to a page that shows a code; it is good for one minute.");
        self.fact(
            "Go on by `lombard tour --browser --code CODE`, or paste the code (or the page's whole address) here.",
        );
        Ok(request)
    }

    /// Sends a person to the pages and waits for the pasted result. Returns `None` if standard input is not a terminal.
    pub(super) async fn authorise_by_person(
        &mut self,
        consent: &str,
        scope: &str,
    ) -> Result<Option<GrantedAccess>, TppError> {
        let request = self.send_person(consent, scope).await?;
        match pasted().await {
            Some(answer) => self.access_from(&answer, Some((consent, &request)), Some(scope)).await.map(Some),
            None => Ok(None),
        }
    }

    /// Continues from the result that a person pasted: a code, or the whole URL of the page that showed the code. Without a scope, the
    /// consent may be for account information or for a payment.
    pub(super) async fn access_from(
        &mut self,
        answer: &str,
        asked: Option<(&str, &AuthorisationRequest)>,
        scope: Option<&str>,
    ) -> Result<GrantedAccess, TppError> {
        let redirect_uri = self.browser_redirect_uri()?;
        let answer = answer.trim();
        let code = if answer.starts_with("https://") {
            let channel = AuthorisationResponse::read_location(answer, &redirect_uri)?;
            if let Some((consent, request)) = asked {
                self.code_from(&channel, consent, request).await?;
            }
            channel.code.ok_or_else(|| TppError::Answer("the address carries no code".to_owned()))?
        } else {
            answer.to_owned()
        };
        self.exchange_code(&code, &redirect_uri, asked, scope).await
    }

    /// Checks the authorisation response.
    async fn code_from(
        &mut self,
        channel: &AuthorisationResponse,
        consent: &str,
        request: &AuthorisationRequest,
    ) -> Result<(), TppError> {
        let (code, id_token) = channel.expect_code(&request.state)?;
        self.check(channel.names.iter().all(|name| name != "access_token"), "no access token in the redirect (AS-085)");
        let keys = self.tpp.bank_keys().await?;
        let expected = ExpectedIdToken {
            consent: Some(consent),
            nonce: Some(&request.nonce),
            code: Some(code),
            state: Some(&request.state),
            access_token: None,
        };
        let token = self.tpp.check_id_token(id_token, &keys, &expected).await?;
        self.check(token.text("acr") == Some("urn:openbanking:psd2:sca"), "strong authentication was made (AS-079)");
        self.fact("code and identity token received; signature, c_hash, s_hash and nonce are valid");
        Ok(())
    }

    /// Exchanges the code for the access token of the consent.
    async fn exchange_code(
        &mut self,
        code: &str,
        redirect_uri: &str,
        asked: Option<(&str, &AuthorisationRequest)>,
        scope: Option<&str>,
    ) -> Result<GrantedAccess, TppError> {
        self.step("The code is exchanged for a token");
        let tokens = IssuedTokens::from_exchange(self.tpp.exchange_code_of(code, redirect_uri).await?)?;
        let keys = self.tpp.bank_keys().await?;
        let expected = ExpectedIdToken {
            consent: asked.map(|(consent, _)| consent),
            nonce: asked.map(|(_, request)| request.nonce.as_str()),
            access_token: Some(&tokens.access_token),
            ..ExpectedIdToken::default()
        };
        let compact = tokens.id_token.clone().unwrap_or_default();
        let id_token = self.tpp.check_id_token(&compact, &keys, &expected).await?;
        let consent = id_token.text("openbanking_intent_id").unwrap_or_default().to_owned();
        let stated = tokens.scope.as_deref().unwrap_or_default();
        let states = |scope: &str| stated.split(' ').any(|it| it == scope);
        let is_stated = scope.map_or_else(|| states(ACCOUNTS) || states(PAYMENTS), states);
        self.check(is_stated, "the scope is stated (AS-044)");
        self.fact(&format!("valid for {} s, grant for consent {consent}", tokens.expires_in));
        let pays = states(PAYMENTS);
        Ok(GrantedAccess { consent, lasts: tokens.refresh_token.is_some(), token: tokens.access_token, pays })
    }

    /// The redirect URI for a person: the sandbox's own page, which shows the code.
    fn browser_redirect_uri(&self) -> Result<String, TppError> {
        let uris = &self.tpp.folder.details.redirect_uris;
        let page = uris.iter().find(|uri| uri.starts_with(&self.tpp.endpoints.public));
        page.or(uris.first()).cloned().ok_or_else(|| TppError::Answer("tpp.json lists no redirect URI".to_owned()))
    }
}

/// Reads the text pasted at the terminal; `None` if standard input is not a terminal.
async fn pasted() -> Option<String> {
    if !std::io::stdin().is_terminal() {
        return None;
    }
    let read = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let line = read.await.ok()?.ok()?;
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}
