//! Operations that record calls and carry nothing out.

use super::super::*;
use crate::support::tests::samples;
use crate::support::{CustomerRevokedView, CustomerView, SearchView, StorySubject, StoryView};
use crate::traffic::TrafficMinute;
use async_trait::async_trait;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{DecisionEvidence, EvidencedDecision};
use lombard_domain::ids::{ClientId, ConsentId, EventId, KeyId, OrderId, PsuId};
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::payment::order::PayeeFinding;
use lombard_domain::refusal::{Fault, FaultCode, Field};
use lombard_domain::staff::StaffAct;
use lombard_edge::request_log::{RequestPage, RequestQuery};
use lombard_ports::store::{EventDetails, FailedWork, OrderPosition, QuarantinedWork, WorkKind};
use lombard_service::payments::reconciliation::{
    Difference, DifferenceKind, ReconciledBatch, ReconciliationPart, ReconciliationPosition,
};
use lombard_service::payments::vrp_migration::{FailedMigration, MigratedBatch, MigrationFailure};
use lombard_service::workers::QuarantineContents;
use parking_lot::Mutex;
use std::time::Duration;

/// How the database behaves.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) enum DatabaseState {
    #[default]
    Answers,
    Fails,
    Hangs,
}

/// Records the operations that are called.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(super) missing: Vec<&'static str>,
    /// How the database behaves.
    pub(super) database: DatabaseState,
    /// The operations, in the order in which they were called.
    pub(crate) done: Mutex<Vec<String>>,
    /// The acts of the operations that change something or read data of customers.
    pub(crate) acts: Mutex<Vec<StaffAct>>,
}

impl Recording {
    fn note(&self, act: &StaffAct) {
        self.acts.lock().push(act.clone());
    }
}

#[async_trait]
impl Operations for Recording {
    fn unready_parts(&self) -> Vec<&'static str> {
        self.missing.clone()
    }

    async fn database_answers(&self) -> Result<(), OperationError> {
        match self.database {
            DatabaseState::Answers => Ok(()),
            DatabaseState::Fails => Err(OperationError::Failed("gone".into())),
            DatabaseState::Hangs => std::future::pending().await,
        }
    }

    fn metrics(&self) -> String {
        "lombard_up 1\n".to_owned()
    }

    fn traffic(&self) -> Vec<TrafficMinute> {
        let minute = |number: i64| TrafficMinute {
            until: jiff::Timestamp::from_second(number * 60).unwrap(),
            requests: 9,
            refused: 2,
            failed: 1,
            orders: 3,
            mean_ms: (number != 1).then_some(2.5),
        };
        (0..3).map(minute).collect()
    }

    async fn list_keys(&self) -> Result<KeyListView, OperationError> {
        Ok(KeyListView { keys: vec![key_view()] })
    }

    async fn key_request(&self, act: &StaffAct, order: KeyRequestCommand) -> Result<KeyRequestView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("csr {}", order.kid.as_ref().map(KeyId::as_str).unwrap_or_default()));
        Ok(KeyRequestView { kid: KeyId::new("k"), request: "PEM".to_owned() })
    }

    async fn key_import(&self, act: &StaffAct, order: KeyImportCommand) -> Result<KeyView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("import {order:?}"));
        Ok(key_view())
    }

    async fn keys_reseal(&self, act: &StaffAct) -> Result<SecretsResealed, OperationError> {
        self.note(act);
        self.done.lock().push("reseal".to_owned());
        Ok(SecretsResealed { resealed: 2, unchanged: 1, unopened: Vec::new() })
    }

    async fn keys_login(&self, act: &StaffAct) -> Result<(), OperationError> {
        self.note(act);
        self.done.lock().push("login".to_owned());
        Ok(())
    }

    async fn key_retire(
        &self,
        act: &StaffAct,
        kid: &KeyId,
        order: KeyRetirementCommand,
    ) -> Result<KeyRetirementView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("retire {kid} {}", order.at.as_deref().unwrap_or_default()));
        Ok(KeyRetirementView { kid: kid.clone(), until: "2026-01-01T00:00:00Z".to_owned(), successor: KeyId::new("s") })
    }

    async fn keys_rotate(&self, act: &StaffAct) -> Result<KeyRotated, OperationError> {
        self.note(act);
        self.done.lock().push("rotate".to_owned());
        Ok(KeyRotated { kid: KeyId::new("k"), active_from: "2026-01-01T00:00:00Z".to_owned() })
    }

    async fn key_withdraw(&self, act: &StaffAct, kid: &KeyId) -> Result<KeyWithdrawn, OperationError> {
        self.note(act);
        self.done.lock().push(format!("withdraw {kid}"));
        Ok(KeyWithdrawn { kid: kid.clone(), signs_now: KeyId::new("k") })
    }

    async fn tls_reload(&self, act: &StaffAct) -> Result<TlsReloaded, OperationError> {
        self.note(act);
        self.done.lock().push("tls reload".to_owned());
        let certificate =
            ServerCertificateView { serial: "0a".to_owned(), not_after: "2027-01-01T00:00:00Z".to_owned() };
        Ok(TlsReloaded { changed: true, certificates: vec![certificate], tpp_anchors: 1, revocation_lists: 2 })
    }

    async fn tpp_create(&self, act: &StaffAct, order: NewTpp) -> Result<TppCreated, OperationError> {
        self.note(act);
        if order.name.is_empty() {
            return Err(OperationError::Refused("a TPP needs a name".to_owned()));
        }
        self.done.lock().push(order.name.clone());
        Ok(TppCreated { client_id: Some("c".into()), folder: order.name.into() })
    }

    async fn list_tpps(&self, after: Option<ClientId>, limit: u32) -> Result<TppListView, OperationError> {
        self.done.lock().push(format!("list {} {limit}", after.as_ref().map(ClientId::as_str).unwrap_or_default()));
        Ok(TppListView { tpps: Vec::new(), next: Some("c-9".into()) })
    }

    async fn find_tpp(&self, name: &str) -> Result<TppView, OperationError> {
        self.done.lock().push(format!("show {name}"));
        Err(OperationError::Refused("There is no such TPP.".to_owned()))
    }

    async fn tpp_change(&self, act: &StaffAct, name: &str, change: TppChange) -> Result<TppView, OperationError> {
        self.note(act);
        let reason = act.reason.as_ref().map(ChangeReason::as_str).unwrap_or_default();
        self.done.lock().push(format!("{change:?} {name} {reason}"));
        Err(OperationError::Refused("There is no such TPP.".to_owned()))
    }

    async fn tpp_login(&self, act: &StaffAct, name: &str) -> Result<TppLoginView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("login {name}"));
        Err(OperationError::Refused("There is no such TPP.".to_owned()))
    }

    async fn consent_revoke(&self, act: &StaffAct, id: &ConsentId) -> Result<(), OperationError> {
        self.note(act);
        self.done.lock().push(format!("revoke {id}"));
        Ok(())
    }

    async fn consent_evidence(&self, act: &StaffAct, id: &ConsentId) -> Result<Vec<EvidencedDecision>, OperationError> {
        self.note(act);
        self.done.lock().push(format!("evidence {id}"));
        let evidence = DecisionEvidence { payee: Some(PayeeFinding::NoMatch), warnings: vec!["Stop".to_owned()] };
        Ok(vec![EvidencedDecision { psu: "p".into(), decided_at: jiff::Timestamp::UNIX_EPOCH, evidence }])
    }

    async fn support_search(&self, act: &StaffAct, text: &str) -> Result<SearchView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("search {text}"));
        Ok(samples::search())
    }

    async fn order_story(&self, act: &StaffAct, id: &str) -> Result<StoryView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("order {id}"));
        Ok(samples::story(StorySubject::Order))
    }

    async fn consent_story(&self, act: &StaffAct, id: &str) -> Result<StoryView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("consent {id}"));
        Ok(samples::story(StorySubject::Consent))
    }

    async fn customer(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("customer {psu}"));
        Ok(samples::customer())
    }

    async fn customer_revoke(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerRevokedView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("revoke all {psu}"));
        Ok(CustomerRevokedView { revoked: vec!["c-1".into()], more: false })
    }

    fn events_held(&self) -> usize {
        7
    }

    async fn events_parked(&self) -> Result<Vec<EventDetails>, OperationError> {
        Ok(vec![parked_event()])
    }

    async fn events_reported(&self) -> Result<Vec<EventDetails>, OperationError> {
        Ok(vec![EventDetails { id: "r".into(), parked_at: None, reports: 1, ..parked_event() }])
    }

    async fn event_requeue(&self, act: &StaffAct, id: &EventId) -> Result<bool, OperationError> {
        self.note(act);
        Ok(id.as_str() == "e")
    }

    async fn quarantined(&self) -> Result<QuarantineContents, OperationError> {
        let work = FailedWork { kind: WorkKind::BankOrder, subject: "o".to_owned(), cause: "it is odd".to_owned() };
        let since = jiff::Timestamp::UNIX_EPOCH;
        let work = vec![("bank-7".to_owned(), QuarantinedWork { number: 7, work, since })];
        Ok(QuarantineContents { work, counts: vec![(WorkKind::BankOrder, 1)] })
    }

    async fn requests(
        &self,
        act: Option<&StaffAct>,
        query: &RequestQuery,
        wait: Duration,
    ) -> Result<RequestPage, OperationError> {
        if let Some(act) = act {
            self.note(act);
        }
        self.done.lock().push(format!("requests {query:?} {}", wait.as_secs()));
        Ok(RequestPage { requests: Vec::new(), next: 7 })
    }

    async fn vrp_migrate(&self, act: &StaffAct, order: VrpMigration) -> Result<MigratedBatch, OperationError> {
        self.note(act);
        if order.client.is_some_and(|client| client.as_str() != "acme") {
            return Err(OperationError::Refused("there is no client with this id".to_owned()));
        }
        let last = order.after.is_none().then(|| "c-2".into());
        let cause = MigrationFailure::Refused(vec![Fault::field(
            FaultCode::FieldInvalid,
            Field::CreditorName,
            "Must have 1 to 70 characters.",
        )]);
        let failed = vec![FailedMigration { consent: "c-2".into(), cause }];
        Ok(MigratedBatch { migrated: usize::from(!order.dry_run), skipped: 1, failed, total: 3, last })
    }

    async fn reconcile(&self, act: &StaffAct, order: Reconciliation) -> Result<ReconciliationView, OperationError> {
        self.note(act);
        let since = order.since.unwrap_or_default().0;
        let difference = Difference {
            order: "o".into(),
            kind: DifferenceKind::OnlyAtBank,
            here: String::new(),
            at_bank: "5.00 GBP".to_owned(),
        };
        let after = OrderPosition { at: since, id: "o".into() };
        let next = order.position.is_none().then_some(ReconciliationPosition { part: ReconciliationPart::Held, after });
        let batch = ReconciledBatch { compared: 1, total: 3, differences: vec![difference], next };
        Ok(ReconciliationView::of_batch(since, batch))
    }

    async fn resubmit(&self, act: &StaffAct, order: &OrderId) -> Result<(), OperationError> {
        self.note(act);
        self.done.lock().push(format!("resubmit {order}"));
        Ok(())
    }

    async fn customer_export(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerExportView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("customer export {psu}"));
        let exported_at = "2026-03-01T00:00:00Z".to_owned();
        let (customer, server) = (psu.to_string(), Vec::new());
        Ok(CustomerExportView { customer, exported_at, server, core: None, core_answered: true })
    }

    async fn customer_change(
        &self,
        act: &StaffAct,
        psu: &PsuId,
        change: CustomerChange,
    ) -> Result<CustomerChangeView, OperationError> {
        self.note(act);
        self.done.lock().push(format!("customer {} {psu}", change.name()));
        Ok(CustomerChangeView { customer: psu.to_string(), erasure: None })
    }

    async fn audit_page(&self, act: &StaffAct, search: AuditSearch) -> Result<AuditPageView, OperationError> {
        self.note(act);
        search.read().map(|_| AuditPageView::default()).map_err(OperationError::Refused)
    }

    async fn maintenance_notices(&self) -> Result<NoticeListView, OperationError> {
        Ok(NoticeListView::default())
    }

    async fn maintenance_change(
        &self,
        act: &StaffAct,
        command: MaintenanceCommand,
    ) -> Result<NoticeView, OperationError> {
        self.note(act);
        let change = command.into_change().map_err(OperationError::Refused)?;
        self.done.lock().push(change.action().code().to_owned());
        Err(OperationError::Refused("nothing is carried out here".to_owned()))
    }

    async fn quarantine_release(&self, act: &StaffAct, id: Option<&str>) -> Result<u64, OperationError> {
        self.note(act);
        Ok(if id.is_none_or(|id| id == "bank-7") { 1 } else { 0 })
    }
}

fn key_view() -> KeyView {
    KeyView {
        kid: KeyId::new("k"),
        origin: "made".to_owned(),
        label: None,
        state: "signing".to_owned(),
        signs_from: None,
        until: None,
        certificate: None,
    }
}

fn parked_event() -> EventDetails {
    EventDetails {
        id: "e".into(),
        client: "c".into(),
        recorded_at: jiff::Timestamp::UNIX_EPOCH,
        parked_at: Some(jiff::Timestamp::UNIX_EPOCH),
        deliveries: 4,
        reports: 3,
        err: Some("jwtIss".to_owned()),
        description: Some("the issuer is not known".to_owned()),
        types: vec![lombard_domain::event::EventType::ResourceUpdate],
        about: "https://bank.example/c".to_owned(),
    }
}
