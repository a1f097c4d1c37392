//! The schedules of standing orders in v4.0: a mandate in place of frequency and dates, and remittance information in place of
//! the reference. Source: section 10.2, X-27.

use super::mandate::Mandate;
use super::remittance::Remittance;
use crate::parse::object;
use crate::payments::codes::DocumentType;
use crate::payments::requested_schedule::{RequestedSchedule, ScheduleMembers};
use crate::payments::values::LondonDay;

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, `OBWriteInternationalStandingOrder4/Data/Initiation`.
    struct Schedule: Closed {
        required mandate: Mandate = "MandateRelatedInformation",
        optional remittance: Remittance<DocumentType> = "RemittanceInformation",
    }
}

impl ScheduleMembers for Schedule {
    const DAYS_IN: Option<&'static str> = Some("MandateRelatedInformation");

    fn final_on(&self) -> Option<&LondonDay> {
        self.mandate.final_on.as_ref()
    }
}

impl From<Schedule> for RequestedSchedule {
    fn from(Schedule { mandate, remittance }: Schedule) -> Self {
        let Mandate { frequency, is_legacy, first_on, recurring_from, final_on: _, terms } = mandate;
        let references = remittance.map(Into::into).unwrap_or_default();
        Self { frequency, is_legacy, first_on, recurring_from, references, mandate: terms }
    }
}
