//! The provider's backchannel: it reaches the customer on a device of theirs, and is polled for the ID token.
//!
//! Source: OpenID Connect Client-Initiated Backchannel Authentication Flow Core 1.0, poll mode.

use crate::client::Client;
use crate::error::ProviderError;
use crate::id_token::{ExpectedToken, check};
use crate::purpose;
use crate::request::{authentication, say_authentication, sign};
use http::StatusCode;
use lombard_jose::{CompactJws, from_json};
use lombard_ports::identity::{AuthenticationPurpose, DecoupledProgress, DecoupledRequest, StartedDecoupledLogin};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The grant type of a poll.
const GRANT_TYPE: &str = "urn:openid:params:grant-type:ciba";
/// The interval of a provider that names none, seconds.
const INTERVAL_SECS: i64 = 5;
/// The longest interval that a provider may ask for, seconds.
const INTERVAL_SECS_MAX: i64 = 60;
/// By how much later a provider is polled that says so, seconds.
const SLOWER_BY_SECS: i64 = 5;
/// The longest reference of a login at the provider.
const REFERENCE_BYTES_MAX: usize = 2_048;

/// What the provider is polled with, and what its answer is checked with.
#[derive(Serialize, Deserialize)]
struct Memory {
    auth_req_id: String,
    /// When the login was asked for, in seconds since 1970.
    asked_at: i64,
    /// The least seconds between two polls.
    interval_secs: i64,
}

#[derive(Deserialize)]
struct Accepted {
    auth_req_id: String,
    interval: Option<i64>,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

/// Asks the provider to authenticate the customer.
pub(crate) async fn start(
    client: &Client,
    request: &DecoupledRequest<'_>,
) -> Result<StartedDecoupledLogin, ProviderError> {
    let metadata = client.metadata().await?;
    let settings = &client.settings;
    let endpoint = metadata.backchannel_endpoint(client.fetcher.has_certificate());
    let endpoint = endpoint.ok_or(ProviderError::Unusable("its metadata name no backchannel endpoint"))?;
    let mut claims = Map::new();
    let mut say = |name: &str, value: Value| claims.insert(name.to_owned(), value);
    say("iss", settings.client_id.as_str().into());
    say("aud", settings.issuer.as_str().into());
    say("scope", settings.scopes.join(" ").into());
    say("login_hint", request.customer.as_str().into());
    say("requested_expiry", request.expiry_secs.into());
    if let Some(message) = request.binding_message {
        say("binding_message", message.into());
    }
    say_authentication(settings, &metadata, request.purpose, &mut claims);
    let asked_at = client.clocks.wall_now().as_second();
    let object = sign(client, "JWT", claims).await?;
    let form = vec![("client_id", settings.client_id.clone()), ("request", object)];
    let answer = post(client, endpoint, form).await?;
    match answer.status {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN => {
            return Err(ProviderError::Refused("the provider does not ask this customer"));
        }
        _ => return Err(ProviderError::Unusable("its backchannel endpoint answers with an error")),
    }
    let accepted: Accepted = from_json(&answer.body)
        .map_err(|_| ProviderError::Unusable("a login over the backchannel has no reference"))?;
    if accepted.auth_req_id.len() > REFERENCE_BYTES_MAX {
        return Err(ProviderError::Unusable("the reference of a login over the backchannel is too long"));
    }
    let interval_secs = accepted.interval.unwrap_or(INTERVAL_SECS).clamp(1, INTERVAL_SECS_MAX);
    let memory = Memory { auth_req_id: accepted.auth_req_id, asked_at, interval_secs };
    let memory = serde_json::to_string(&memory).map_err(|_| ProviderError::Unusable("a login cannot be stored"))?;
    Ok(StartedDecoupledLogin { memory, interval_secs })
}

/// Asks the provider how the login stands.
pub(crate) async fn poll(
    client: &Client,
    memory: &str,
    for_purpose: &AuthenticationPurpose,
) -> Result<DecoupledProgress, ProviderError> {
    let Memory { auth_req_id, asked_at, interval_secs } =
        serde_json::from_str(memory).map_err(|_| ProviderError::Unusable("a stored login cannot be read"))?;
    let metadata = client.metadata().await?;
    let endpoint = metadata.token_endpoint(client.fetcher.has_certificate());
    let client_id = client.settings.client_id.clone();
    let form = vec![("grant_type", GRANT_TYPE.to_owned()), ("auth_req_id", auth_req_id), ("client_id", client_id)];
    let answer = post(client, endpoint, form).await?;
    match answer.status {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN => return refused(&answer.body, interval_secs),
        _ => return Err(ProviderError::Unusable("its token endpoint answers with an error")),
    }
    let tokens: Tokens = from_json(&answer.body).map_err(|_| ProviderError::Refused("there is no ID token"))?;
    let token = CompactJws::parse(&tokens.id_token).map_err(|_| ProviderError::Refused("the ID token is malformed"))?;
    let keys = client.keys(&metadata, token.header().kid.as_deref()).await?;
    let purpose = purpose::claim(for_purpose, &client.settings.details_type, &metadata);
    let expected = ExpectedToken {
        settings: &client.settings,
        // The request has none: the token comes by the reference that only this server has.
        nonce: None,
        asked_at,
        now: client.clocks.wall_now(),
        purpose: purpose.as_ref(),
    };
    check(&token, &keys, &expected).map(DecoupledProgress::Authenticated).map_err(ProviderError::Refused)
}

/// What a poll that brings no token says. Source: CIBA Core section 11.
fn refused(body: &[u8], interval_secs: i64) -> Result<DecoupledProgress, ProviderError> {
    let Refusal { error } = from_json(body).map_err(|_| ProviderError::Unusable("its error cannot be read"))?;
    match error.as_str() {
        "authorization_pending" => Ok(DecoupledProgress::Pending { after_secs: interval_secs }),
        "slow_down" => Ok(DecoupledProgress::Pending { after_secs: interval_secs.saturating_add(SLOWER_BY_SECS) }),
        "access_denied" | "expired_token" => Err(ProviderError::Cancelled),
        _ => Err(ProviderError::Refused("the provider does not know the login any more")),
    }
}

async fn post(
    client: &Client,
    endpoint: &str,
    mut form: Vec<(&'static str, String)>,
) -> Result<crate::fetch::Fetched, ProviderError> {
    form.extend(authentication(client).await?);
    let borrowed: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
    client.fetcher.post_form(endpoint, &borrowed).await
}
