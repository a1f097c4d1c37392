//! The schedules of standing orders in v3.1. Source: SO-001 to SO-015.

use crate::parse::{FromJson, NotPart, object};
use crate::payments::requested_schedule::{RequestedSchedule, ScheduleMembers};
use crate::payments::values::{LondonDay, RailText};
use lombard_domain::account::MandateTerms;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::transfer::References;

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, `OBWriteInternationalStandingOrder4/Data/Initiation`.
    struct Schedule<R: FromJson>: Closed {
        required frequency: Frequency = "Frequency",
        optional reference: RailText<1, 35> = "Reference",
        required first_on: LondonDay = "FirstPaymentDateTime",
        optional recurring_from: R = "RecurringPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
    }
}

/// A domestic schedule, whose second payment may be on a separate day.
pub(crate) type DomesticSchedule = Schedule<LondonDay>;

/// An international schedule, which has no separate day for the second payment.
pub(crate) type InternationalSchedule = Schedule<NotPart<LondonDay>>;

impl<R: FromJson + Into<Option<LondonDay>>> ScheduleMembers for Schedule<R> {
    const DAYS_IN: Option<&'static str> = None;

    fn final_on(&self) -> Option<&LondonDay> {
        self.final_on.as_ref()
    }
}

impl<R: FromJson + Into<Option<LondonDay>>> From<Schedule<R>> for RequestedSchedule {
    fn from(it: Schedule<R>) -> Self {
        Self {
            frequency: it.frequency,
            is_legacy: false,
            first_on: it.first_on.0,
            recurring_from: it.recurring_from.and_then(Into::into).map(|day| day.0),
            references: References { reference: it.reference.map(|text| text.0), ..References::default() },
            mandate: MandateTerms::default(),
        }
    }
}
