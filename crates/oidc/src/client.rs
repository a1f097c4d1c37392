//! The state that all calls of a provider share: settings, keys, and the provider's documents.

use crate::cached::Cached;
use crate::discovery::{self, ProviderMetadata};
use crate::error::{ProviderError, SetupError};
use crate::fetch::{Fetched, Fetcher};
use crate::meters::ProviderCall;
use crate::settings::{ClientTls, OidcSettings, key_id};
use lombard_domain::ids::KeyId;
use lombard_jose::{JoseHeader, KeySet, SigningKey, SigningPool};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use serde_json::{Map, Value};
use std::sync::Arc;

/// How long a request object and a client assertion are valid, in seconds.
const VALID_SECS: i64 = 300;
/// The most requests and assertions that wait for a signature.
const SIGNATURES_QUEUED_MAX: usize = 256;

/// The client of a provider, with the cached documents of the provider.
pub(crate) struct Client {
    pub settings: OidcSettings,
    pub key: Arc<SigningKey>,
    pub pool: SigningPool,
    pub fetcher: Fetcher,
    pub clocks: Clocks,
    pub ids: IdGenerator,
    metadata: Cached<ProviderMetadata>,
    keys: Cached<KeySet>,
}

impl Client {
    pub(crate) fn new(
        settings: OidcSettings,
        key: SigningKey,
        tls: ClientTls,
        clocks: Clocks,
        ids: IdGenerator,
    ) -> Result<Self, SetupError> {
        Ok(Self {
            fetcher: Fetcher::new(&settings, tls)?,
            settings,
            key: Arc::new(key),
            pool: SigningPool::new(1, SIGNATURES_QUEUED_MAX),
            clocks,
            ids,
            metadata: Cached::default(),
            keys: Cached::default(),
        })
    }

    /// The metadata of the provider.
    pub(crate) async fn metadata(&self) -> Result<Arc<ProviderMetadata>, ProviderError> {
        let fetch = async || discovery::fetch(&self.fetcher, &self.settings).await;
        self.metadata.value(self.clocks.wall_now(), |_| true, fetch).await
    }

    /// The provider's keys, which are fetched again if none has this id.
    pub(crate) async fn keys(
        &self,
        metadata: &ProviderMetadata,
        kid: Option<&str>,
    ) -> Result<Arc<KeySet>, ProviderError> {
        let is_known =
            |keys: &KeySet| kid.is_none_or(|kid| keys.iter().any(|key| key.id().is_some_and(|id| id.as_str() == kid)));
        let fetch = async || discovery::fetch_keys(&self.fetcher, metadata).await;
        self.keys.value(self.clocks.wall_now(), is_known, fetch).await
    }

    /// Sends a form, with the parameters that authenticate the server, to an endpoint of the provider.
    pub(crate) async fn post(
        &self,
        call: ProviderCall,
        endpoint: &str,
        mut form: Vec<(&'static str, String)>,
    ) -> Result<Fetched, ProviderError> {
        form.extend(self.authentication().await?);
        let borrowed: Vec<_> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.fetcher.post_form(call, endpoint, &borrowed).await
    }

    /// The parameters that authenticate the server at the provider's endpoints: a new assertion, or none if it authenticates by its
    /// certificate.
    ///
    /// Source: OpenID Connect Core 1.0 section 9, RFC 8705 section 2.
    async fn authentication(&self) -> Result<Vec<(&'static str, String)>, ProviderError> {
        if self.fetcher.has_certificate() {
            return Ok(Vec::new());
        }
        let id = &self.settings.client_id;
        let claims = [("iss", id), ("sub", id), ("aud", &self.settings.issuer)];
        let claims = claims.map(|(name, value)| (name.to_owned(), Value::from(value.as_str())));
        let assertion = self.sign("JWT", claims.into_iter().collect()).await?;
        Ok(vec![
            ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer".to_owned()),
            ("client_assertion", assertion),
        ])
    }

    /// Signs claims with a short lifetime and a new `jti`, so that the JWT can be used once.
    pub(crate) async fn sign(&self, typ: &str, mut claims: Map<String, Value>) -> Result<String, ProviderError> {
        let now = self.clocks.wall_now().as_second();
        for (name, value) in [("iat", now), ("nbf", now), ("exp", now.saturating_add(VALID_SECS))] {
            claims.insert(name.to_owned(), value.into());
        }
        claims.insert("jti".to_owned(), self.ids.random_id().to_string().into());
        let header = JoseHeader::ps256(&KeyId::from(key_id(self.key.public()))).typ(typ);
        let payload = Value::Object(claims).to_string().into_bytes();
        Ok(self.pool.sign_compact("identity", self.key.clone(), header, payload).await?)
    }
}
