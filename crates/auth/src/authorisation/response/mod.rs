//! The authorisation response: sent to the client's verified redirect URI, as parameters or as one signed JWT.

use crate::AuthorisationServer;
use crate::error::{FailedCheck, OAuthError, OAuthErrorCode};
use lombard_domain::ids::ClientId;
use lombard_jose::JoseHeader;
use lombard_ports::store::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;
use url::form_urlencoded;

/// The lifetime of a signed response, seconds: at most 600. Source: AS-153.
const SIGNED_SECS: i64 = 300;

/// The part of the redirect URI that holds the response, and its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum ResponseMode {
    /// The parameters in the fragment. Source: AS-085.
    #[default]
    Fragment,
    /// The parameters in the query, with a code alone and the issuer: FAPI 2.0. Source: AS-154.
    Query,
    /// One signed JWT in the fragment. Source: AS-153.
    FragmentJwt,
    /// One signed JWT in the query, for a code without an identity token. Source: AS-153.
    QueryJwt,
    /// No response in the address, which is a page of the server; the client gets the result at the token endpoint. Source: AS-160.
    Page,
}

impl ResponseMode {
    /// Whether the response holds an identity token beside the code.
    pub(crate) const fn has_id_token(self) -> bool {
        matches!(self, Self::Fragment | Self::FragmentJwt)
    }
}

/// The target of a response: its client, address and form. Made only from a verified redirect URI (AS-064).
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResponseTarget<'a> {
    /// The client.
    pub client: &'a ClientId,
    /// The verified redirect URI of the client.
    pub redirect_uri: &'a str,
    /// The `state` of the request, which the response repeats.
    pub state: Option<&'a str>,
    /// The part of the address that holds the response, and its form.
    pub mode: ResponseMode,
}

/// A response to the client, as the address to which the browser is redirected.
#[derive(Clone, PartialEq, Eq)]
pub struct Redirect {
    /// The address with the response in it. It may hold a code, so it must never be logged.
    pub location: String,
    /// Whether the request was decided without a person, which the response must announce. Source: AS-170.
    pub headless: bool,
    /// The check that refused the request, if it was refused; for the log.
    pub refused: Option<FailedCheck>,
}

impl std::fmt::Debug for Redirect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redirect").field("headless", &self.headless).finish_non_exhaustive()
    }
}

impl Redirect {
    /// Marks the response as decided without a person.
    pub(super) fn announced_headless(self) -> Self {
        Self { headless: true, ..self }
    }

    /// Adds the check that refused the request, for the log.
    pub(super) fn refused_by(self, check: FailedCheck) -> Self {
        Self { refused: Some(check), ..self }
    }
}

impl ResponseTarget<'_> {
    /// Makes the response of success: `code`, `id_token`, `state`, in this order, and the issuer if no token names it. Source: AS-085,
    /// AS-088.
    ///
    /// # Errors
    /// As [`ResponseTarget::error`].
    pub(super) async fn success(
        &self,
        auth: &AuthorisationServer,
        code: &str,
        id_token: Option<&str>,
    ) -> Result<Redirect, OAuthError> {
        let parameters =
            [("code", Some(code)), ("id_token", id_token), ("state", self.state), ("iss", self.issuer(auth))];
        self.with(auth, &parameters).await
    }

    /// The issuer, if the response needs it as a parameter: only beside a plain code. Source: AS-088.
    fn issuer<'b>(&self, auth: &'b AuthorisationServer) -> Option<&'b str> {
        (self.mode == ResponseMode::Query).then_some(auth.settings.issuer.as_str())
    }

    /// The redirect to the server's own page, for a customer who was asked over the backchannel.
    pub(super) fn page(&self) -> Redirect {
        Redirect { location: self.redirect_uri.to_owned(), headless: false, refused: None }
    }

    /// Makes an error response, with the `state` of the request. Source: AS-065, AS-088.
    ///
    /// # Errors
    /// [`unregistered_return_error`]; a response that must be signed but cannot be, because no key can sign or the signing pool is full.
    pub(super) async fn error(&self, auth: &AuthorisationServer, error: &OAuthError) -> Result<Redirect, OAuthError> {
        let parameters = [
            ("error", Some(error.code.name())),
            ("error_description", Some(error.description)),
            ("state", self.state),
            ("iss", self.issuer(auth)),
        ];
        self.with(auth, &parameters).await
    }

    async fn with(&self, auth: &AuthorisationServer, parameters: &[Parameter<'_>]) -> Result<Redirect, OAuthError> {
        if self.mode != ResponseMode::Page {
            self.check_registered(auth).await?;
        }
        let redirect_uri = self.redirect_uri;
        let location = match self.mode {
            ResponseMode::Page => return Ok(self.page()),
            ResponseMode::Fragment => format!("{redirect_uri}#{}", encoded(parameters)),
            ResponseMode::FragmentJwt => format!("{redirect_uri}#response={}", self.signed(auth, parameters).await?),
            ResponseMode::Query => format!("{redirect_uri}{}{}", query_joint(redirect_uri), encoded(parameters)),
            ResponseMode::QueryJwt => {
                let joint = query_joint(redirect_uri);
                format!("{redirect_uri}{joint}response={}", self.signed(auth, parameters).await?)
            }
        };
        Ok(Redirect { location, headless: false, refused: None })
    }

    /// Checks that the client still has the redirect URI, which may have been removed since the request arrived.
    ///
    /// Source: AS-184.
    async fn check_registered(&self, auth: &AuthorisationServer) -> Result<(), OAuthError> {
        let id = self.client.clone();
        let found = auth.context.store.read_by_one_query::<_, StoreError, _>(move |tx| tx.client(&id)).await?;
        let is_registered = found.is_some_and(|client| client.has_redirect_uri(self.redirect_uri));
        if is_registered { Ok(()) } else { Err(unregistered_return_error()) }
    }

    /// Signs the parameters as claims, with issuer, audience and expiry. Source: AS-153, JARM section 2.1.
    async fn signed(&self, auth: &AuthorisationServer, parameters: &[Parameter<'_>]) -> Result<String, OAuthError> {
        let now = auth.context.clocks.wall_now().as_second();
        let present = parameters.iter().filter_map(|(name, value)| Some((*name, Value::from((*value)?))));
        let about = [
            ("iss", auth.settings.issuer.as_str().into()),
            ("aud", self.client.as_str().into()),
            ("exp", now.saturating_add(SIGNED_SECS).into()),
        ];
        let claims: Map<String, Value> =
            about.into_iter().chain(present).map(|(name, value)| (name.to_owned(), value)).collect();
        let payload = serde_json::to_vec(&claims).map_err(OAuthError::server_error)?;
        let server_key = auth.keys.active_key().map_err(OAuthError::server_error)?;
        let header = JoseHeader::ps256(server_key.key.id());
        // Anybody can cause a response to be signed for a client, so these signatures do not count against the client's share of the pool.
        let asker = format!("authorize {}", self.client.as_str());
        let signed = auth.signing.sign_compact(&asker, Arc::clone(&server_key.key), header, payload).await;
        signed.map_err(OAuthError::unavailable)
    }
}

/// The rule about the address of a response.
const RETURN_RULE: &str = "AS-184";

/// The error of a response whose redirect URI was removed: a page of the bank shows it. Source: AS-184.
pub(crate) fn unregistered_return_error() -> OAuthError {
    let description = "The return address of the request is not registered for the application any more.";
    OAuthError::new(OAuthErrorCode::InvalidRequest, description).with_rule(RETURN_RULE)
}

/// Whether an error is [`unregistered_return_error`]. The customer is then shown a page, and the client gets no response.
pub fn is_unregistered_return(error: &OAuthError) -> bool {
    error.failed_check().rule == RETURN_RULE
}

/// The name of a parameter and its value; a parameter without a value is omitted.
type Parameter<'a> = (&'static str, Option<&'a str>);

/// The character between a redirect URI and further query parameters.
fn query_joint(redirect_uri: &str) -> char {
    if redirect_uri.contains('?') { '&' } else { '?' }
}

fn encoded(parameters: &[Parameter<'_>]) -> String {
    let present = parameters.iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    let pairs: Vec<_> = present.map(|(name, value)| format!("{name}={}", percent_encoded(value))).collect();
    pairs.join("&")
}

/// Percent-encodes with `%20` for a space, so that readers which undo percent signs but not pluses get the same text.
fn percent_encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

#[cfg(test)]
mod tests;
