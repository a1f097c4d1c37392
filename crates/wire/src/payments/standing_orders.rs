//! The initiations of standing orders. The schedule and the reference have a form of their own in each version. Source: SO-001
//! to SO-015, section 10.2.

use super::common_members::CommonMembers;
use super::forms::PaymentForms;
use super::international::{InternationalMembers, SinglePayment};
use super::requested::RequestedPayment;
use super::requested_schedule::{RequestedSchedule, ScheduleMembers};
use super::schedule_end::{Count, ScheduleEndMembers, SingleScheduleEnd};
use super::values::LondonDay;
use crate::parse::object;
use lombard_domain::account::MandateTerms;
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::{Schedule, ScheduleEnd, Timing, Transfer, TransferDetails};

impl RequestedSchedule {
    /// The timing, with the amounts of the payments after the first.
    const fn timing(&self, end: ScheduleEnd, regular: Option<Amount>, last: Option<Amount>) -> Timing {
        let Self { frequency, first_on, recurring_from, .. } = *self;
        Timing::StandingOrder(Schedule { frequency, first_on, recurring_from, end, regular, last })
    }
}

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, SO-015.
    struct DomesticMembers<V: PaymentForms>: Closed {
        optional count: Count = "NumberOfPayments",
        required first: Amount = "FirstPaymentAmount",
        optional regular: Amount = "RecurringPaymentAmount",
        optional last: Amount = "FinalPaymentAmount",
        ..schedule: V::DomesticSchedule,
        ..common: CommonMembers<V>,
    }
}

object! {
    /// Source: `OBWriteInternationalStandingOrder4/Data/Initiation`, SO-014, SO-015.
    struct AllInternationalMembers<V: PaymentForms>: Closed {
        optional count: Count = "NumberOfPayments",
        ..schedule: V::InternationalSchedule,
        ..payment: InternationalMembers<V>,
    }
}

/// The end of both products is a number of payments, or a date of the schedule. Source: SO-010, V4-012.
macro_rules! ended {
    ($($members:ident: $schedule:ident;)*) => {$(
        impl<V: PaymentForms> ScheduleEndMembers for $members<V> {
            const DAYS_IN: Option<&'static str> = <V::$schedule as ScheduleMembers>::DAYS_IN;

            fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
                (self.count.as_ref(), self.schedule.final_on())
            }
        }
    )*};
}

ended! {
    DomesticMembers: DomesticSchedule;
    AllInternationalMembers: InternationalSchedule;
}

/// A domestic standing order.
pub(crate) type Domestic<V> = SingleScheduleEnd<DomesticMembers<V>>;

/// An international standing order.
pub(crate) type International<V> = SingleScheduleEnd<AllInternationalMembers<V>>;

impl<V: PaymentForms> From<Domestic<V>> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: Domestic<V>) -> Self {
        let schedule: RequestedSchedule = it.schedule.into();
        let timing = schedule.timing(end, it.regular, it.last);
        let legacy_frequency = schedule.is_legacy;
        let (credit, details, debtor) = it.common.credit(None, None, schedule.references);
        let transfer =
            Transfer::domestic(credit, it.first, timing).with_details(with_mandate(details, schedule.mandate));
        Self { legacy_frequency, ..Self::paying(transfer, debtor) }
    }
}

impl<V: PaymentForms> From<International<V>> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: International<V>) -> Self {
        let schedule: RequestedSchedule = it.schedule.into();
        let timing = schedule.timing(end, None, None);
        let legacy_frequency = schedule.is_legacy;
        let (transfer, details, debtor) = it.payment.requested(SinglePayment::default(), schedule.references, timing);
        let transfer = transfer.with_details(with_mandate(details, schedule.mandate));
        Self { legacy_frequency, ..Self::paying(transfer, debtor) }
    }
}

fn with_mandate(details: TransferDetails, mandate: MandateTerms) -> TransferDetails {
    TransferDetails { mandate: (mandate != MandateTerms::default()).then_some(mandate), ..details }
}
