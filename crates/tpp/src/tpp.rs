//! A TPP client: the TPP's folder, the bank's URLs and the connections.

use crate::folder::parse_certificates;
use crate::{
    Discovery, Endpoints, ExchangeObserver, HttpCall, HttpExchange, Protocol, TlsIdentity, TppError, TppFolder,
    Transport,
};
use http::StatusCode;
use jiff::Timestamp;
use lombard_domain::ids::ClientId;
use lombard_domain::version::Version;
use lombard_jose::KeySet;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use rustls_pki_types::CertificateDer;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::{Mutex, OnceCell};

/// A TPP client, which can send requests. Clones share connections and cached documents.
#[derive(Debug, Clone)]
pub struct Tpp {
    /// The contents of the TPP's folder.
    pub folder: Arc<TppFolder>,
    /// The bank's URLs.
    pub endpoints: Endpoints,
    /// The version of the standard that the TPP calls.
    pub version: Version,
    pub(crate) clocks: Clocks,
    pub(crate) ids: IdGenerator,
    anchors: Arc<[CertificateDer<'static>]>,
    observer: Option<ExchangeObserver>,
    transport: Transport,
    discovery: Arc<OnceCell<Discovery>>,
    pub(crate) known_keys: Arc<Mutex<Option<KeySet>>>,
}

impl Tpp {
    /// Opens the TPP of this name in the data folder of a running server. The TPP calls v3.1.
    ///
    /// # Errors
    /// [`TppError::File`] naming the unusable file, or [`TppError::Tls`] for an unusable certificate.
    pub fn open(
        data_dir: &Path,
        name: &str,
        clocks: Clocks,
        ids: IdGenerator,
        observer: Option<ExchangeObserver>,
    ) -> Result<Self, TppError> {
        Self::with_folder(data_dir, TppFolder::read_folder(&data_dir.join("tpps").join(name))?, clocks, ids, observer)
    }

    /// Opens a TPP that may not be registered yet. Before its registration, the TPP can only register.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_unregistered(
        data_dir: &Path,
        name: &str,
        clocks: Clocks,
        ids: IdGenerator,
        observer: Option<ExchangeObserver>,
    ) -> Result<Self, TppError> {
        let folder = TppFolder::read_unregistered(&data_dir.join("tpps").join(name))?;
        Self::with_folder(data_dir, folder, clocks, ids, observer)
    }

    /// Returns the same TPP with this client id.
    #[must_use]
    pub fn registered_as(&self, client: ClientId) -> Self {
        let mut folder = (*self.folder).clone();
        folder.details.client_id = client;
        self.with_files(folder)
    }

    /// Returns the same TPP on the same connections, with other ids and another signing key.
    #[must_use]
    pub fn with_files(&self, folder: TppFolder) -> Self {
        Self { folder: Arc::new(folder), ..self.clone() }
    }

    fn with_folder(
        data_dir: &Path,
        folder: TppFolder,
        clocks: Clocks,
        ids: IdGenerator,
        observer: Option<ExchangeObserver>,
    ) -> Result<Self, TppError> {
        let endpoints = Endpoints::read_file(data_dir)?;
        let anchors = parse_certificates(&data_dir.join("ca.pem"))?;
        let transport = Transport::new(&anchors, Some(&folder.identity), Protocol::Any, observer.clone())?;
        Ok(Self {
            folder: Arc::new(folder),
            endpoints,
            version: Version::V3_1,
            clocks,
            ids,
            anchors: anchors.into(),
            observer,
            transport,
            discovery: Arc::default(),
            known_keys: Arc::default(),
        })
    }

    /// Returns the same TPP on a new connection with another client certificate, or without one.
    ///
    /// # Errors
    /// [`TppError::Tls`] for an unusable certificate.
    pub fn with_certificate(&self, identity: Option<&TlsIdentity>, protocol: Protocol) -> Result<Self, TppError> {
        let transport = Transport::new(&self.anchors, identity, protocol, self.observer.clone())?;
        Ok(Self { transport, ..self.clone() })
    }

    /// Returns the same TPP for calls of another version of the standard.
    #[must_use]
    pub fn with_version(&self, version: Version) -> Self {
        Self { version, ..self.clone() }
    }

    /// The present time of the TPP's clock.
    pub fn now(&self) -> Timestamp {
        self.clocks.wall_now()
    }

    /// The client id of the TPP.
    pub fn client_id(&self) -> &ClientId {
        &self.folder.details.client_id
    }

    /// The default redirect URI of the TPP.
    ///
    /// # Errors
    /// [`TppError::Answer`] if none is registered.
    pub fn redirect_uri(&self) -> Result<&str, TppError> {
        let first = self.folder.details.redirect_uris.first();
        first.map(String::as_str).ok_or_else(|| TppError::Answer("tpp.json lists no redirect URI".to_owned()))
    }

    /// Sends a call and reads the whole response.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn send(&self, call: HttpCall) -> Result<HttpExchange, TppError> {
        self.transport.send(call).await
    }

    /// The discovery document. It is fetched once, and its issuer is compared with the issuer in `endpoints.json`. Source: AS-001, AS-002.
    ///
    /// # Errors
    /// [`TppError`] if it cannot be fetched or names another issuer.
    pub async fn discovery(&self) -> Result<&Discovery, TppError> {
        self.discovery.get_or_try_init(|| self.discover()).await
    }

    async fn discover(&self) -> Result<Discovery, TppError> {
        let exchange = self.send(HttpCall::get(&self.endpoints.well_known)).await?.expect_status(StatusCode::OK)?;
        let document: Discovery = serde_json::from_slice(&exchange.body)
            .map_err(|error| TppError::Answer(format!("the discovery document: {error}")))?;
        if document.issuer == self.endpoints.issuer {
            Ok(document)
        } else {
            Err(TppError::Answer(format!("the discovery document names another issuer: {}", document.issuer)))
        }
    }

    /// Fetches the bank's published keys. Source: AS-007.
    ///
    /// # Errors
    /// [`TppError`] if they cannot be fetched or parsed.
    pub async fn bank_keys(&self) -> Result<KeySet, TppError> {
        let exchange =
            self.send(HttpCall::get(&self.discovery().await?.jwks_uri)).await?.expect_status(StatusCode::OK)?;
        KeySet::parse(&exchange.text()).map_err(|error| TppError::Answer(format!("the bank's keys: {error}")))
    }
}
