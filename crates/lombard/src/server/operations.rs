//! Operator actions, executed by the running server, or by a command if none runs.
//!
//! Long because the running server implements every operation of one trait.

use super::acts::log_record;
use super::audit::AuditLog;
use super::maintenance_watch::MaintenanceWatch;
use super::node_clock::NodeClock;
use super::node_metrics::NodeMetrics;
use super::operation_errors::{failed, refused};
use super::operator_reads;
use super::sandbox::usual_redirects;
use super::sandbox_bank::SandboxBank;
use super::sandbox_ids::alphanumeric;
use super::tls_reload::{TlsReloadError, TlsReloader};
use super::tpp_terms::{roles, security_profile};
use super::{CoreServices, Sandbox, StartError};
use crate::output::with_causes;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::audit::AuditAction;
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_domain::ids::{ClientId, ConsentId, EventId, KeyId, OrderId, PsuId};
use lombard_domain::refusal::RefusalKind;
use lombard_domain::scope::TppRole;
use lombard_domain::staff::StaffAct;
use lombard_edge::request_log::{RequestLog, RequestPage, RequestQuery};
use lombard_ops::support::{CustomerRevokedView, CustomerView, SearchView, StoryView};
use lombard_ops::traffic::{TrafficHistory, TrafficMinute};
use lombard_ops::{
    AuditPageView, AuditSearch, CertificateForm, CustomerChange, CustomerChangeView, CustomerExportView,
    KeyImportCommand, KeyListView, KeyRequestCommand, KeyRequestView, KeyRetirementCommand, KeyRetirementView,
    KeyRotated, KeyView, KeyWithdrawn, MaintenanceCommand, NewTpp, NoticeListView, NoticeView, OperationError,
    Operations, Reconciliation, ReconciliationView, SecretsResealed, TlsReloaded, TppAuthentication, TppChange,
    TppCreated, TppListView, TppLoginView, TppView, TransportKeyType, VrpMigration,
};
use lombard_ports::controls::{ControlError, DataFileFault, ImportSummary};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{EventDetails, Store};
use lombard_sandbox::data_file::ImportOptions;
use lombard_sandbox::seed::SeedProgress;
use lombard_sandbox::trust::{TppAuth, TppCertificates, TppRequest, TransportKey, TrustError};
use lombard_service::consents::ConsentReports;
use lombard_service::events::{self, EventPolling};
use lombard_service::payments::reconciliation::Reconciler;
use lombard_service::payments::vrp_migration::MigratedBatch;
use lombard_service::workers::{QuarantineContents, Quarantines};
use lombard_service::{Context, Failure, consents};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The error for creating TPPs in production.
pub(crate) const NO_TPPS: &str = "TPPs can be created in a sandbox only: `lombard tpp create` issues certificates from the \
    sandbox's own authority, which a server in production mode does not trust. `lombard keys rotate`, `lombard migrate` and \
    `lombard config` work in production too.";

/// The error for data files in production.
pub(crate) const NO_DATA_FILES: &str = "Customers and accounts can be exported and imported in a sandbox only: a server in \
    production mode neither gives away nor takes in customers' data. `lombard seed` works with `mode = \"sandbox\"`, on a \
    data folder and a database of its own.";

/// The error for reading the request log where no requests are recorded.
const NO_REQUESTS: &str = "no requests are recorded: in production list the client ids of TPPs in request_log.tpps, and leave \
    request_log.bytes_max above 0";

/// Executes operator actions on an installation. Clones share it.
#[derive(Debug, Clone)]
pub struct Operator {
    core_services: CoreServices,
    /// The built-in bank of a sandbox.
    bank: Option<SandboxBank>,
    sandbox: Option<Sandbox>,
    quarantines: Quarantines,
    pub(super) consent_reports: ConsentReports,
    /// The URL of the public listener, without a trailing slash.
    public: String,
    /// Which days the standing orders of data files use as Scottish quarter days. Source: X-23.
    scottish_quarter_days: ScottishQuarterDays,
    /// Compares orders with the core; `None` without a core.
    pub(super) reconciler: Option<Reconciler>,
    /// The context of use-cases that need the core; `None` without a core.
    pub(super) context: Option<Context>,
}

impl Operator {
    /// Creates the operator of an installation.
    pub(super) fn new(
        services: CoreServices,
        bank: Option<SandboxBank>,
        sandbox: Option<Sandbox>,
        quarantines: Quarantines,
        consent_reports: ConsentReports,
        public: String,
        scottish_quarter_days: ScottishQuarterDays,
    ) -> Self {
        Self {
            core_services: services,
            bank,
            sandbox,
            quarantines,
            consent_reports,
            public,
            scottish_quarter_days,
            reconciler: None,
            context: None,
        }
    }

    /// The store, its secrets and the signing keys.
    pub(super) fn core_services(&self) -> &CoreServices {
        &self.core_services
    }

    /// The audit log.
    pub fn audit(&self) -> &AuditLog {
        &self.core_services.audit
    }

    /// The store of the server's tables.
    pub(super) fn store(&self) -> &Store {
        &self.core_services.store
    }

    /// The store of the server's tables, the generator of ids, and the wall-clock time.
    pub(super) fn stored(&self) -> (&Store, &IdGenerator, Timestamp) {
        (&self.core_services.store, &self.core_services.ids, self.core_services.clocks.wall_now())
    }

    /// The sandbox, unless this is production.
    pub(super) fn sandbox(&self) -> Option<&Sandbox> {
        self.sandbox.as_ref()
    }

    /// The URL of the public listener, without a trailing slash.
    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// What this node lacks to serve requests.
    fn missing(&self) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if self.core_services.keys.active_key().is_err() {
            missing.push("signing key");
        }
        let module = self.core_services.security_module.as_ref();
        if module.is_some_and(|configured| configured.module.refused_login().is_some()) {
            missing.push("login to the security module, which refused the PIN");
        }
        missing
    }

    /// Issues certificates for a TPP and registers it.
    ///
    /// # Errors
    /// [`OperationError::Refused`] outside a sandbox, for a name that is taken or invalid, an unknown role or customer, or a
    /// redirect URI that is not https.
    pub async fn tpp_create(&self, act: &StaffAct, order: NewTpp) -> Result<TppCreated, OperationError> {
        let Some(sandbox) = &self.sandbox else {
            return Err(refused(NO_TPPS));
        };
        if sandbox.trust().has_tpp(&order.name).map_err(not_ordered)? {
            return Err(refused(format!("there is a TPP called {} already", order.name)));
        }
        let folder = sandbox.tpp_folder(&order.name);
        let is_unregistered = order.unregistered;
        if is_unregistered && order.headless.is_some() {
            return Err(refused("a TPP that registers itself cannot be headless: registration has no member for that"));
        }
        if is_unregistered && order.profile.is_some() {
            return Err(refused(
                "a TPP that registers itself gets its profile afterwards: lombard tpp profile NAME --set …",
            ));
        }
        let order = self.order(order).await?;
        let created = if is_unregistered {
            sandbox.unregistered_tpp(&self.core_services, order).await.map(|()| None)
        } else {
            sandbox.tpp(&self.core_services, order).await.map(|client| Some(client.id))
        };
        match created {
            Ok(client_id) => {
                let target = client_id.as_ref().map(ClientId::as_str).unwrap_or_default();
                self.audit().write_act(act, AuditAction::TppCreate, target).await?;
                Ok(TppCreated { client_id, folder })
            }
            Err(StartError::Trust(error)) => Err(not_ordered(error)),
            Err(error) => Err(failed(error)),
        }
    }

    /// Exports all customers, accounts and histories as a data file.
    ///
    /// # Errors
    /// [`OperationError::Refused`] outside a sandbox.
    pub async fn data_export(&self) -> Result<Vec<u8>, OperationError> {
        self.sandbox_bank()?.data_export(&self.core_services).await.map_err(failed)
    }

    /// Imports the customers and accounts of a data file, all or none.
    ///
    /// # Errors
    /// [`ImportFailure::Faulty`] with every fault of the file; [`ImportFailure::Operation`] outside a sandbox, or if storage
    /// fails. Nothing is stored then.
    pub async fn data_import(
        &self,
        file: Vec<u8>,
        rebase: bool,
        progress: Arc<dyn SeedProgress>,
    ) -> Result<ImportSummary, ImportFailure> {
        let options = ImportOptions { rebase, scottish_quarter_days: self.scottish_quarter_days };
        let imported = self.sandbox_bank()?.data_import(&self.core_services, file, options, progress).await;
        imported.map_err(|error| match error {
            ControlError::Faulty(faults) => ImportFailure::Faulty(faults),
            other => failed(other).into(),
        })
    }

    /// Lists the quarantined work.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn quarantined(&self) -> Result<QuarantineContents, OperationError> {
        self.quarantines.contents().await.map_err(failed)
    }

    /// Releases quarantined work for a retry: the work with an id, or all of it. Returns the number of released items.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn quarantine_release(&self, act: &StaffAct, id: Option<&str>) -> Result<u64, OperationError> {
        let released = self.quarantines.release(id).await.map_err(failed)?;
        self.audit().write_act(act, AuditAction::QuarantineRetry, id.unwrap_or_default()).await?;
        Ok(released)
    }

    fn sandbox_bank(&self) -> Result<&SandboxBank, OperationError> {
        self.bank.as_ref().ok_or_else(|| refused(NO_DATA_FILES))
    }

    async fn order(&self, order: NewTpp) -> Result<TppRequest, OperationError> {
        let roles = if order.roles.is_empty() { TppRole::ALL.to_vec() } else { roles(&order.roles)? };
        let redirect_uris = match (order.redirect_uris.is_empty(), order.unregistered) {
            (false, _) => order.redirect_uris,
            (true, false) => usual_redirects(&self.public),
            // Registration refuses URLs on the same machine (DCR-009).
            (true, true) => vec![format!("https://{}.example/callback", order.name)],
        };
        Ok(TppRequest {
            name: order.name,
            roles,
            auth: match order.auth {
                TppAuthentication::PrivateKeyJwt => TppAuth::PrivateKeyJwt,
                TppAuthentication::TlsClientAuth => TppAuth::TlsClientAuth,
            },
            backchannel: match (order.notification_endpoint, order.ciba) {
                (Some(endpoint), _) => Some(BackchannelDelivery::Ping { endpoint }),
                (None, true) => Some(BackchannelDelivery::Poll),
                (None, false) => None,
            },
            headless: self.customer(order.headless).await?,
            profile: order.profile.as_deref().map(security_profile).transpose()?.unwrap_or_default(),
            redirect_uris,
            certificates: match order.certificates {
                CertificateForm::Obwac => TppCertificates::Obwac,
                CertificateForm::Qwac => TppCertificates::Qwac,
                CertificateForm::Legacy => TppCertificates::Legacy,
            },
            transport_key: match order.transport_key {
                TransportKeyType::P256 => TransportKey::P256,
                TransportKeyType::Rsa => TransportKey::Rsa,
            },
            client_id: self.fresh(22).into(),
            org_id: self.fresh(18).into(),
            software_id: self.fresh(22).into(),
        })
    }

    async fn customer(&self, name: Option<String>) -> Result<Option<PsuId>, OperationError> {
        let Some(psu) = name.map(PsuId::from) else { return Ok(None) };
        let Some(bank) = &self.bank else { return Ok(Some(psu)) };
        if bank.has_customer(&psu).await.map_err(failed)? {
            Ok(Some(psu))
        } else {
            Err(refused("the headless customer does not exist"))
        }
    }

    fn fresh(&self, length: usize) -> String {
        self.core_services.ids.random_secret().iter().take(length).map(|byte| alphanumeric(*byte)).collect()
    }
}

/// Why a data file was not imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportFailure {
    /// The file has faults.
    #[error("the file has faults; nothing of it was stored")]
    Faulty(Vec<DataFileFault>),
    /// The import was refused or failed.
    #[error(transparent)]
    Operation(#[from] OperationError),
}

fn not_ordered(error: TrustError) -> OperationError {
    match error {
        TrustError::InvalidRequest(text) => refused(text),
        other => failed(other),
    }
}

/// The operator of a running server, with the server's metrics.
#[derive(Clone)]
pub(super) struct RunningOperator {
    pub(super) operator: Operator,
    pub(super) metrics: NodeMetrics,
    pub(super) context: Context,
    pub(super) event_polling: EventPolling,
    pub(super) tls: TlsReloader,
    /// The request log, if requests are recorded.
    pub(super) requests: Option<Arc<RequestLog>>,
    /// Cancelled when the server begins to stop.
    pub(super) stopping: CancellationToken,
    /// The clock of this machine beside that of the database's server.
    pub(super) node_clock: NodeClock,
    /// The traffic of the last hour.
    pub(super) traffic: Arc<TrafficHistory>,
    /// What this node knows of maintenance.
    pub(super) maintenance: MaintenanceWatch,
}

impl std::fmt::Debug for RunningOperator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("operator", &self.operator).finish_non_exhaustive()
    }
}

#[async_trait]
impl Operations for RunningOperator {
    fn unready_parts(&self) -> Vec<&'static str> {
        if self.stopping.is_cancelled() {
            return vec!["stopping"];
        }
        let mut missing = self.operator.missing();
        if self.node_clock.is_out_of_step() {
            missing.push("a clock in step with that of the database's server");
        }
        missing
    }

    async fn database_answers(&self) -> Result<(), OperationError> {
        self.operator.core_services.database.ping().await.map(drop).map_err(failed)
    }

    fn metrics(&self) -> String {
        self.metrics.render(self.unready_parts().is_empty())
    }

    fn traffic(&self) -> Vec<TrafficMinute> {
        self.traffic.minutes()
    }

    async fn list_keys(&self) -> Result<KeyListView, OperationError> {
        self.operator.list_keys().await
    }

    async fn key_request(&self, act: &StaffAct, order: KeyRequestCommand) -> Result<KeyRequestView, OperationError> {
        self.operator.key_request(act, order).await
    }

    async fn key_import(&self, act: &StaffAct, order: KeyImportCommand) -> Result<KeyView, OperationError> {
        self.operator.key_import(act, order).await
    }

    async fn keys_reseal(&self, act: &StaffAct) -> Result<SecretsResealed, OperationError> {
        self.operator.keys_reseal(act).await
    }

    async fn keys_login(&self, act: &StaffAct) -> Result<(), OperationError> {
        self.operator.keys_login(act).await
    }

    async fn key_retire(
        &self,
        act: &StaffAct,
        kid: &KeyId,
        order: KeyRetirementCommand,
    ) -> Result<KeyRetirementView, OperationError> {
        self.operator.key_retire(act, kid, order).await
    }

    async fn keys_rotate(&self, act: &StaffAct) -> Result<KeyRotated, OperationError> {
        self.operator.keys_rotate(act).await
    }

    async fn key_withdraw(&self, act: &StaffAct, kid: &KeyId) -> Result<KeyWithdrawn, OperationError> {
        self.operator.key_withdraw(act, kid).await
    }

    async fn tls_reload(&self, act: &StaffAct) -> Result<TlsReloaded, OperationError> {
        let reloaded = self.tls.reload().await.map_err(|error| match error {
            // The caller chose the files and can change them, so the failure is reported to the caller.
            TlsReloadError::Files(problems) => refused(problems.to_string()),
            TlsReloadError::Start(error @ (StartError::File { .. } | StartError::Trust(_))) => {
                refused(with_causes(&error))
            }
            TlsReloadError::Start(error) => failed(error),
        })?;
        self.operator.audit().write_act(act, AuditAction::TlsReload, "").await?;
        Ok(reloaded)
    }

    async fn tpp_create(&self, act: &StaffAct, order: NewTpp) -> Result<TppCreated, OperationError> {
        self.operator.tpp_create(act, order).await
    }

    async fn list_tpps(&self, after: Option<ClientId>, limit: u32) -> Result<TppListView, OperationError> {
        self.operator.list_tpps(after, limit).await
    }

    async fn find_tpp(&self, name: &str) -> Result<TppView, OperationError> {
        self.operator.find_tpp(name).await
    }

    async fn tpp_change(&self, act: &StaffAct, name: &str, change: TppChange) -> Result<TppView, OperationError> {
        self.operator.tpp_change(act, name, change).await
    }

    async fn tpp_login(&self, act: &StaffAct, name: &str) -> Result<TppLoginView, OperationError> {
        self.operator.tpp_login(act, name).await
    }

    async fn consent_revoke(&self, act: &StaffAct, id: &ConsentId) -> Result<(), OperationError> {
        let context = self.context.caused_by(act.interaction_id.as_ref());
        let record = self.operator.audit().record_of(act, AuditAction::ConsentRevoke, id.as_str());
        match consents::revoke_consent_by_bank(&context, id, record.clone()).await {
            Ok(_) => {
                log_record(&record);
                Ok(())
            }
            Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::ConsentState => {
                Err(refused("only an authorised consent can be revoked"))
            }
            Err(Failure::Refused(_)) => Err(refused("there is no consent with this id")),
            Err(Failure::Unavailable(cause) | Failure::Broken(cause)) => Err(OperationError::Failed(cause)),
        }
    }

    async fn consent_evidence(&self, act: &StaffAct, id: &ConsentId) -> Result<Vec<EvidencedDecision>, OperationError> {
        let record = self.operator.audit().record_of(act, AuditAction::ConsentEvidence, id.as_str());
        operator_reads::read_evidence(&self.context.store, record, id).await.map_err(failed)
    }

    async fn support_search(&self, act: &StaffAct, text: &str) -> Result<SearchView, OperationError> {
        self.operator.support_search(act, text, self.requests.as_deref()).await
    }

    async fn order_story(&self, act: &StaffAct, id: &str) -> Result<StoryView, OperationError> {
        self.operator.order_story(act, id, self.requests.as_deref()).await
    }

    async fn consent_story(&self, act: &StaffAct, id: &str) -> Result<StoryView, OperationError> {
        self.operator.consent_story(act, id, self.requests.as_deref()).await
    }

    async fn customer(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerView, OperationError> {
        self.operator.customer_view(act, psu).await
    }

    async fn customer_revoke(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerRevokedView, OperationError> {
        self.revoke_consents_of(act, psu).await
    }

    fn events_held(&self) -> usize {
        self.event_polling.held_polls()
    }

    async fn events_parked(&self) -> Result<Vec<EventDetails>, OperationError> {
        events::list_parked_events(&self.context).await.map_err(failed)
    }

    async fn events_reported(&self) -> Result<Vec<EventDetails>, OperationError> {
        events::list_reported_events(&self.context).await.map_err(failed)
    }

    async fn event_requeue(&self, act: &StaffAct, id: &EventId) -> Result<bool, OperationError> {
        let record = self.operator.audit().record_of(act, AuditAction::EventRequeue, id.as_str());
        let is_requeued = events::requeue_event(&self.context, id, record.clone()).await.map_err(failed)?;
        if is_requeued {
            log_record(&record);
        }
        Ok(is_requeued)
    }

    async fn quarantined(&self) -> Result<QuarantineContents, OperationError> {
        self.operator.quarantined().await
    }

    async fn quarantine_release(&self, act: &StaffAct, id: Option<&str>) -> Result<u64, OperationError> {
        self.operator.quarantine_release(act, id).await
    }

    async fn requests(
        &self,
        act: Option<&StaffAct>,
        query: &RequestQuery,
        wait: Duration,
    ) -> Result<RequestPage, OperationError> {
        let log = self.requests.as_ref().ok_or_else(|| refused(NO_REQUESTS))?;
        tokio::select! {
            page = log.wait_for_page(query, wait) => {
                // A wait that returned no requests has read none.
                if let Some(act) = act && (query.after.is_none() || !page.requests.is_empty()) {
                    let target = query.client_id.as_ref().map(ClientId::as_str).unwrap_or_default();
                    self.operator.audit().write_act(act, AuditAction::RequestsRead, target).await?;
                }
                Ok(page)
            }
            () = self.stopping.cancelled(), if !wait.is_zero() => Err(refused("the server is stopping")),
        }
    }

    async fn audit_page(&self, act: &StaffAct, search: AuditSearch) -> Result<AuditPageView, OperationError> {
        self.operator.audit().read_page(act, search).await
    }

    async fn vrp_migrate(&self, act: &StaffAct, order: VrpMigration) -> Result<MigratedBatch, OperationError> {
        self.operator.vrp_migrate(act, order).await
    }

    async fn reconcile(&self, act: &StaffAct, order: Reconciliation) -> Result<ReconciliationView, OperationError> {
        self.operator.reconcile(act, order).await
    }

    async fn resubmit(&self, act: &StaffAct, order: &OrderId) -> Result<(), OperationError> {
        self.operator.resubmit(act, order).await
    }

    async fn customer_export(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerExportView, OperationError> {
        self.operator.customer_export(act, psu).await
    }

    async fn customer_change(
        &self,
        act: &StaffAct,
        psu: &PsuId,
        change: CustomerChange,
    ) -> Result<CustomerChangeView, OperationError> {
        self.operator.customer_change(act, psu, change).await
    }

    async fn maintenance_notices(&self) -> Result<NoticeListView, OperationError> {
        self.operator.maintenance_notices().await
    }

    async fn maintenance_change(
        &self,
        act: &StaffAct,
        command: MaintenanceCommand,
    ) -> Result<NoticeView, OperationError> {
        let notice = self.operator.maintenance_change(act, command).await?;
        self.maintenance.follow_act().await;
        Ok(notice)
    }
}
