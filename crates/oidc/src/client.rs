//! What the calls of a provider share: settings, keys, and the provider's documents.

use crate::cached::Cached;
use crate::discovery::{self, ProviderMetadata};
use crate::error::{ProviderError, SetupError};
use crate::fetch::Fetcher;
use crate::settings::{ClientTls, OidcSettings};
use lombard_jose::{KeySet, SigningKey, SigningPool};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use std::sync::Arc;

/// Requests and assertions that wait for a signature at most.
const SIGNATURES_QUEUED_MAX: usize = 256;

/// The client of a provider, with what it keeps of it.
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

    /// What the provider says of itself.
    pub(crate) async fn metadata(&self) -> Result<Arc<ProviderMetadata>, ProviderError> {
        let fetch = async || discovery::fetch(&self.fetcher, &self.settings).await;
        self.metadata.value(self.clocks.wall_now(), |_| true, fetch).await
    }

    /// The provider's keys, asked for again if none has this id.
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
}
