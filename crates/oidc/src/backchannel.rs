//! Logins over the provider's backchannel: the provider asks the customer on the customer's device, and the server polls for the ID token.
//!
//! Source: OpenID Connect Client-Initiated Backchannel Authentication Flow Core 1.0, poll mode.

use crate::client::Client;
use crate::error::ProviderError;
use crate::id_token::{TokenRequestFacts, read_id_token};
use crate::meters::ProviderCall;
use crate::request::insert_authentication_claims;
use http::StatusCode;
use lombard_jose::from_json;
use lombard_ports::identity::{AuthenticationPurpose, DecoupledProgress, DecoupledRequest, PendingDecoupledLogin};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The grant type of a poll.
const GRANT_TYPE: &str = "urn:openid:params:grant-type:ciba";
/// The interval of a provider that names none, seconds.
const INTERVAL_SECS: i64 = 5;
/// The longest first interval that a provider may demand, seconds.
const INTERVAL_SECS_MAX: i64 = 60;
/// Seconds added to the interval after `slow_down`.
const SLOWER_BY_SECS: i64 = 5;
/// The most bytes of the provider's reference to a login.
const REFERENCE_BYTES_MAX: usize = 2_048;

/// The stored state of a login: the reference for polls, and the values that the answer is checked with.
#[derive(Serialize, Deserialize)]
struct DecoupledLoginState {
    auth_req_id: String,
    /// When the login was requested, in seconds since 1970.
    asked_at: i64,
    /// The shortest time between two polls, seconds.
    interval_secs: i64,
}

impl DecoupledLoginState {
    fn pending(&self) -> Result<PendingDecoupledLogin, ProviderError> {
        let memory = serde_json::to_string(self).map_err(|_| ProviderError::Unusable("a login cannot be stored"))?;
        Ok(PendingDecoupledLogin { verification_state: memory, interval_secs: self.interval_secs })
    }
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

/// Asks the provider to authenticate the customer. Once the request may have been sent, every failure counts as a refusal, because it is
/// not known whether the customer was asked.
pub(crate) async fn start_device_login(
    client: &Client,
    request: &DecoupledRequest<'_>,
) -> Result<PendingDecoupledLogin, ProviderError> {
    let metadata = client.metadata().await?;
    let settings = &client.settings;
    let endpoint = metadata.backchannel_endpoint(client.fetcher.has_certificate());
    let endpoint = endpoint.ok_or(ProviderError::Unusable("its metadata name no backchannel endpoint"))?;
    let claims: [(&str, Value); 5] = [
        ("iss", settings.client_id.as_str().into()),
        ("aud", settings.issuer.as_str().into()),
        ("scope", settings.scopes.join(" ").into()),
        ("login_hint", request.customer.as_str().into()),
        ("requested_expiry", request.expiry_secs.into()),
    ];
    let mut claims = Map::from_iter(claims.map(|(name, value)| (name.to_owned(), value)));
    if let Some(message) = request.binding_message {
        claims.insert("binding_message".to_owned(), message.into());
    }
    insert_authentication_claims(settings, &metadata, request.purpose, &mut claims);
    let asked_at = client.clocks.wall_now().as_second();
    let object = client.sign("JWT", claims).await?;
    let form = vec![("client_id", settings.client_id.clone()), ("request", object)];
    let answer = client.post(ProviderCall::Backchannel, endpoint, form).await.map_err(ProviderError::unless_unsent)?;
    match answer.status {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN => {
            return Err(ProviderError::Refused("the provider does not ask this customer"));
        }
        _ => return Err(ProviderError::Refused("the provider's backchannel endpoint answers with an error")),
    }
    let accepted: Accepted =
        from_json(&answer.body).map_err(|_| ProviderError::Refused("a login over the backchannel has no reference"))?;
    if accepted.auth_req_id.len() > REFERENCE_BYTES_MAX {
        return Err(ProviderError::Refused("the reference of a login over the backchannel is too long"));
    }
    let interval_secs = accepted.interval.unwrap_or(INTERVAL_SECS).clamp(1, INTERVAL_SECS_MAX);
    DecoupledLoginState { auth_req_id: accepted.auth_req_id, asked_at, interval_secs }.pending()
}

/// Polls the provider for the state of the login.
pub(crate) async fn poll_device_login(
    client: &Client,
    memory: &str,
    purpose: &AuthenticationPurpose,
) -> Result<DecoupledProgress, ProviderError> {
    let state: DecoupledLoginState =
        serde_json::from_str(memory).map_err(|_| ProviderError::Unusable("a stored login cannot be read"))?;
    let metadata = client.metadata().await?;
    let endpoint = metadata.token_endpoint(client.fetcher.has_certificate());
    let form = vec![
        ("grant_type", GRANT_TYPE.to_owned()),
        ("auth_req_id", state.auth_req_id.clone()),
        ("client_id", client.settings.client_id.clone()),
    ];
    let answer = client.post(ProviderCall::Token, endpoint, form).await?;
    match answer.status {
        StatusCode::OK => {}
        StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN => return read_refusal(&answer.body, state),
        _ => return Err(ProviderError::Unusable("its token endpoint answers with an error")),
    }
    // The request has no nonce, because the token is fetched by a reference that only this server has.
    let asked = TokenRequestFacts { nonce: None, asked_at: state.asked_at, purpose };
    read_id_token(client, &metadata, &answer.body, &asked).await.map(DecoupledProgress::Authenticated)
}

/// Reads the state of the login from an error response to a poll. Source: CIBA Core section 11.
fn read_refusal(body: &[u8], mut state: DecoupledLoginState) -> Result<DecoupledProgress, ProviderError> {
    let Refusal { error } = from_json(body).map_err(|_| ProviderError::Unusable("its error cannot be read"))?;
    match error.as_str() {
        "authorization_pending" => state.pending().map(DecoupledProgress::Pending),
        "slow_down" => {
            state.interval_secs = state.interval_secs.saturating_add(SLOWER_BY_SECS);
            state.pending().map(DecoupledProgress::Pending)
        }
        "access_denied" => Err(ProviderError::Cancelled),
        "expired_token" => Ok(DecoupledProgress::Unanswered("the login expired at the provider")),
        _ => Ok(DecoupledProgress::Unanswered("the provider does not know the login any more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(error: &str, state: DecoupledLoginState) -> Result<DecoupledProgress, ProviderError> {
        read_refusal(format!(r#"{{"error":"{error}"}}"#).as_bytes(), state)
    }

    #[test]
    fn as_160_slow_down_lengthens_every_interval_after_it() {
        let mut state = DecoupledLoginState { auth_req_id: "login".to_owned(), asked_at: 1, interval_secs: 58 };
        for (error, interval_secs) in
            [("authorization_pending", 58), ("slow_down", 63), ("authorization_pending", 63), ("slow_down", 68)]
        {
            let Ok(DecoupledProgress::Pending(pending)) = refused(error, state) else { panic!("{error} is pending") };
            assert_eq!(pending.interval_secs, interval_secs, "{error}");
            state = serde_json::from_str(&pending.verification_state).unwrap();
        }
    }

    #[test]
    fn as_160_only_the_customer_refuses() {
        let state = || DecoupledLoginState { auth_req_id: "login".to_owned(), asked_at: 1, interval_secs: 5 };
        assert!(matches!(refused("access_denied", state()), Err(ProviderError::Cancelled)));
        for error in ["expired_token", "invalid_grant", "unauthorized_client"] {
            assert!(matches!(refused(error, state()), Ok(DecoupledProgress::Unanswered(_))), "{error}");
        }
    }
}
