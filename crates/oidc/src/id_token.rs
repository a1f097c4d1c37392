//! The checks of an ID token. Source: OpenID Connect Core 1.0 section 3.1.3.7, FAPI 1.0 Advanced section 8.6.

use crate::client::Client;
use crate::discovery::ProviderMetadata;
use crate::error::ProviderError;
use crate::purpose;
use crate::settings::OidcSettings;
use jiff::Timestamp;
use lombard_domain::ids::PsuId;
use lombard_jose::{CompactJws, KeySet, VerifyError, from_json, secrets_are_equal};
use lombard_ports::identity::{AuthenticatedCustomer, AuthenticationFactor, AuthenticationPurpose};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The allowed difference of clocks, in seconds.
pub(crate) const SKEW_SECS: i64 = 60;
/// The greatest age of a newly fetched ID token, in seconds.
pub(crate) const AGE_SECS_MAX: i64 = 600;
/// The most bytes of a customer id.
const CUSTOMER_BYTES_MAX: usize = 255;
/// The most characters of a name.
const NAME_CHARS_MAX: usize = 140;

/// The values of the request that its ID token is checked with.
pub(crate) struct TokenRequestFacts<'a> {
    /// The nonce of the request; a backchannel request has none.
    pub nonce: Option<&'a str>,
    /// When the token was requested, in seconds since 1970.
    pub asked_at: i64,
    pub purpose: &'a AuthenticationPurpose,
}

/// The response of a token endpoint.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

/// Checks the ID token in the response of a token endpoint and returns its customer.
pub(crate) async fn read_id_token(
    client: &Client,
    metadata: &ProviderMetadata,
    body: &[u8],
    asked: &TokenRequestFacts<'_>,
) -> Result<AuthenticatedCustomer, ProviderError> {
    let tokens: Tokens = from_json(body).map_err(|_| ProviderError::Refused("there is no ID token"))?;
    let token = CompactJws::parse(&tokens.id_token).map_err(|_| ProviderError::Refused("the ID token is malformed"))?;
    let keys = client.keys(metadata, token.header().kid.as_deref()).await?;
    let purpose = purpose::claim(asked.purpose, &client.settings.details_type, metadata);
    let expected = ExpectedToken {
        settings: &client.settings,
        nonce: asked.nonce,
        asked_at: asked.asked_at,
        now: client.clocks.wall_now(),
        purpose: purpose.as_ref(),
    };
    check(&token, &keys, &expected).map_err(ProviderError::Refused)
}

/// The expected claims of an ID token.
struct ExpectedToken<'a> {
    settings: &'a OidcSettings,
    nonce: Option<&'a str>,
    asked_at: i64,
    now: Timestamp,
    /// The claim for the purpose, if the purpose has one.
    purpose: Option<&'a (&'static str, Value)>,
}

/// Checks that a token is signed by one of these keys and has the expected claims. Returns its customer, or why it is refused.
fn check(
    token: &CompactJws,
    keys: &KeySet,
    expected: &ExpectedToken<'_>,
) -> Result<AuthenticatedCustomer, &'static str> {
    token.verify_ps256_or_es256(keys).map_err(|error| match error {
        VerifyError::Algorithm => "the ID token's algorithm is not accepted",
        VerifyError::Critical => "the ID token has a critical header that is not understood",
        VerifyError::KeyUnknown => "the ID token's key is unknown",
        VerifyError::Signature => "the ID token's signature is wrong",
    })?;
    let claims: Map<String, Value> = token.claims().map_err(|_| "the ID token's claims cannot be read")?;
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    let seconds = |name: &str| claims.get(name).and_then(Value::as_i64);
    let settings = expected.settings;
    let now = expected.now.as_second();
    if text("iss") != Some(&settings.issuer) {
        return Err("the ID token is of another issuer");
    }
    if !is_only_audience(claims.get("aud"), &settings.client_id) {
        return Err("the ID token is for another audience");
    }
    if claims.get("azp").is_some_and(|azp| azp != settings.client_id.as_str()) {
        return Err("the ID token was issued to another client");
    }
    if seconds("exp").is_none_or(|exp| exp.saturating_add(SKEW_SECS) <= now) {
        return Err("the ID token has expired");
    }
    let issued = now.saturating_sub(AGE_SECS_MAX)..=now.saturating_add(SKEW_SECS);
    if seconds("iat").is_none_or(|iat| !issued.contains(&iat)) {
        return Err("the ID token was not issued now");
    }
    if claims.get("nbf").is_some_and(|nbf| nbf.as_i64().is_none_or(|nbf| nbf > now.saturating_add(SKEW_SECS))) {
        return Err("the ID token is not valid yet");
    }
    let is_of_request =
        |wanted: &str| text("nonce").is_some_and(|it| secrets_are_equal(it.as_bytes(), wanted.as_bytes()));
    if expected.nonce.is_some_and(|wanted| !is_of_request(wanted)) {
        return Err("the ID token belongs to another request");
    }
    if !settings.acr_values.is_empty() && !settings.acr_values.iter().any(|acr| text("acr") == Some(acr)) {
        return Err("the authentication is not strong enough");
    }
    let oldest = expected.asked_at.saturating_sub(settings.max_age_secs.into()).saturating_sub(SKEW_SECS);
    let at = seconds("auth_time").filter(|at| (oldest..=now.saturating_add(SKEW_SECS)).contains(at));
    let at = at.and_then(|at| Timestamp::from_second(at).ok()).ok_or("the customer did not authenticate now")?;
    if !purpose::is_for(&claims, expected.purpose) {
        return Err("the customer authenticated for another purpose");
    }
    let customer = text(&settings.customer_claim).filter(|id| !id.is_empty() && id.len() <= CUSTOMER_BYTES_MAX);
    let customer = customer.ok_or("the ID token does not name the customer")?;
    Ok(AuthenticatedCustomer {
        psu: PsuId::new(customer),
        name: text("name").map(|name| name.chars().take(NAME_CHARS_MAX).collect()),
        at,
        factors: factors(claims.get("amr")),
    })
}

/// Whether the audience is this client alone. Another audience could use the token here.
pub(crate) fn is_only_audience(aud: Option<&Value>, client: &str) -> bool {
    match aud {
        Some(Value::String(only)) => only == client,
        Some(Value::Array(all)) => !all.is_empty() && all.iter().all(|one| one == client),
        _ => false,
    }
}

/// The authentication factors of the methods in `amr`, each once. Methods whose factor is not defined are left out. Source: RFC 8176
/// section 2.
fn factors(amr: Option<&Value>) -> Vec<AuthenticationFactor> {
    let methods = amr.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut factors: Vec<_> = methods
        .filter_map(|method| match method {
            "pwd" | "pin" | "kba" => Some(AuthenticationFactor::Knowledge),
            "otp" | "hwk" | "swk" | "pop" | "sc" | "sms" | "tel" => Some(AuthenticationFactor::Possession),
            "face" | "fpt" | "iris" | "retina" | "vbm" => Some(AuthenticationFactor::Inherence),
            _ => None,
        })
        .collect();
    factors.sort_unstable();
    factors.dedup();
    factors
}

#[cfg(test)]
mod tests;
