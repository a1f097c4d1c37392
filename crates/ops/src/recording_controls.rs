//! A test double of a sandbox's controls, for this crate and the routers.

use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{AccountIdentification, AccountScheme, EntryStatus};
use lombard_domain::consent::{AccountAccess, Consent, ConsentDraft, ConsentRequest, Permissions, SelectedAccount};
use lombard_domain::consent::{ConsentState, RevokedBy};
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::order::{NewOrder, Order, PaymentConsentRequest, PaymentExecution, RejectionReason};
use lombard_domain::payment::transfer::{
    CreditorDetails, NamedAccount, Occurrence, PaymentConditions, Timing, Transfer,
};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::controls::{
    AccountClosure, AccountEdit, AccountView, AddedEntry, ClockMove, ClosedAccount, ConsentDecision, ControlError,
    CountersignDecision, CustomerChange, CustomerView, DataFileFault, ImportSummary, NewEntry, OrderDetails,
    OrderOutcome, OrderPlan, ResetContents, SandboxControls, Snapshot, SnapshotAction, SnapshotName,
};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

/// Controls that record calls and change nothing.
#[derive(Debug, Default)]
pub struct RecordingControls {
    pub(crate) moves: Mutex<Vec<ClockMove>>,
    pub(crate) decisions: Mutex<Vec<ConsentDecision>>,
    pub(crate) ends: Mutex<Vec<(BankAccountId, AccountClosure)>>,
    pub(crate) changes: Mutex<Vec<AccountEdit>>,
    pub(crate) customers: Mutex<Vec<CustomerChange>>,
    pub(crate) plans: Mutex<Vec<OrderPlan>>,
    pub(crate) entries: Mutex<Vec<NewEntry>>,
    pub(crate) beginnings: Mutex<Vec<ResetContents>>,
    pub(crate) snapshots: Mutex<Vec<(SnapshotAction, SnapshotName)>>,
    pub(crate) outcomes: Mutex<Vec<OrderOutcome>>,
    pub(crate) countersigned: Mutex<Vec<(PsuId, CountersignDecision)>>,
}

impl RecordingControls {
    #[cfg(test)]
    pub(crate) fn is_untouched(&self) -> bool {
        let orders = self.outcomes.lock().is_empty() && self.countersigned.lock().is_empty();
        orders && self.moves.lock().is_empty() && self.decisions.lock().is_empty()
    }
}

fn consent(id: &ConsentId, state: ConsentState) -> Consent {
    let permissions = Permissions::default();
    let draft = ConsentDraft {
        request: ConsentRequest::AccountAccess(AccountAccess {
            permissions,
            transactions_from: None,
            transactions_to: None,
        }),
        expires_at: None,
        submitted: Submitted { version: Version::V3_1, json: "{}".to_owned() },
    };
    let accounts = vec![SelectedAccount { account: "the bank's".into(), alias: "the TPP's".into(), core_state: None }];
    Consent { state, accounts, ..draft.into_consent(id.clone(), "acme".into(), Timestamp::UNIX_EPOCH) }
}

fn snapshot(name: &SnapshotName) -> Snapshot {
    Snapshot { name: name.clone(), saved_at: Timestamp::UNIX_EPOCH, bank_time: Timestamp::UNIX_EPOCH }
}

/// An order of bashir's that chloe has approved; one id is unknown.
fn known(id: &OrderId) -> Result<OrderDetails, ControlError> {
    if id.as_str() == "none" {
        return Err(ControlError::not_found("none"));
    }
    let now = Timestamp::UNIX_EPOCH;
    let payee = AccountIdentification::new(AccountScheme::SortCodeAccountNumber, "08080021325698");
    let credit = CreditorDetails::new(NamedAccount::under_name(payee, "Waterworks".to_owned()));
    let amount = Amount::from_minor(1_050, Currency::GBP);
    let terms = PaymentConsentRequest::new(Transfer::domestic(credit, amount, Timing::Immediate));
    let acceptance = NewOrder {
        id: id.clone(),
        client: "acme".into(),
        consent: "c".into(),
        version: Version::V3_1,
        debtor: "studio".into(),
        psu: "bashir".into(),
        authorisers: 2,
        conditions: PaymentConditions::default(),
        product: terms.product(),
        instruction: terms.instruction.clone(),
        complete_by: None,
    };
    let mut order = Order::accept(acceptance, now);
    let _ = order.approve(&"chloe".into(), now);
    let _ = order.reject(RejectionReason::RefusedByScheme, now);
    let day = jiff::civil::date(1970, 1, 1);
    let occurrence = Occurrence { number: 1, due_on: day, paid_on: day, amount, is_last: true };
    let payments = vec![PaymentExecution::due(id, &occurrence, now)];
    Ok(OrderDetails { order, payments })
}

#[async_trait]
impl SandboxControls for RecordingControls {
    fn caused_by(self: Arc<Self>, _: &FapiInteractionId) -> Arc<dyn SandboxControls> {
        self
    }

    async fn clock(&self) -> Result<Timestamp, ControlError> {
        Ok(Timestamp::UNIX_EPOCH)
    }

    async fn clock_move(&self, to: ClockMove) -> Result<Timestamp, ControlError> {
        self.moves.lock().push(to);
        Ok(Timestamp::UNIX_EPOCH)
    }

    async fn due_work_run_all(&self, _: Duration) -> Result<Vec<&'static str>, ControlError> {
        Ok(Vec::new())
    }

    async fn due_work_list(&self) -> Result<Vec<&'static str>, ControlError> {
        Ok(vec!["bank-work"])
    }

    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError> {
        Err(ControlError::Broken("a secret".into()))
    }

    async fn customer_unlock(&self, _: &PsuId) -> Result<(), ControlError> {
        Err(ControlError::not_found("nobody"))
    }

    async fn customer_change(&self, _: &PsuId, change: &CustomerChange) -> Result<CustomerView, ControlError> {
        self.customers.lock().push(change.clone());
        Err(ControlError::not_found("nobody"))
    }

    async fn consent_authorise(&self, id: &ConsentId, decision: &ConsentDecision) -> Result<Consent, ControlError> {
        self.decisions.lock().push(decision.clone());
        match id.as_str() {
            "none" => Err(ControlError::not_found("none")),
            "over" => Err(ControlError::conflict("over")),
            _ => Ok(consent(id, ConsentState::Authorised)),
        }
    }

    async fn consent_revoke(&self, id: &ConsentId) -> Result<Consent, ControlError> {
        Ok(consent(id, ConsentState::Revoked(RevokedBy::Psu)))
    }

    async fn account_close(&self, id: &BankAccountId, end: AccountClosure) -> Result<ClosedAccount, ControlError> {
        self.ends.lock().push((id.clone(), end));
        Err(ControlError::conflict("not open"))
    }

    async fn account_change(&self, _: &BankAccountId, change: &AccountEdit) -> Result<AccountView, ControlError> {
        self.changes.lock().push(change.clone());
        Err(ControlError::conflict("not open"))
    }

    async fn entry_add(&self, account: &BankAccountId, entry: NewEntry) -> Result<AddedEntry, ControlError> {
        self.entries.lock().push(entry.clone());
        let status = if entry.is_pending { EntryStatus::Pending } else { EntryStatus::Booked };
        Ok(AddedEntry {
            id: "e-1".into(),
            account: account.clone(),
            minor: entry.minor,
            currency: entry.currency,
            status,
            booked_at_micros: 0,
            reference: entry.reference,
            information: None,
            balance_minor: (!entry.is_pending).then_some(-150),
        })
    }

    async fn reset(&self, to: ResetContents) -> Result<Timestamp, ControlError> {
        self.beginnings.lock().push(to);
        Ok(Timestamp::UNIX_EPOCH)
    }

    async fn snapshot(&self, action: SnapshotAction, name: &SnapshotName) -> Result<Snapshot, ControlError> {
        self.snapshots.lock().push((action, name.clone()));
        match action {
            SnapshotAction::Save => Ok(snapshot(name)),
            SnapshotAction::Load | SnapshotAction::Delete => Err(ControlError::not_found("none")),
        }
    }

    async fn snapshots(&self) -> Result<Vec<Snapshot>, ControlError> {
        Ok(self.snapshots.lock().iter().map(|(_, name)| snapshot(name)).collect())
    }

    async fn order(&self, id: &OrderId) -> Result<OrderDetails, ControlError> {
        known(id)
    }

    async fn order_outcome(&self, id: &OrderId, outcome: OrderOutcome) -> Result<OrderDetails, ControlError> {
        self.outcomes.lock().push(outcome);
        known(id)
    }

    async fn order_plan(&self, _: &ConsentId, plan: OrderPlan) -> Result<(), ControlError> {
        self.plans.lock().push(plan);
        Ok(())
    }

    async fn order_countersign(
        &self,
        id: &OrderId,
        psu: &PsuId,
        says: CountersignDecision,
    ) -> Result<OrderDetails, ControlError> {
        self.countersigned.lock().push((psu.clone(), says));
        known(id)
    }

    async fn data_export(&self) -> Result<Vec<u8>, ControlError> {
        Ok(b"{}\n".to_vec())
    }

    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError> {
        if file.starts_with(b"[") {
            let fault = |path: &str| DataFileFault { path: path.to_owned(), message: "Is wrong.".to_owned() };
            return Err(ControlError::Faulty(vec![fault("A[0]"), fault("B")]));
        }
        let transactions = file.len().try_into().unwrap_or(u64::MAX);
        Ok(ImportSummary { customers: 1, accounts: u64::from(rebase), statements: 0, transactions })
    }

    async fn events_raise(&self, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError> {
        Ok((0..count).map(|number| EventId::from(format!("{client}-{number}"))).collect())
    }
}
