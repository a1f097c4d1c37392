//! What became of orders.

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
use lombard_ports::bank::{OrderUpdate, PaymentUpdate, StatusUpdate};

objects! {
    /// A status update of an order at the bank.
    StatusUpdate as "StatusUpdate" {
        /// The order.
        order: needed(AsciiKey<128>, "OrderId");
        /// The number of the update within its order, from 1 without gaps.
        number: needed(FormOf<u32>, "Number");
        /// When it happened (bank clock).
        at: needed(FormOf<Timestamp>, "DateTime");
        change: flat(OrderUpdate);
    }

    /// The present status of a payment of an order.
    PaymentUpdate as "PaymentUpdate" {
        /// The number of the payment, from 1; always 1 for a single payment.
        number: needed(FormOf<u32>, "Number");
        /// The day in the schedule.
        due_on: needed(FormOf<Date>, "DueDate");
        /// The day of execution.
        paid_on: needed(FormOf<Date>, "PaymentDate");
        /// The amount.
        amount: needed(FormOf<Amount>, "Amount");
        /// The status.
        status: needed(FormOf<PaymentStatus>, "Status");
        /// Why it was rejected.
        reason: maybe(FormOf<RejectionReason>, "Reason");
        /// The status on the rail.
        detail: maybe(FormOf<RailDetail>, "StatusDetail");
    }

    /// The status of a payment on its rail.
    RailDetail as "StatusDetail" {
        /// The rail.
        instrument: maybe(FormOf<Instrument>, "LocalInstrument");
        /// The rail's own status, 1 to 128 characters.
        status: needed(BoundedText<128>, "Status");
        /// The reason for that status.
        reason: maybe(FormOf<DetailReason>, "StatusReason");
        /// The reason in words, 1 to 256 characters.
        description: maybe(BoundedText<256>, "StatusReasonDescription");
    }
}

/// The kinds of update.
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
        list.needed::<FormOf<UpdateWord>>("Change", about);
        list.maybe::<FormOf<RejectionReason>>("Reason", "Why the order was refused or cancelled.");
        let about = "When the order is expected to be executed, if its times changed.";
        list.maybe::<FormOf<Timestamp>>("ExpectedExecutionDateTime", about);
        let about = "When the order is expected to be settled, if its times changed.";
        list.maybe::<FormOf<Timestamp>>("ExpectedSettlementDateTime", about);
        list.maybe::<FormOf<PaymentUpdate>>("Payment", "The payment that has a new status.");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let word = members.needed::<UpdateWord, FormOf<UpdateWord>>("Change");
        let reason = members.maybe::<RejectionReason, FormOf<RejectionReason>>("Reason");
        let execution_at = members.maybe::<Timestamp, FormOf<Timestamp>>("ExpectedExecutionDateTime");
        let settlement_at = members.maybe::<Timestamp, FormOf<Timestamp>>("ExpectedSettlementDateTime");
        let payment = members.maybe::<PaymentUpdate, FormOf<PaymentUpdate>>("Payment");
        let (word, reason, execution_at, settlement_at, payment) =
            (word?, reason?, execution_at?, settlement_at?, payment?);
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

    fn put(value: &Self, object: &mut MemberWriter) {
        let mut word = |word| object.needed::<_, FormOf<UpdateWord>>("Change", &word);
        match value {
            Self::Warehoused => word(UpdateWord::Warehoused),
            Self::Refused(reason) => {
                word(UpdateWord::Refused);
                object.needed::<_, FormOf<RejectionReason>>("Reason", reason);
            }
            Self::Cancelled(reason) => {
                word(UpdateWord::Cancelled);
                object.needed::<_, FormOf<RejectionReason>>("Reason", reason);
            }
            Self::TimesChanged { execution_at, settlement_at } => {
                word(UpdateWord::TimesChanged);
                object.maybe::<_, FormOf<Timestamp>>("ExpectedExecutionDateTime", execution_at);
                object.maybe::<_, FormOf<Timestamp>>("ExpectedSettlementDateTime", settlement_at);
            }
            Self::PaymentChanged(payment) => {
                word(UpdateWord::PaymentChanged);
                object.needed::<_, FormOf<PaymentUpdate>>("Payment", payment);
            }
        }
    }
}
