//! Status updates of orders.

use crate::form::faults::JsonLocation;
use crate::form::schema::MemberList;
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm};
use crate::form::values::{AsciiKey, BoundedText};
use crate::form::words::words;
use crate::objects;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{DetailReason, PaymentStatus, RailDetail, RejectionReason};
use lombard_domain::payment::transfer::Instrument;
use lombard_ports::bank::{OrderStanding, OrderUpdate, PaymentUpdate, StatusUpdate};

objects! {
    /// A status update of an order at the bank.
    StatusUpdate as "StatusUpdate" {
        /// The order.
        order: required(AsciiKey<128>, "OrderId");
        /// The number of the update within its order, from 1 without gaps.
        number: required(FormOf<u32>, "Number");
        /// When it happened (bank clock).
        at: required(FormOf<Timestamp>, "DateTime");
        change: flat(OrderUpdate);
    }

    /// An order that the core holds, and how it stands.
    OrderStanding as "OrderStanding" {
        /// The order.
        id: required(AsciiKey<128>, "OrderId");
        /// The debtor account.
        debtor: required(AsciiKey<40>, "DebtorAccountId");
        /// The instructed amount; of a standing order, that of its first payment.
        amount: required(FormOf<Amount>, "InstructedAmount");
        /// When the core received the order, by the bank's clock. It never changes.
        received_at: required(FormOf<Timestamp>, "ReceivedDateTime");
        /// The number of the order's last status update; 0 if it has none yet.
        last_update: required(FormOf<u32>, "LastNumber");
        /// The number up to which the status updates are acknowledged; 0 if none is.
        acknowledged: required(FormOf<u32>, "AcknowledgedNumber");
        /// The status updates of the order by number, acknowledged or not. Of a single payment all are there; a core may leave out those of
        /// old payments of a standing order.
        updates: list(FormOf<StatusUpdate>, "StatusUpdate");
    }

    /// The present status of a payment of an order.
    PaymentUpdate as "PaymentUpdate" {
        /// The number of the payment, from 1; always 1 for a single payment.
        number: required(FormOf<u32>, "Number");
        /// The day in the schedule.
        due_on: required(FormOf<Date>, "DueDate");
        /// The day of execution.
        paid_on: required(FormOf<Date>, "PaymentDate");
        /// The amount.
        amount: required(FormOf<Amount>, "Amount");
        /// The status.
        status: required(FormOf<PaymentStatus>, "Status");
        /// Why it was rejected.
        reason: optional(FormOf<RejectionReason>, "Reason");
        /// The status on the rail.
        detail: optional(FormOf<RailDetail>, "StatusDetail");
    }

    /// The status of a payment on its rail.
    RailDetail as "StatusDetail" {
        /// The rail.
        instrument: optional(FormOf<Instrument>, "LocalInstrument");
        /// The rail's own status, 1 to 128 characters.
        status: required(BoundedText<128>, "Status");
        /// The reason for that status.
        reason: optional(FormOf<DetailReason>, "StatusReason");
        /// The reason in words, 1 to 256 characters.
        description: optional(BoundedText<256>, "StatusReasonDescription");
    }
}

/// The kinds of status update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UpdateWord {
    Warehoused,
    Refused,
    Cancelled,
    TimesChanged,
    PaymentChanged,
}

words! {
    UpdateWord {
        Warehoused = "Warehoused" Refused = "Refused" Cancelled = "Cancelled" TimesChanged = "TimesChanged"
        PaymentChanged = "PaymentChanged"
    }
}

impl ObjectForm for OrderUpdate {
    type Value = Self;

    fn name() -> String {
        "OrderUpdate".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about = "What changed: the order was warehoused (a scheduled payment, or a standing order that is set up), refused \
                     as a whole before any payment of it was executed, or cancelled while it was warehoused; its expected times \
                     changed; or one of its payments has a new status.";
        list.required::<FormOf<UpdateWord>>("Change", about);
        list.optional::<FormOf<RejectionReason>>("Reason", "Why the order was refused or cancelled.");
        let about = "When the order is expected to be executed, if its times changed.";
        list.optional::<FormOf<Timestamp>>("ExpectedExecutionDateTime", about);
        let about = "When the order is expected to be settled, if its times changed.";
        list.optional::<FormOf<Timestamp>>("ExpectedSettlementDateTime", about);
        list.optional::<FormOf<PaymentUpdate>>("Payment", "The payment that has a new status.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let word = members.required::<UpdateWord, FormOf<UpdateWord>>("Change");
        let reason = members.optional::<RejectionReason, FormOf<RejectionReason>>("Reason");
        let execution_at = members.optional::<Timestamp, FormOf<Timestamp>>("ExpectedExecutionDateTime");
        let settlement_at = members.optional::<Timestamp, FormOf<Timestamp>>("ExpectedSettlementDateTime");
        let payment = members.optional::<PaymentUpdate, FormOf<PaymentUpdate>>("Payment");
        let word = word?;
        let reason = reason?;
        let execution_at = execution_at?;
        let settlement_at = settlement_at?;
        let payment = payment?;
        let missing = match (word, reason, payment) {
            (UpdateWord::Warehoused, ..) => return Some(Self::Warehoused),
            (UpdateWord::Refused, Some(reason), _) => return Some(Self::Refused(reason)),
            (UpdateWord::Cancelled, Some(reason), _) => return Some(Self::Cancelled(reason)),
            (UpdateWord::TimesChanged, ..) => return Some(Self::TimesChanged { execution_at, settlement_at }),
            (UpdateWord::PaymentChanged, _, Some(payment)) => return Some(Self::PaymentChanged(payment)),
            (UpdateWord::Refused | UpdateWord::Cancelled, ..) => "Reason",
            (UpdateWord::PaymentChanged, ..) => "Payment",
        };
        members.reader.fault(&JsonLocation::Member(members.at, missing), "This change needs this member.")
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        let mut word = |word| object.required::<_, FormOf<UpdateWord>>("Change", &word);
        match value {
            Self::Warehoused => word(UpdateWord::Warehoused),
            Self::Refused(reason) => {
                word(UpdateWord::Refused);
                object.required::<_, FormOf<RejectionReason>>("Reason", reason);
            }
            Self::Cancelled(reason) => {
                word(UpdateWord::Cancelled);
                object.required::<_, FormOf<RejectionReason>>("Reason", reason);
            }
            Self::TimesChanged { execution_at, settlement_at } => {
                word(UpdateWord::TimesChanged);
                object.optional::<_, FormOf<Timestamp>>("ExpectedExecutionDateTime", execution_at);
                object.optional::<_, FormOf<Timestamp>>("ExpectedSettlementDateTime", settlement_at);
            }
            Self::PaymentChanged(payment) => {
                word(UpdateWord::PaymentChanged);
                object.required::<_, FormOf<PaymentUpdate>>("Payment", payment);
            }
        }
    }
}
