//! The authentication request: a signed object, pushed where the provider takes that, otherwise carried by the browser.
//!
//! Source: OpenID Connect Core 1.0 section 6, RFC 9101, RFC 9126, RFC 7636; FAPI 1.0 Advanced section 5.2.3.

use crate::client::Client;
use crate::discovery::ProviderMetadata;
use crate::error::ProviderError;
use crate::purpose;
use crate::settings::{OidcSettings, key_id};
use http::StatusCode;
use lombard_domain::ids::KeyId;
use lombard_jose::{JoseHeader, base64url, from_json, sha256};
use lombard_ports::identity::{AuthenticationPurpose, AuthenticationRequest, StartedLogin};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use url::Url;

/// How long a request object and a client assertion are valid, in seconds.
const VALID_SECS: i64 = 300;

/// The longest reference of a pushed request.
const REFERENCE_BYTES_MAX: usize = 512;

/// What the answer is checked with; the server stores it.
#[derive(Serialize, Deserialize)]
pub(crate) struct Memory {
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

/// Makes the request and says where the browser is sent.
pub(crate) async fn start(client: &Client, request: &AuthenticationRequest<'_>) -> Result<StartedLogin, ProviderError> {
    let metadata = client.metadata().await?;
    let secret = || base64url(&client.ids.random_secret());
    let memory = Memory { nonce: secret(), verifier: secret(), asked_at: client.clocks.wall_now().as_second() };
    let claims = claims(client, &metadata, request, &memory);
    let object = sign(client, "oauth-authz-req+jwt", claims).await?;
    let parameters = match metadata.pushed_endpoint(client.fetcher.has_certificate()) {
        Some(address) => {
            let mut form = vec![("client_id", client.settings.client_id.clone()), ("request", object)];
            form.extend(authentication(client).await?);
            let borrowed: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let answer = client.fetcher.post_form(address, &borrowed).await?;
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
        // OpenID Connect requires these outside the object too.
        None => {
            vec![("response_type", "code".to_owned()), ("scope", client.settings.scopes.join(" ")), ("request", object)]
        }
    };
    let mut location = Url::parse(&metadata.authorization_endpoint)
        .map_err(|_| ProviderError::Unusable("its authorisation endpoint is no address"))?;
    location.query_pairs_mut().append_pair("client_id", &client.settings.client_id).extend_pairs(parameters);
    let memory = serde_json::to_string(&memory).map_err(|_| ProviderError::Unusable("a login cannot be stored"))?;
    Ok(StartedLogin { location: location.into(), memory })
}

fn claims(
    client: &Client,
    metadata: &ProviderMetadata,
    request: &AuthenticationRequest<'_>,
    memory: &Memory,
) -> Map<String, Value> {
    let settings = &client.settings;
    let mut claims = Map::new();
    let mut say = |name: &str, value: Value| claims.insert(name.to_owned(), value);
    say("iss", settings.client_id.as_str().into());
    say("aud", settings.issuer.as_str().into());
    say("client_id", settings.client_id.as_str().into());
    say("response_type", "code".into());
    say("redirect_uri", settings.redirect_uri.as_str().into());
    say("scope", settings.scopes.join(" ").into());
    say("state", request.state.into());
    say("nonce", memory.nonce.as_str().into());
    say("code_challenge", base64url(&sha256(memory.verifier.as_bytes()).0).into());
    say("code_challenge_method", "S256".into());
    say("max_age", settings.max_age_secs.into());
    if let Some(psu) = request.hint {
        say("login_hint", psu.as_str().into());
    }
    say_authentication(settings, metadata, request.purpose, &mut claims);
    claims
}

/// Says how strong the authentication must be, what it is for, and what the ID token must tell of both.
pub(crate) fn say_authentication(
    settings: &OidcSettings,
    metadata: &ProviderMetadata,
    purpose: &AuthenticationPurpose,
    parameters: &mut Map<String, Value>,
) {
    // Names and methods are used if they are told, so they are asked for too: a provider leaves out what nobody asks for.
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

/// How the server authenticates at the provider's endpoints: a fresh assertion, or nothing beside its certificate.
///
/// Source: OpenID Connect Core 1.0 section 9, RFC 8705 section 2.
pub(crate) async fn authentication(client: &Client) -> Result<Vec<(&'static str, String)>, ProviderError> {
    if client.fetcher.has_certificate() {
        return Ok(Vec::new());
    }
    let id = &client.settings.client_id;
    let claims = [("iss", id), ("sub", id), ("aud", &client.settings.issuer)];
    let claims = claims.map(|(name, value)| (name.to_owned(), Value::from(value.as_str())));
    let assertion = sign(client, "JWT", claims.into_iter().collect()).await?;
    Ok(vec![
        ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer".to_owned()),
        ("client_assertion", assertion),
    ])
}

/// Signs claims, valid for a moment and once.
pub(crate) async fn sign(client: &Client, typ: &str, mut claims: Map<String, Value>) -> Result<String, ProviderError> {
    let now = client.clocks.wall_now().as_second();
    for (name, value) in [("iat", now), ("nbf", now), ("exp", now.saturating_add(VALID_SECS))] {
        claims.insert(name.to_owned(), value.into());
    }
    claims.insert("jti".to_owned(), client.ids.random_id().to_string().into());
    let header = JoseHeader::ps256(&KeyId::from(key_id(client.key.public()))).typ(typ);
    let payload = Value::Object(claims).to_string().into_bytes();
    Ok(client.pool.sign_compact("identity", client.key.clone(), header, payload).await?)
}
