//! The operations of the ops listener, as a trait that the program implements.

use super::audit_views::{AuditPageView, AuditSearch};
use super::customer_views::{CustomerChange, CustomerChangeView, CustomerExportView};
use super::key_views::{
    KeyImportCommand, KeyListView, KeyRequestCommand, KeyRequestView, KeyRetirementCommand, KeyRetirementView, KeyView,
    SecretsResealed,
};
use super::maintenance_views::{MaintenanceCommand, NoticeListView, NoticeView};
use super::reconciliation_views::{Reconciliation, ReconciliationView};
use super::support::{CustomerRevokedView, CustomerView, SearchView, StoryView};
use super::tpp_views::{TppChange, TppListView, TppLoginView, TppView};
use super::traffic::TrafficMinute;
use async_trait::async_trait;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::ids::{ClientId, ConsentId, EventId, KeyId, OrderId, PsuId};
use lombard_domain::staff::StaffAct;
use lombard_edge::request_log::{RequestPage, RequestQuery};
use lombard_ports::store::EventDetails;
use lombard_service::payments::vrp_migration::MigratedBatch;
use lombard_service::workers::QuarantineContents;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Why an operation was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// The request was wrong; the text states the reason.
    #[error("{0}")]
    Refused(String),
    /// The operation failed; the cause is in the log.
    #[error("the operation failed; the server's log says why")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// How a new TPP authenticates. Source: AS-020.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TppAuthentication {
    /// The TPP authenticates with a signed assertion.
    #[default]
    PrivateKeyJwt,
    /// The TPP authenticates with its transport certificate.
    TlsClientAuth,
}

/// The order to create a TPP, as `lombard tpp create` sends it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTpp {
    /// The name of the TPP's folder.
    pub name: String,
    /// The names of the TPP's roles (`aisp`, `pisp`, `cbpii`); all of them if empty.
    #[serde(default)]
    pub roles: Vec<String>,
    /// How the TPP authenticates.
    #[serde(default)]
    pub auth: TppAuthentication,
    /// The address for notifications of answered backchannel requests (ping); if absent, the TPP polls.
    #[serde(default)]
    pub notification_endpoint: Option<String>,
    /// Whether the TPP may use backchannel authentication. Implied by a notification endpoint.
    #[serde(default)]
    pub ciba: bool,
    /// The customer in whose name the TPP's requests are answered at once.
    #[serde(default)]
    pub headless: Option<String>,
    /// The security profile by name (`fapi1`, `fapi2`, `fapi2-message-signing`); `fapi1` if none is named. Source: AS-154.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The redirect URIs; the sandbox's usual addresses if empty.
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// The form of the TPP's certificates.
    #[serde(default)]
    pub certificates: CertificateForm,
    /// The type of key of the TPP's transport certificate.
    #[serde(default, skip_serializing_if = "TransportKeyType::is_usual")]
    pub transport_key: TransportKeyType,
    /// Whether the TPP is left unregistered: it gets certificates and a software statement, and must register itself.
    #[serde(default)]
    pub unregistered: bool,
}

/// The form of a TPP's certificates. Source: DCR-052.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CertificateForm {
    /// Open Banking certificates: OBWAC and OBSeal.
    #[default]
    Obwac,
    /// Qualified certificates: QWAC and QSealC.
    Qwac,
    /// The directory's former certificates.
    Legacy,
}

/// The type of the key of a TPP's transport certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TransportKeyType {
    /// An elliptic-curve key on P-256.
    #[default]
    P256,
    /// An RSA key of 2048 bits.
    Rsa,
}

impl TransportKeyType {
    /// Whether this is the default type.
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// A TPP that was created.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TppCreated {
    /// The client id; absent if the TPP is not registered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_id: Option<ClientId>,
    /// The folder with its certificates and keys.
    pub folder: PathBuf,
}

/// A key that was added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRotated {
    /// The `kid` of the key.
    pub kid: KeyId,
    /// When the key begins to sign (wall clock, RFC 3339). Source: AS-008.
    pub active_from: String,
}

/// A key that was withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyWithdrawn {
    /// The `kid` of the key.
    pub kid: KeyId,
    /// The `kid` of the key that signs from now on.
    pub signs_now: KeyId,
}

/// The result of reading the TLS files of the listeners again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlsReloaded {
    /// Whether the files had changed.
    pub changed: bool,
    /// The server certificates in use from now on.
    pub certificates: Vec<ServerCertificateView>,
    /// The number of trust anchors of TPPs.
    pub tpp_anchors: usize,
    /// The number of lists of revoked certificates.
    pub revocation_lists: usize,
}

/// A server certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerCertificateView {
    /// The serial number, hexadecimal with colons.
    pub serial: String,
    /// The last instant of the validity period (RFC 3339).
    pub not_after: String,
}

/// The order to migrate a batch of VRP consents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VrpMigration {
    /// The client whose consents are migrated; if absent, the consents of all clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientId>,
    /// The consent after which the batch begins; if absent, the batch begins with the first consent.
    #[serde(default)]
    pub after: Option<ConsentId>,
    /// Whether the migration is only tried and nothing is stored.
    #[serde(default)]
    pub dry_run: bool,
}

/// The operations of the ops listener. What changes something, or reads data of customers, is told who acts.
#[async_trait]
pub trait Operations: Send + Sync + fmt::Debug {
    /// What this node lacks to serve requests; empty when it is ready. The database, which all nodes share, is not part of it.
    fn unready_parts(&self) -> Vec<&'static str>;

    /// Asks the database for an answer, on a connection that requests do not use.
    ///
    /// # Errors
    /// [`OperationError::Failed`] if the database does not answer.
    async fn database_answers(&self) -> Result<(), OperationError>;

    /// Renders all metrics in Prometheus' text format.
    fn metrics(&self) -> String;

    /// The traffic of this node in its last hour, by minute, the oldest first.
    fn traffic(&self) -> Vec<TrafficMinute>;

    /// Lists all signing keys.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    async fn list_keys(&self) -> Result<KeyListView, OperationError>;

    /// Makes a request for the certificate of a signing key, or of a new key that waits for its certificate. Source: AS-007.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such key.
    async fn key_request(&self, act: &StaffAct, order: KeyRequestCommand) -> Result<KeyRequestView, OperationError>;

    /// Imports a certificate, the directory's id of a key, or a key. Source: AS-007, AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with the fault of the import; nothing is changed then.
    async fn key_import(&self, act: &StaffAct, order: KeyImportCommand) -> Result<KeyView, OperationError>;

    /// Encrypts every stored secret with the current key-encryption key, while nodes use the secrets.
    ///
    /// # Errors
    /// [`OperationError::Failed`]; secrets that were encrypted before stay encrypted.
    async fn keys_reseal(&self, act: &StaffAct) -> Result<SecretsResealed, OperationError>;

    /// Logs in to the security module, also after it refused the PIN.
    ///
    /// # Errors
    /// [`OperationError::Refused`] without a security module, or with what the module refused.
    async fn keys_login(&self, act: &StaffAct) -> Result<(), OperationError>;

    /// Plans the end of the key that signs. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if the key does not sign, or the time is too soon for its successor.
    async fn key_retire(
        &self,
        act: &StaffAct,
        kid: &KeyId,
        order: KeyRetirementCommand,
    ) -> Result<KeyRetirementView, OperationError>;

    /// Adds a signing key that takes over after the overlap. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn keys_rotate(&self, act: &StaffAct) -> Result<KeyRotated, OperationError>;

    /// Withdraws a signing key that is no longer trusted. If it was the key that signs, another key signs from now on. Source: AS-008.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such key.
    async fn key_withdraw(&self, act: &StaffAct, kid: &KeyId) -> Result<KeyWithdrawn, OperationError>;

    /// Reads the TLS files of the listeners again and uses them from now on. Unusable files change nothing.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with the faults of the files; [`OperationError::Failed`].
    async fn tls_reload(&self, act: &StaffAct) -> Result<TlsReloaded, OperationError>;

    /// Issues certificates for a TPP and registers it. Sandbox only.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn tpp_create(&self, act: &StaffAct, order: NewTpp) -> Result<TppCreated, OperationError>;

    /// Reads a page of the list of TPPs.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn list_tpps(&self, after: Option<ClientId>, limit: u32) -> Result<TppListView, OperationError>;

    /// Finds the TPP with this client id, software id or name.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is none or there are several.
    async fn find_tpp(&self, name: &str) -> Result<TppView, OperationError>;

    /// Changes a TPP, for the reason of the act. Source: AS-113, DCR-042.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such TPP, or the change is not allowed.
    async fn tpp_change(&self, act: &StaffAct, name: &str, change: TppChange) -> Result<TppView, OperationError>;

    /// Makes a one-time link by which a developer of the TPP with this name logs in to the portal.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if there is no such TPP, or it is not active.
    async fn tpp_login(&self, act: &StaffAct, name: &str) -> Result<TppLoginView, OperationError>;

    /// Finds the consents, orders, customers and TPPs that a text names, and the recorded requests with it as interaction id, and writes an
    /// audit line without the text.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn support_search(&self, act: &StaffAct, text: &str) -> Result<SearchView, OperationError>;

    /// Tells the story of an order, which is named by its id or by what a search finds it by, and writes an audit line.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if no order or several orders have such an id.
    async fn order_story(&self, act: &StaffAct, id: &str) -> Result<StoryView, OperationError>;

    /// Tells the story of a consent, which is named by its id or by what a search finds one of its orders by, and writes an audit line.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if no consent or several consents have such an id.
    async fn consent_story(&self, act: &StaffAct, id: &str) -> Result<StoryView, OperationError>;

    /// Lists what a customer has agreed to, and writes an audit line.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for a customer who has agreed to nothing.
    async fn customer(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerView, OperationError>;

    /// Ends the access of all consents of a customer as [`Self::consent_revoke`] does; of a limited number in one call.
    ///
    /// # Errors
    /// [`OperationError`]; the consents before the failure are revoked then.
    async fn customer_revoke(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerRevokedView, OperationError>;

    /// Ends the access that a consent gives. The resulting event carries the interaction id of the act. Source: AIS-070, SET-016.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn consent_revoke(&self, act: &StaffAct, id: &ConsentId) -> Result<(), OperationError>;

    /// Reads the latest approvals of a consent with stored evidence (a check of the payee or a warning), the newest first, and writes an
    /// audit line.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn consent_evidence(&self, act: &StaffAct, id: &ConsentId) -> Result<Vec<EvidencedDecision>, OperationError>;

    /// The number of long polls for events that wait at this node.
    fn events_held(&self) -> usize;

    /// Lists the events that are no longer offered, in the order in which they were parked. Source: EVT-042.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn events_parked(&self) -> Result<Vec<EventDetails>, OperationError>;

    /// Lists the events that TPPs reported as unreadable and that are still offered, the oldest first. Source: EVT-042.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn events_reported(&self) -> Result<Vec<EventDetails>, OperationError>;

    /// Offers a parked event again; `false` if it is not parked.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn event_requeue(&self, act: &StaffAct, id: &EventId) -> Result<bool, OperationError>;

    /// Reads the contents of the quarantine.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn quarantined(&self) -> Result<QuarantineContents, OperationError>;

    /// Releases work from quarantine, so that it is tried again: the work with this id, or all of it. Returns the number of released items.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn quarantine_release(&self, act: &StaffAct, id: Option<&str>) -> Result<u64, OperationError>;

    /// Reads a page of the request log, for staff or, without an act, for testers of a sandbox. If no request matches, waits for
    /// the first one, for at most the given time.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if no requests are recorded, or the server is shutting down.
    async fn requests(
        &self,
        act: Option<&StaffAct>,
        query: &RequestQuery,
        wait: Duration,
    ) -> Result<RequestPage, OperationError>;

    /// Reads a page of the audit log, which then tells of the read.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for a search for values that no entry can have; [`OperationError::Failed`].
    async fn audit_page(&self, act: &StaffAct, search: AuditSearch) -> Result<AuditPageView, OperationError>;

    /// Migrates a batch of VRP consents to the form of the newest version. Source: V4-030.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn vrp_migrate(&self, act: &StaffAct, order: VrpMigration) -> Result<MigratedBatch, OperationError>;

    /// Compares a batch of orders with those that the bank's core holds, and corrects differences whose cause is certain.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn reconcile(&self, act: &StaffAct, order: Reconciliation) -> Result<ReconciliationView, OperationError>;

    /// Submits an order again that the bank's core has lost.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for an order that is unknown, has ended, awaits approvals, is that of a file, or is at the core.
    async fn resubmit(&self, act: &StaffAct, order: &OrderId) -> Result<(), OperationError>;

    /// Exports everything that the server and the core hold about a customer.
    ///
    /// # Errors
    /// [`OperationError`].
    async fn customer_export(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerExportView, OperationError>;

    /// Holds, releases or erases the records of a customer.
    ///
    /// # Errors
    /// [`OperationError::Refused`] if the change is not possible, with a sentence; [`OperationError::Failed`].
    async fn customer_change(
        &self,
        act: &StaffAct,
        psu: &PsuId,
        change: CustomerChange,
    ) -> Result<CustomerChangeView, OperationError>;

    /// Lists the notices of maintenance that are not over, and those of the last 90 days. Source: DTN-007.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    async fn maintenance_notices(&self) -> Result<NoticeListView, OperationError>;

    /// Announces, begins, ends or withdraws maintenance, and returns the notice. Source: DTN-004 to DTN-006.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence; nothing is changed then.
    async fn maintenance_change(
        &self,
        act: &StaffAct,
        command: MaintenanceCommand,
    ) -> Result<NoticeView, OperationError>;
}

/// The operations, as state of the handlers.
pub(super) type Ops = Arc<dyn Operations>;
