//! Finds out which customer a client names in a backchannel request. Source: AS-161.

use crate::AuthorisationServer;
use crate::authorisation::rules::{RequestObjectClaims, RuleContext, hinted_consent, invalid};
use crate::claims::{NumericDate, is_from_future, read_claims, read_members};
use crate::error::{OAuthError, OAuthErrorCode};
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::ids::ConsentId;
use lombard_jose::{CompactJws, from_base64url, from_json};
use lombard_ports::identity::CustomerHint;
use serde::Deserialize;
use std::sync::Arc;

/// The most bytes of a hint that names a customer.
const HINT_BYTES_MAX: usize = 255;

/// The customer that a backchannel request names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RequestedCustomer {
    /// The request names no customer; it is for the customer who enters the consent's id at the bank.
    Unnamed,
    /// The customer who authorised this consent.
    WhoAuthorised(ConsentId),
    /// The customer whom this hint names.
    Hinted(CustomerHint),
}

const UNREADABLE: OAuthError = invalid("The login_hint_token must be a JWT, unsigned or signed by the client.");
const ONE_CLAIM: OAuthError =
    invalid("The login_hint_token must hold one of sub, email, phone_number and ephemeral_sub, a text.");

/// Reads the hint of a request: at most one, and never a `login_hint`.
///
/// # Errors
/// `invalid_request`; `expired_login_hint_token`.
pub(super) async fn read(
    auth: &AuthorisationServer,
    claims: &RequestObjectClaims,
    client: &Client,
    setting: &RuleContext<'_>,
) -> Result<RequestedCustomer, OAuthError> {
    if claims.value("login_hint").is_some() {
        return Err(invalid("A login_hint is not supported: send a login_hint_token, an id_token_hint or neither."));
    }
    match (claims.text("login_hint_token")?, claims.text("id_token_hint")?) {
        (Some(_), Some(_)) => Err(invalid("A request names the customer in one way only.")),
        (None, None) => Ok(RequestedCustomer::Unnamed),
        (None, Some(token)) => hinted_consent(token, &client.id, setting).map(RequestedCustomer::WhoAuthorised),
        (Some(token), None) => {
            let said = read_token(auth, client, token).await?;
            said.customer(setting.now).map(RequestedCustomer::Hinted)
        }
    }
}

/// The claims of a hint that are read. An empty text names no customer.
#[derive(Deserialize)]
struct HintClaims {
    sub: Option<String>,
    email: Option<String>,
    phone_number: Option<String>,
    ephemeral_sub: Option<String>,
    exp: Option<NumericDate>,
    nbf: Option<NumericDate>,
    iat: Option<NumericDate>,
}

impl HintClaims {
    fn customer(self, now: Timestamp) -> Result<CustomerHint, OAuthError> {
        if self.exp.is_some_and(|exp| exp.0 <= now.as_second()) {
            let description = "The login_hint_token has expired.";
            return Err(OAuthError::new(OAuthErrorCode::ExpiredLoginHintToken, description));
        }
        if [self.nbf, self.iat].into_iter().flatten().any(|start| is_from_future(start.0, now)) {
            return Err(invalid("The iat or nbf of the login_hint_token lies too far in the future."));
        }
        let hints = [
            self.sub.map(CustomerHint::Sub),
            self.email.map(CustomerHint::Email),
            self.phone_number.map(CustomerHint::PhoneNumber),
            self.ephemeral_sub.map(CustomerHint::Ephemeral),
        ];
        let mut named = hints.into_iter().flatten();
        match (named.next(), named.next()) {
            (Some(hint), None) if is_usable(&hint) => Ok(hint),
            _ => Err(ONE_CLAIM),
        }
    }
}

fn is_usable(hint: &CustomerHint) -> bool {
    let (CustomerHint::Sub(text)
    | CustomerHint::Email(text)
    | CustomerHint::PhoneNumber(text)
    | CustomerHint::Ephemeral(text)) = hint;
    (1..=HINT_BYTES_MAX).contains(&text.len()) && !text.contains(char::is_control)
}

/// Reads the claims of a hint. A hint may be unsigned, because the request around it is signed; a signed hint must be signed by the client.
async fn read_token(auth: &AuthorisationServer, client: &Client, token: &str) -> Result<HintClaims, OAuthError> {
    #[derive(Deserialize)]
    struct Header {
        alg: String,
    }
    let mut parts = token.split('.');
    let (Some(header), Some(payload), Some(signature), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(UNREADABLE);
    };
    let header: Header = from_base64url(header).and_then(|it| from_json(&it).ok()).ok_or(UNREADABLE)?;
    if header.alg == "none" {
        let payload = from_base64url(payload).filter(|_| signature.is_empty()).ok_or(UNREADABLE)?;
        let members = from_json(&payload).map_err(|_| UNREADABLE)?;
        return read_members(members).map_err(wrong_claim);
    }
    let signed = Arc::new(CompactJws::parse(token).map_err(|_| UNREADABLE)?);
    let keys = auth.client_keys.keys_of_client(client, None).await.ok_or(UNREADABLE)?;
    auth.client_keys.verify_compact(Arc::clone(&signed), keys).await.map_err(|_| UNREADABLE)?;
    read_claims(&signed).map_err(wrong_claim)
}

/// The error for a hint that has a claim of a wrong type or is not one JSON object.
fn wrong_claim(sentence: Option<&'static str>) -> OAuthError {
    sentence.map_or(UNREADABLE, invalid)
}
