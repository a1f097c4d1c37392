//! A payment order: what it is made of, and what its state says.

use super::{
    ApprovalStatus, Approvals, DetailedStatus, Instruction, PaymentConditions, PaymentProduct, PaymentStatus,
    RejectionReason, StatusChange, StatusHistory, SummaryStatus, Transition,
};
use crate::consent::Submitted;
use crate::event::{ChangeKind, EventResource, ResourceChange};
use crate::file::FileProgress;
use crate::ids::{BankAccountId, ClientId, ConsentId, FapiInteractionId, OrderId, PsuId};
use crate::version::Version;
use jiff::Timestamp;
use std::net::IpAddr;

/// A payment order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Its id.
    pub id: OrderId,
    /// The TPP that made it.
    pub client: ClientId,
    /// The consent it was made under.
    pub consent: ConsentId,
    /// Which product it is of.
    pub product: PaymentProduct,
    /// The version it was made in; that of its consent. Source: PIS-160.
    pub version: Version,
    /// What is to be paid: the consent's instruction, or what was asked for within its limits.
    pub instruction: Instruction,
    /// The account that is debited: the one the customer chose, for good. Source: PIS-035.
    pub debtor: BankAccountId,
    /// The customer who authorised the consent.
    pub psu: PsuId,
    /// When it was made (bank clock).
    pub created_at: Timestamp,
    /// Where it stands and stood.
    pub status_history: StatusHistory,
    /// Who else must agree, if anybody. Source: PIS-112.
    pub approvals: Option<Approvals>,
    /// Charges and expected times.
    pub conditions: PaymentConditions,
    /// Why it was refused or taken back.
    pub reason: Option<RejectionReason>,
    /// Where the customer was when it was ordered, if the TPP said so: then the customer was there. Source: PIS-014.
    pub customer_address: Option<IpAddr>,
    /// What the TPP submitted for it, where that is more than it submitted for the consent. Source: VRP-059.
    pub submitted: Option<Submitted>,
    /// How far its payments have come, of a file.
    pub progress: Option<FileProgress>,
    /// The interaction id of the call that made it; none of orders that older versions of this program made. It causes
    /// whatever the bank does to the order later. Source: SET-016.
    pub cause: Option<FapiInteractionId>,
}

/// What an order is made of, besides the consent's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrder {
    /// The id it gets.
    pub id: OrderId,
    /// The TPP.
    pub client: ClientId,
    /// The consent: consumed in the same transaction, or one whose limits it was counted against.
    pub consent: ConsentId,
    /// The product.
    pub product: PaymentProduct,
    /// What is to be paid.
    pub instruction: Instruction,
    /// Until when the TPP lets the customers agree.
    pub complete_by: Option<Timestamp>,
    /// The version it is made in.
    pub version: Version,
    /// The account the customer chose.
    pub debtor: BankAccountId,
    /// The customer who authorised the consent.
    pub psu: PsuId,
    /// How many customers must agree in all; the account's mandate says.
    pub authorisers: u16,
    /// What the bank said to the consent.
    pub conditions: PaymentConditions,
}

impl Order {
    /// Makes an order. It is received, or waits for the customers that must agree beside the first.
    /// Source: PIS-042, PIS-044, PIS-112.
    pub fn accept(with: NewOrder, now: Timestamp) -> Self {
        let product = with.product;
        let required = if product.allows_several_authorisers() { with.authorisers } else { 1 };
        // Nobody may agree to what would come too late: the customers' time ends with the bank's at the latest (PIS-109).
        let in_time = [with.complete_by, with.conditions.latest_acceptance()].into_iter().flatten().min();
        let approvals = Approvals::begun(required, &with.psu, in_time, now);
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
                stage: DetailedStatus::Payment(status),
                warehoused: false,
                at: now,
            }),
            approvals,
            conditions: with.conditions.expected_from(now),
            reason: None,
            customer_address: None,
            submitted: None,
            progress: None,
            cause: None,
        }
    }

    /// Notes when the bank expects it to leave and to arrive: never before it was made. Source: PIS-104.
    pub fn set_expected_times(&mut self, execution_at: Option<Timestamp>, settlement_at: Option<Timestamp>) {
        let told = PaymentConditions { execution_at, settlement_at, ..std::mem::take(&mut self.conditions) };
        self.conditions = told.expected_from(self.created_at);
    }

    /// Where it stands.
    pub fn detailed_status(&self) -> DetailedStatus {
        self.status_history.current().stage
    }

    /// The order as events speak of it.
    pub fn as_resource(&self) -> EventResource {
        EventResource { kind: self.product.order(), id: self.id.as_str().into(), version: self.version }
    }

    /// What its TPP is told of a move, if its version shows it. Source: SET-036.
    pub fn change(&self, moved: Transition) -> Option<ResourceChange> {
        moved.is_visible(self.version).then(|| ResourceChange {
            client: self.client.clone(),
            resource: self.as_resource(),
            kind: ChangeKind::StatusChanged,
            cause: self.cause.clone(),
        })
    }

    /// Whether the bank may begin with it: nobody else has to agree, and it is not decided.
    pub fn is_ready(&self) -> bool {
        let agreed = self.approvals.as_ref().is_none_or(|it| it.status == ApprovalStatus::Authorised);
        let preparing = match self.detailed_status() {
            DetailedStatus::Payment(status) => status.is_preparing(),
            DetailedStatus::SetUp | DetailedStatus::SetUpFailed => false,
        };
        agreed && preparing && !self.status_history.current().warehoused
    }

    /// Where it stands, as coarsely as v3.1 tells.
    pub fn summary_status(&self) -> SummaryStatus {
        self.status_history.current().summary(self.product.family())
    }
}
