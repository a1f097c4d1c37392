//! The operations of the ops listener, as a trait that the program implements.

use super::key_views::{
    KeyImportOrder, KeyListView, KeyRequestOrder, KeyRequestView, KeyRetirementOrder, KeyRetirementView, KeyView,
    SecretsResealed,
};
use super::tpp_views::{TppChange, TppListView, TppLoginView, TppView};
use async_trait::async_trait;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::ids::{ClientId, ConsentId, EventId, FapiInteractionId, KeyId};
use lombard_edge::request_log::{RequestPage, RequestQuery};
use lombard_ports::store::EventDetails;
use lombard_service::payments::vrp_migration::MigratedBatch;
use lombard_service::workers::QuarantineContents;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Why an operation was not done.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// It was asked for wrongly; the text says how.
    #[error("{0}")]
    Refused(String),
    /// It failed; the cause is in the log.
    #[error("the operation failed; the server's log says why")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// How a new TPP proves itself. Source: AS-020.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TppAuthentication {
    /// With a signed assertion.
    #[default]
    PrivateKeyJwt,
    /// With its transport certificate.
    TlsClientAuth,
}

/// A TPP to be made, as `lombard tpp create` asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTpp {
    /// The name of its folder.
    pub name: String,
    /// Its roles by name (`aisp`, `pisp`, `cbpii`); all of them if none is named.
    #[serde(default)]
    pub roles: Vec<String>,
    /// How it proves itself.
    #[serde(default)]
    pub auth: TppAuthentication,
    /// Where it is notified of answered backchannel requests (ping); otherwise it polls.
    #[serde(default)]
    pub notification_endpoint: Option<String>,
    /// Whether it may use backchannel authentication. Implied by a notification endpoint.
    #[serde(default)]
    pub ciba: bool,
    /// The customer in whose name its requests are answered at once.
    #[serde(default)]
    pub headless: Option<String>,
    /// The security profile by name (`fapi1`, `fapi2`, `fapi2-message-signing`); `fapi1` if none is named. Source: AS-154.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Where customers may be sent back to; the sandbox's usual addresses if none is given.
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// The form of its certificates.
    #[serde(default)]
    pub certificates: CertificateForm,
    /// The type of the key of its transport certificate.
    #[serde(default, skip_serializing_if = "TransportKeyType::is_usual")]
    pub transport_key: TransportKeyType,
    /// Whether it is not registered: it gets certificates and a software statement, and registers itself.
    #[serde(default)]
    pub unregistered: bool,
}

/// The form of a TPP's certificates. Source: DCR-052.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CertificateForm {
    /// OBWAC and OBSeal.
    #[default]
    Obwac,
    /// QWAC and QSealC.
    Qwac,
    /// The directory's former certificates.
    Legacy,
}

/// The type of the key of a TPP's transport certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransportKeyType {
    /// On the curve P-256.
    #[default]
    P256,
    /// RSA of 2048 bits.
    Rsa,
}

impl TransportKeyType {
    /// Whether it is the type that a TPP has unless another is asked for.
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A TPP that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppCreated {
    /// Its client id; absent if it is not registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
    /// The folder with its certificates and keys.
    pub folder: PathBuf,
}

/// A key that was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRotated {
    /// Its `kid`.
    pub kid: KeyId,
    /// When it starts to sign (wall clock, RFC 3339). Source: AS-008.
    pub active_from: String,
}

/// A key that was taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyWithdrawn {
    /// Its `kid`.
    pub kid: KeyId,
    /// The `kid` of the key that signs from now on.
    pub signs_now: KeyId,
}

/// The TLS files of the listeners, read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlsReloaded {
    /// Whether anything in them was new.
    pub changed: bool,
    /// The server certificates that are shown from now on.
    pub certificates: Vec<ServerCertificateView>,
    /// How many trust anchors of TPPs there are.
    pub tpp_anchors: usize,
    /// How many lists of revoked certificates there are.
    pub revocation_lists: usize,
}

/// A server certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerCertificateView {
    /// Its serial number, hexadecimal with colons.
    pub serial: String,
    /// The last instant of its validity (RFC 3339).
    pub not_after: String,
}

/// A batch of the migration.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VrpMigration {
    /// The client whose consents are migrated; those of all clients if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientId>,
    /// The consent after which the batch begins; the first one if absent.
    #[serde(default)]
    pub after: Option<ConsentId>,
    /// Whether nothing is to be stored.
    #[serde(default)]
    pub dry_run: bool,
}

/// What can be asked.
#[async_trait]
pub trait Operations: Send + Sync + fmt::Debug {
    /// What this node lacks to serve requests; empty when it is ready. The database, which all nodes share, is not part of it.
    fn missing(&self) -> Vec<&'static str>;

    /// Asks the database for an answer, on a connection that requests do not use.
    ///
    /// # Errors
    /// [`OperationError::Failed`] if the database does not answer.
    async fn database_answers(&self) -> Result<(), OperationError>;

    /// All metrics in Prometheus' text format.
    fn metrics(&self) -> String;

    /// All signing keys.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    async fn keys(&self) -> Result<KeyListView, OperationError>;

    /// Makes a request for the certificate of a signing key, or of a new one that waits for it. Source: AS-007.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such key.
    async fn key_request(&self, order: KeyRequestOrder) -> Result<KeyRequestView, OperationError>;

    /// Imports a certificate, the directory's id of a key, or a key. Source: AS-007, AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with what is wrong with it; nothing is changed then.
    async fn key_import(&self, order: KeyImportOrder) -> Result<KeyView, OperationError>;

    /// Seals every stored secret with the current key-encryption key, while nodes use them.
    ///
    /// # Errors
    /// [`OperationError::Failed`]; what was done is done.
    async fn keys_reseal(&self) -> Result<SecretsResealed, OperationError>;

    /// Plans when the key that signs stops. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if it does not sign, or the moment is too soon for its successor.
    async fn key_retire(&self, kid: &KeyId, order: KeyRetirementOrder) -> Result<KeyRetirementView, OperationError>;

    /// Adds a signing key that takes over after the overlap. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn keys_rotate(&self) -> Result<KeyRotated, OperationError>;

    /// Takes a signing key back at once, because it is no longer trusted. If it was the one that signs, a new key signs
    /// from now on. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such key.
    async fn key_withdraw(&self, kid: &KeyId) -> Result<KeyWithdrawn, OperationError>;

    /// Reads the files of the listeners' TLS again and uses them from now on. Files that cannot be used change nothing.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with the faults of the files; [`OperationError::Failed`].
    async fn tls_reload(&self) -> Result<TlsReloaded, OperationError>;

    /// Issues certificates for a TPP and registers it. Sandbox only.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn tpp_create(&self, order: NewTpp) -> Result<TppCreated, OperationError>;

    /// A page of the list of TPPs.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn tpps(&self, after: Option<ClientId>, limit: u32) -> Result<TppListView, OperationError>;

    /// The TPP with this client id, software id or name.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is none or there are several.
    async fn tpp(&self, name: &str) -> Result<TppView, OperationError>;

    /// Changes a TPP, for a reason that the audit line names. Source: AS-113, DCR-042.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such TPP, or the change is not allowed.
    async fn tpp_change(
        &self,
        name: &str,
        change: TppChange,
        reason: Option<String>,
    ) -> Result<TppView, OperationError>;

    /// Makes a one-time link by which a developer of the TPP with this name logs in to the portal.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such TPP, or it is not active.
    async fn tpp_login(&self, name: &str) -> Result<TppLoginView, OperationError>;

    /// The bank ends access to what a consent opens; the call is the cause of the event that tells it. Source: AIS-070,
    /// SET-016.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn consent_revoke(&self, id: &ConsentId, call: Option<&FapiInteractionId>) -> Result<(), OperationError>;

    /// The latest approvals of a consent before which the customer was shown a check of the payee or a warning, the newest first, and writes
    /// the audit line.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn consent_evidence(&self, id: &ConsentId) -> Result<Vec<EvidencedDecision>, OperationError>;

    /// How many polls for events this node holds.
    fn events_held(&self) -> usize;

    /// Events that are no longer offered, those parked first first. Source: EVT-042.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn events_parked(&self) -> Result<Vec<EventDetails>, OperationError>;

    /// Events that TPPs reported as unreadable and that are still offered, the oldest first. Source: EVT-042.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn events_reported(&self) -> Result<Vec<EventDetails>, OperationError>;

    /// Offers a parked event again; `false` if it is not parked.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn event_requeue(&self, id: &EventId) -> Result<bool, OperationError>;

    /// What is in quarantine.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn quarantined(&self) -> Result<QuarantineContents, OperationError>;

    /// Lets work out of quarantine, so that it is tried again: that of an id, or all of it. Returns how much that was.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn quarantine_release(&self, id: Option<&str>) -> Result<u64, OperationError>;

    /// A page of the log of requests. If no request matches, waits for the first one, at most so long.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if no requests are recorded, or the server stops.
    async fn requests(&self, query: &RequestQuery, wait: Duration) -> Result<RequestPage, OperationError>;

    /// Migrates a batch of VRP consents to the form of the newest version. Source: V4-030.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn vrp_migrate(&self, order: VrpMigration) -> Result<MigratedBatch, OperationError>;
}

/// The operations as handlers hold them.
pub(super) type Ops = Arc<dyn Operations>;
