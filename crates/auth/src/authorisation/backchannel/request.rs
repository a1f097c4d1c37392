//! The rules of a backchannel request. All parameters are inside the signed object; only the client's authentication is outside it.

use super::hint::{self, RequestedCustomer};
use crate::AuthorisationServer;
use crate::authorisation::rules::{
    self, Acr, OneTimeUse, RequestObjectClaims, RuleContext, RuleRefusal, VerifiedRequest, invalid, invalid_object,
};
use crate::claims::{parse_whole_number, whole_number};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use crate::unsupported_parameters::UNSUPPORTED_PARAMETERS;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::Client;
use lombard_domain::ids::ConsentId;
use lombard_domain::scope::Scopes;
use lombard_domain::text::{is_hidden_character, is_visible_character};
use serde_json::Value;

/// How long a request waits for the customer, seconds, unless the client asks for another time.
const EXPIRY_SECS: i64 = 300;
/// The shortest waiting time that a client may ask for, seconds.
const EXPIRY_SECS_MIN: i64 = 30;
const EXPIRY_SECS_MAX: i64 = 600;
/// The most characters of the binding message, which the customer compares on two devices.
const BINDING_MESSAGE_CHARS_MAX: usize = 64;
/// The length of a notification token. Source: CIBA Core section 7.1.
const NOTIFICATION_TOKEN_BYTES: std::ops::RangeInclusive<usize> = 16..=1_024;
/// The most characters of a consent's id. Source: RW-249.
const ID_CHARS_MAX: usize = 128;

/// Parameters that belong inside the signed object. Source: CIBA Core section 7.1.1.
const SIGNED_ONLY: [&str; 10] = [
    "scope",
    "client_notification_token",
    "acr_values",
    "login_hint_token",
    "id_token_hint",
    "login_hint",
    "binding_message",
    "user_code",
    "requested_expiry",
    "request_uri",
];

/// A request that passed every rule except those that need the consent.
pub(super) struct CheckedBackchannelRequest {
    pub intent: ConsentId,
    pub scopes: Scopes,
    pub acr: Acr,
    pub customer: RequestedCustomer,
    pub binding_message: Option<String>,
    pub expiry_secs: i64,
    /// The notification token, if the client is notified.
    pub notification_token: Option<String>,
    /// Records the use of the object, so that it can be used only once. Source: AS-080.
    pub object_use: OneTimeUse,
}

/// Reads and checks a request of a client that has proven who it is.
///
/// # Errors
/// The first rule that refuses.
pub(super) async fn check(
    auth: &AuthorisationServer,
    client: &Client,
    form: &Form,
) -> Result<CheckedBackchannelRequest, RuleRefusal> {
    let refused = |rule: &'static str| move |error: OAuthError| RuleRefusal { rule, error };
    let delivery = client.backchannel.as_ref().ok_or_else(|| refused("AS-160")(NOT_REGISTERED))?;
    let unsupported = UNSUPPORTED_PARAMETERS.iter().map(|(name, _)| name);
    if SIGNED_ONLY.iter().chain(unsupported).any(|name| form.value(name).is_some()) {
        return Err(refused("AS-160")(invalid("Every parameter stands in the signed request and nowhere else.")));
    }
    let object = form.value("request").ok_or_else(|| refused("AS-160")(UNSIGNED))?;
    let object = rules::open_signed_request(auth, client, object).await?;
    let now = auth.context.clocks.wall_now();
    rules::check_signed_request(&object, &client.id, &auth.settings.issuer, now)?;
    let VerifiedRequest { claims, .. } = &object;
    check_identity(claims, client).map_err(refused("AS-160"))?;
    let request_use = claims.text("jti").map_err(refused("AS-160"))?.and(OneTimeUse::of(claims, now, None));
    let object_use =
        request_use.ok_or_else(|| refused("AS-160")(invalid_object("The request object must hold a jti.")))?;
    let our_keys = auth.keys.verification_keys();
    let setting = RuleContext { issuer: &auth.settings.issuer, now, our_keys: our_keys.as_ref() };
    Ok(CheckedBackchannelRequest {
        intent: intent(claims).map_err(refused("AS-160"))?,
        scopes: scopes(claims, client).map_err(refused("AS-050"))?,
        acr: acr(claims).map_err(refused("AS-079"))?,
        customer: hint::read(auth, claims, client, &setting).await.map_err(refused("AS-161"))?,
        binding_message: binding_message(claims).map_err(refused("AS-160"))?,
        expiry_secs: expiry_secs(claims).map_err(refused("AS-160"))?,
        notification_token: notification_token(claims, delivery).map_err(refused("AS-160"))?,
        object_use,
    })
}

const NOT_REGISTERED: OAuthError =
    OAuthError::new(OAuthErrorCode::UnauthorizedClient, "The client is not registered for backchannel authentication.");
const UNSIGNED: OAuthError = invalid("The parameter request, a signed request object, is required.");

/// Checks the claims that CIBA requires beyond those of every signed request.
fn check_identity(claims: &RequestObjectClaims, client: &Client) -> Result<(), OAuthError> {
    if claims.date("iat")?.is_none() {
        return Err(invalid_object("The request object must hold iat, a number."));
    }
    if claims.text("client_id")?.is_some_and(|id| id != client.id.as_str()) {
        return Err(invalid_object("The client_id of the request object is another client's."));
    }
    if ["request", "request_uri"].iter().any(|name| claims.value(name).is_some()) {
        return Err(invalid_object("A request object must not hold another one."));
    }
    // A client that sends a user code expects the customer to be asked for it.
    if claims.value("user_code").is_some() {
        return Err(invalid("A user_code is not supported."));
    }
    rules::check_unsupported(claims)
}

/// Reads the id of the consent. The name of its claim has hyphens, as the standard writes it for this endpoint, or underscores, as
/// elsewhere.
///
/// Source: AS-160.
fn intent(claims: &RequestObjectClaims) -> Result<ConsentId, OAuthError> {
    const WRONG: OAuthError = invalid("The request object must hold openbanking-intent-id, the ConsentId.");
    let id = match (claims.text("openbanking-intent-id")?, claims.text("openbanking_intent_id")?) {
        (Some(one), Some(other)) if one != other => return Err(WRONG),
        (Some(id), _) | (None, Some(id)) => id,
        (None, None) => return Err(WRONG),
    };
    if id.is_empty() || id.chars().count() > ID_CHARS_MAX { Err(WRONG) } else { Ok(ConsentId::from(id)) }
}

/// Reads the scopes, which must include `openid`. Source: CIBA Core section 7.1.
fn scopes(claims: &RequestObjectClaims, client: &Client) -> Result<Scopes, OAuthError> {
    let text = claims.text("scope")?.ok_or(invalid("The request object must hold scope."))?;
    rules::requested(text, client)
}

/// The first requested authentication class that this server supports; strong authentication if none was requested.
fn acr(claims: &RequestObjectClaims) -> Result<Acr, OAuthError> {
    let asked = claims.text("acr_values")?.unwrap_or_default();
    Ok(asked.split(' ').find_map(Acr::from_name).unwrap_or(Acr::Sca))
}

fn binding_message(claims: &RequestObjectClaims) -> Result<Option<String>, OAuthError> {
    let Some(text) = claims.text("binding_message")? else { return Ok(None) };
    // Hidden characters are refused instead of removed, because the devices of other providers may show the message as it is.
    let is_hidden = |character: char| character.is_control() || is_hidden_character(character);
    let is_shown = text.contains(is_visible_character) && !text.contains(is_hidden);
    if text.chars().count() > BINDING_MESSAGE_CHARS_MAX || !is_shown {
        let description = "The binding_message must have 1 to 64 characters that are shown, in the order in which they stand; one at least is no space.";
        return Err(OAuthError::new(OAuthErrorCode::InvalidBindingMessage, description));
    }
    Ok(Some(text.to_owned()))
}

/// How long the request waits: the time that the client asks for, within bounds. The number may be written as text, as form parameters are.
fn expiry_secs(claims: &RequestObjectClaims) -> Result<i64, OAuthError> {
    let asked = match claims.value("requested_expiry") {
        None => return Ok(EXPIRY_SECS),
        Some(Value::String(text)) => parse_whole_number(text),
        Some(Value::Number(number)) => whole_number(number),
        Some(other) => return Err(invalid(rules::wrong_claim("requested_expiry", other))),
    };
    let asked = asked.filter(|secs| *secs > 0);
    let asked = asked.ok_or(invalid("The requested_expiry must be a positive whole number of seconds."))?;
    Ok(asked.clamp(EXPIRY_SECS_MIN, EXPIRY_SECS_MAX))
}

/// The secret by which a notified client recognises the server. It consists of the characters of a bearer token. A client that polls needs
/// none.
///
/// Source: RFC 6750 section 2.1.
fn notification_token(
    claims: &RequestObjectClaims,
    delivery: &BackchannelDelivery,
) -> Result<Option<String>, OAuthError> {
    if *delivery == BackchannelDelivery::Poll {
        return Ok(None);
    }
    let is_bearer = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    let token = claims.text("client_notification_token")?;
    let usable = token.filter(|it| NOTIFICATION_TOKEN_BYTES.contains(&it.len()) && it.bytes().all(is_bearer));
    let usable = usable.ok_or(invalid(
        "The request object must hold a client_notification_token of 16 to 1024 characters of a bearer token.",
    ))?;
    Ok(Some(usable.to_owned()))
}
