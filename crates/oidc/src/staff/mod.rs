//! The login of the bank's staff at its OpenID provider: code with PKCE and a client secret, and access tokens of programs.
//!
//! Source: OpenID Connect Core 1.0 sections 3.1 and 9, RFC 7636, RFC 9068.

mod claims;
mod settings;

pub use settings::StaffOidcSettings;

use crate::answer;
use crate::cached::Cached;
use crate::discovery::{self, ProviderMetadata};
use crate::error::{ProviderError, SetupError};
use crate::fetch::Fetcher;
use crate::meters::ProviderCall;
use crate::settings::ClientTls;
use async_trait::async_trait;
use claims::{StaffClaims, read_access_token, read_id_token};
use http::StatusCode;
use lombard_domain::staff::StaffMember;
use lombard_jose::{CompactJws, KeySet, base64url, from_json, sha256};
use lombard_ports::clock::Clocks;
use lombard_ports::identity::{IdentityError, LoginFailure, ProviderAnswer};
use lombard_ports::staff::{StaffLoginSecrets, StaffProvider};
use serde::Deserialize;
use std::fmt;
use std::sync::Arc;
use url::Url;

/// The most bytes of a token.
const TOKEN_BYTES_MAX: usize = 16 * 1024;

/// The client of the provider of the bank's staff. Clones share its documents.
#[derive(Clone)]
pub struct StaffOidc(Arc<StaffClient>);

struct StaffClient {
    settings: StaffOidcSettings,
    fetcher: Fetcher,
    clocks: Clocks,
    metadata: Cached<ProviderMetadata>,
    keys: Cached<KeySet>,
}

impl fmt::Debug for StaffOidc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaffOidc").field("issuer", &self.0.settings.issuer).finish_non_exhaustive()
    }
}

/// The response of a token endpoint.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

impl StaffOidc {
    /// Makes a client with these settings. The provider is not called yet.
    ///
    /// # Errors
    /// [`SetupError`].
    pub fn new(settings: StaffOidcSettings, clocks: Clocks) -> Result<Self, SetupError> {
        let tls = ClientTls { anchors: settings.anchors.clone(), identity: None };
        let fetcher = Fetcher::with_limits(settings.timeout, settings.plain_loopback, tls)?;
        let (metadata, keys) = (Cached::default(), Cached::default());
        Ok(Self(Arc::new(StaffClient { settings, fetcher, clocks, metadata, keys })))
    }
}

impl StaffClient {
    async fn metadata(&self) -> Result<Arc<ProviderMetadata>, ProviderError> {
        let fetch = async || discovery::fetch_of_issuer(&self.fetcher, &self.settings.issuer).await;
        self.metadata.value(self.clocks.wall_now(), |_| true, fetch).await
    }

    /// The claims of a token that one of the provider's keys has signed.
    async fn verified(&self, token: &str) -> Result<CompactJws, ProviderError> {
        if token.len() > TOKEN_BYTES_MAX {
            return Err(ProviderError::Refused("the token is too long"));
        }
        let token = CompactJws::parse(token).map_err(|_| ProviderError::Refused("the token is malformed"))?;
        let metadata = self.metadata().await?;
        let kid = token.header().kid.as_deref();
        let is_known =
            |keys: &KeySet| kid.is_none_or(|kid| keys.iter().any(|key| key.id().is_some_and(|id| id.as_str() == kid)));
        let fetch = async || discovery::fetch_keys(&self.fetcher, &metadata).await;
        let keys = self.keys.value(self.clocks.wall_now(), is_known, fetch).await?;
        claims::verify(&token, &keys).map_err(ProviderError::Refused)?;
        Ok(token)
    }

    async fn authorisation_url(&self, secrets: &StaffLoginSecrets) -> Result<String, ProviderError> {
        let metadata = self.metadata().await?;
        let mut location = Url::parse(&metadata.authorization_endpoint)
            .map_err(|_| ProviderError::Unusable("its authorisation endpoint is no address"))?;
        location
            .query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client_id)
            .append_pair("redirect_uri", &self.settings.redirect_uri)
            .append_pair("scope", &self.settings.scopes.join(" "))
            .append_pair("state", &secrets.state)
            .append_pair("nonce", &secrets.nonce)
            .append_pair("code_challenge", &base64url(&sha256(secrets.verifier.as_bytes()).0))
            .append_pair("code_challenge_method", "S256");
        Ok(location.into())
    }

    async fn finish(&self, secrets: &StaffLoginSecrets, answer: &ProviderAnswer) -> Result<StaffMember, ProviderError> {
        let metadata = self.metadata().await?;
        let code = answer::code(answer, &self.settings.issuer, &metadata)?;
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", self.settings.redirect_uri.as_str()),
            ("code_verifier", secrets.verifier.as_str()),
            ("client_id", self.settings.client_id.as_str()),
            ("client_secret", self.settings.client_secret.as_str()),
        ];
        let fetched = self.fetcher.post_form(ProviderCall::Token, metadata.token_endpoint(false), &form).await?;
        match fetched.status {
            StatusCode::OK => {}
            StatusCode::BAD_REQUEST => return Err(ProviderError::Refused("the provider does not take the code")),
            _ => return Err(ProviderError::Unusable("its token endpoint answers with an error")),
        }
        let tokens: Tokens = from_json(&fetched.body).map_err(|_| ProviderError::Refused("there is no ID token"))?;
        let token = self.verified(&tokens.id_token).await?;
        read_id_token(&token, &self.expected(), &secrets.nonce).map_err(ProviderError::Refused)
    }

    async fn verify_access_token(&self, token: &str) -> Result<StaffMember, ProviderError> {
        let token = self.verified(token).await?;
        read_access_token(&token, &self.expected()).map_err(ProviderError::Refused)
    }

    fn expected(&self) -> StaffClaims<'_> {
        StaffClaims { settings: &self.settings, now: self.clocks.wall_now() }
    }
}

#[async_trait]
impl StaffProvider for StaffOidc {
    async fn authorisation_url(&self, secrets: &StaffLoginSecrets) -> Result<String, IdentityError> {
        Ok(self.0.authorisation_url(secrets).await?)
    }

    async fn finish_login(
        &self,
        secrets: &StaffLoginSecrets,
        answer: &ProviderAnswer,
    ) -> Result<StaffMember, LoginFailure> {
        Ok(self.0.finish(secrets, answer).await?)
    }

    async fn verify_access_token(&self, token: &str) -> Result<StaffMember, LoginFailure> {
        Ok(self.0.verify_access_token(token).await?)
    }
}
