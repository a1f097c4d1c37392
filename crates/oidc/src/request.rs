//! The authentication request: a signed object, which is pushed if the provider accepts that and otherwise sent by the browser.
//!
//! Source: OpenID Connect Core 1.0 section 6, RFC 9101, RFC 9126, RFC 7636; FAPI 1.0 Advanced section 5.2.3.

use crate::client::Client;
use crate::discovery::ProviderMetadata;
use crate::error::ProviderError;
use crate::meters::ProviderCall;
use crate::purpose;
use crate::settings::OidcSettings;
use http::StatusCode;
use lombard_jose::{base64url, from_json, sha256};
use lombard_ports::identity::{AuthenticationPurpose, AuthenticationRequest, StartedLogin};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use url::Url;

/// The most bytes of the reference to a pushed request.
const REFERENCE_BYTES_MAX: usize = 512;

/// The stored state of a login, with which its answer is checked.
#[derive(Serialize, Deserialize)]
pub(crate) struct RedirectLoginState {
    pub nonce: String,
    /// The PKCE code verifier.
    pub verifier: String,
    /// When the request was made, in seconds since 1970.
    pub asked_at: i64,
}

#[derive(Deserialize)]
struct Pushed {
    request_uri: String,
}

/// Makes the request and returns the address to which the browser is sent.
pub(crate) async fn start_redirect_login(
    client: &Client,
    request: &AuthenticationRequest<'_>,
) -> Result<StartedLogin, ProviderError> {
    let metadata = client.metadata().await?;
    let secret = || base64url(&client.ids.random_secret());
    let state =
        RedirectLoginState { nonce: secret(), verifier: secret(), asked_at: client.clocks.wall_now().as_second() };
    let claims = claims(client, &metadata, request, &state);
    let object = client.sign("oauth-authz-req+jwt", claims).await?;
    let parameters = match metadata.pushed_endpoint(client.fetcher.has_certificate()) {
        Some(address) => {
            let form = vec![("client_id", client.settings.client_id.clone()), ("request", object)];
            let answer = client.post(ProviderCall::PushedRequest, address, form).await?;
            if answer.status != StatusCode::CREATED {
                return Err(ProviderError::Unusable("it does not take a pushed request"));
            }
            let pushed: Pushed =
                from_json(&answer.body).map_err(|_| ProviderError::Unusable("a pushed request has no reference"))?;
            if pushed.request_uri.len() > REFERENCE_BYTES_MAX {
                return Err(ProviderError::Unusable("the reference of a pushed request is too long"));
            }
            vec![("request_uri", pushed.request_uri)]
        }
        // OpenID Connect requires these parameters outside the object too.
        None => {
            vec![("response_type", "code".to_owned()), ("scope", client.settings.scopes.join(" ")), ("request", object)]
        }
    };
    let mut location = Url::parse(&metadata.authorization_endpoint)
        .map_err(|_| ProviderError::Unusable("its authorisation endpoint is no address"))?;
    location.query_pairs_mut().append_pair("client_id", &client.settings.client_id).extend_pairs(parameters);
    let memory = serde_json::to_string(&state).map_err(|_| ProviderError::Unusable("a login cannot be stored"))?;
    Ok(StartedLogin { location: location.into(), verification_state: memory })
}

fn claims(
    client: &Client,
    metadata: &ProviderMetadata,
    request: &AuthenticationRequest<'_>,
    login: &RedirectLoginState,
) -> Map<String, Value> {
    let settings = &client.settings;
    let claims: [(&str, Value); 11] = [
        ("iss", settings.client_id.as_str().into()),
        ("aud", settings.issuer.as_str().into()),
        ("client_id", settings.client_id.as_str().into()),
        ("response_type", "code".into()),
        ("redirect_uri", settings.redirect_uri.as_str().into()),
        ("scope", settings.scopes.join(" ").into()),
        ("state", request.state.into()),
        ("nonce", login.nonce.as_str().into()),
        ("code_challenge", base64url(&sha256(login.verifier.as_bytes()).0).into()),
        ("code_challenge_method", "S256".into()),
        ("max_age", settings.max_age_secs.into()),
    ];
    let mut claims = Map::from_iter(claims.map(|(name, value)| (name.to_owned(), value)));
    if let Some(psu) = request.hint {
        claims.insert("login_hint".to_owned(), psu.as_str().into());
    }
    insert_authentication_claims(settings, metadata, request.purpose, &mut claims);
    claims
}

/// Inserts the required strength and the purpose of the authentication, and the claims that the ID token must have about both.
pub(crate) fn insert_authentication_claims(
    settings: &OidcSettings,
    metadata: &ProviderMetadata,
    purpose: &AuthenticationPurpose,
    parameters: &mut Map<String, Value>,
) {
    // Name and methods are requested as optional claims, because a provider may leave out claims that are not requested.
    let mut wanted = Map::from_iter([("name".to_owned(), Value::Null), ("amr".to_owned(), Value::Null)]);
    wanted.insert("auth_time".to_owned(), json!({ "essential": true }));
    if settings.customer_claim != "sub" {
        wanted.insert(settings.customer_claim.clone(), json!({ "essential": true }));
    }
    if !settings.acr_values.is_empty() {
        parameters.insert("acr_values".to_owned(), settings.acr_values.join(" ").into());
        wanted.insert("acr".to_owned(), json!({ "essential": true, "values": settings.acr_values }));
    }
    if let Some(claim) = purpose::claim(purpose, &settings.details_type, metadata) {
        purpose::ask(claim, parameters, &mut wanted);
    }
    parameters.insert("claims".to_owned(), json!({ "id_token": wanted }));
}
