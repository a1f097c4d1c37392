//! A payment order, its creation and its status.

use super::{
    ApprovalStatus, Approvals, DetailedStatus, Instruction, PaymentStatus, RejectionReason, StatusChange,
    StatusHistory, SummaryStatus, Transition,
};
use crate::core_state::CoreState;
use crate::event::{ChangeKind, EventResource, ResourceChange};
use crate::ids::{BankAccountId, ClientId, ConsentId, FapiInteractionId, OrderId, PsuId};
use crate::payment::PaymentProduct;
use crate::payment::file::FileProgress;
use crate::payment::transfer::PaymentConditions;
use crate::submitted::Submitted;
use crate::version::Version;
use jiff::Timestamp;
use std::net::IpAddr;

/// A payment order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its id.
    pub id: OrderId,
    /// The TPP that created it.
    pub client: ClientId,
    /// The consent under which it was created.
    pub consent: ConsentId,
    /// Its product.
    pub product: PaymentProduct,
    /// The version in which it was created; the consent's version. Source: PIS-160.
    pub version: Version,
    /// The instruction of the consent, or the payment requested within its limits.
    pub instruction: Instruction,
    /// The debtor account, as the PSU selected it. Source: PIS-035.
    pub debtor: BankAccountId,
    /// The customer who authorised the consent.
    pub psu: PsuId,
    /// When it was created (bank clock).
    pub created_at: Timestamp,
    /// Its statuses, past and present.
    pub status_history: StatusHistory,
    /// Its multi-authorisation; `None` if one PSU is enough. Source: PIS-112.
    pub approvals: Option<Approvals>,
    /// The charges and expected times.
    pub conditions: PaymentConditions,
    /// Why it was rejected or cancelled.
    pub reason: Option<RejectionReason>,
    /// The PSU's IP address, if the TPP sent it; the PSU was present then. Source: PIS-014.
    pub customer_address: Option<IpAddr>,
    /// The submitted request, if it differs from the consent's. Source: VRP-059.
    pub submitted: Option<Submitted>,
    /// The progress of a file's payments.
    pub progress: Option<FileProgress>,
    /// The interaction id of the request that created it; `None` for orders of older releases. Events name it as the cause
    /// of later status changes by the bank. Source: SET-016.
    pub interaction_id: Option<FapiInteractionId>,
    /// The state that the core set on the order when it was submitted.
    pub core_state: Option<CoreState>,
}

/// The data of an order to be created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// Its id.
    pub id: OrderId,
    /// The TPP.
    pub client: ClientId,
    /// The consent, which is consumed in the same transaction or whose limit usage is counted there.
    pub consent: ConsentId,
    /// The product.
    pub product: PaymentProduct,
    /// The instruction.
    pub instruction: Instruction,
    /// The TPP's deadline for approvals.
    pub complete_by: Option<Timestamp>,
    /// The version in which it is created.
    pub version: Version,
    /// The debtor account that the PSU selected.
    pub debtor: BankAccountId,
    /// The customer who authorised the consent.
    pub psu: PsuId,
    /// The number of PSUs who must authorise, by the account's mandate.
    pub authorisers: u16,
    /// The bank's conditions for the consent.
    pub conditions: PaymentConditions,
}

impl Order {
    /// Creates an order. Its status is received, or partially authorised if further PSUs must approve. Source: PIS-042,
    /// PIS-044, PIS-112.
    pub fn accept(with: NewOrder, now: Timestamp) -> Self {
        let product = with.product;
        let required = if product.allows_several_authorisers() { with.authorisers } else { 1 };
        // The deadline for approvals is never later than the bank's last acceptance (PIS-109).
        let in_time = [with.complete_by, with.conditions.latest_acceptance()].into_iter().flatten().min();
        let approvals = Approvals::starting_with(required, &with.psu, in_time, now);
        let status = if approvals.is_some() { PaymentStatus::PartiallyAuthorised } else { PaymentStatus::Received };
        Self {
            id: with.id,
            client: with.client,
            consent: with.consent,
            product,
            version: with.version,
            instruction: with.instruction,
            debtor: with.debtor,
            psu: with.psu,
            created_at: now,
            status_history: StatusHistory::starting_with(StatusChange {
                status: DetailedStatus::Payment(status),
                warehoused: false,
                at: now,
            }),
            approvals,
            conditions: with.conditions.expected_from(now),
            reason: None,
            customer_address: None,
            submitted: None,
            progress: None,
            interaction_id: None,
            core_state: None,
        }
    }

    /// Sets the expected execution and settlement times; neither is earlier than the creation. Source: PIS-104.
    pub fn set_expected_times(&mut self, execution_at: Option<Timestamp>, settlement_at: Option<Timestamp>) {
        let told = PaymentConditions { execution_at, settlement_at, ..std::mem::take(&mut self.conditions) };
        self.conditions = told.expected_from(self.created_at);
    }

    /// Its status in the detail of v4.0.
    pub fn detailed_status(&self) -> DetailedStatus {
        self.status_history.current().status
    }

    /// The order as the resource of an event.
    pub fn as_resource(&self) -> EventResource {
        EventResource { kind: self.product.order_resource_type(), id: self.id.as_str().into(), version: self.version }
    }

    /// The change that a transition reports; `None` if the order's version does not show it. Source: SET-036.
    pub fn change(&self, moved: Transition) -> Option<ResourceChange> {
        moved.is_visible(self.version).then(|| ResourceChange {
            client: self.client.clone(),
            resource: self.as_resource(),
            kind: ChangeKind::StatusChanged,
            interaction_id: self.interaction_id.clone(),
        })
    }

    /// Whether the bank may execute the order: all approvals were given, and the order is neither decided nor warehoused.
    pub fn is_ready(&self) -> bool {
        let agreed = self.approvals.as_ref().is_none_or(|it| it.status == ApprovalStatus::Authorised);
        let preparing = match self.detailed_status() {
            DetailedStatus::Payment(status) => status.is_preparing(),
            DetailedStatus::SetUp | DetailedStatus::SetUpFailed => false,
        };
        agreed && preparing && !self.status_history.current().warehoused
    }

    /// Whether the order counts towards the limits of its VRP consent. A rejected order does not count, nor, in v4.0, a blocked
    /// one. Source: VRP-040.
    pub fn uses_limits(&self) -> bool {
        let is_blocked = self.detailed_status() == DetailedStatus::Payment(PaymentStatus::Blocked);
        let frees_limits = match self.version {
            Version::V3_1 => false,
            Version::V4_0 => is_blocked,
        };
        self.summary_status() != SummaryStatus::Rejected && !frees_limits
    }

    /// Its status in the detail of v3.1.
    pub fn summary_status(&self) -> SummaryStatus {
        self.status_history.current().summary(self.product.family())
    }
}
