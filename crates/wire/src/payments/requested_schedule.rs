//! The schedule of a standing order as a version's request states it. Source: SO-001 to SO-015, section 10.2.

use super::values::LondonDay;
use crate::parse::ObjectMembers;
use jiff::civil::Date;
use lombard_domain::account::MandateTerms;
use lombard_domain::frequency::Frequency;
use lombard_domain::payment::transfer::References;

/// The members that state when a standing order pays, and with which reference.
pub(crate) trait ScheduleMembers: ObjectMembers + Into<RequestedSchedule> {
    /// The member that holds the days, if it is not the initiation itself. Source: section 10.2.
    const DAYS_IN: Option<&'static str>;

    /// The final day, if present.
    fn final_on(&self) -> Option<&LondonDay>;
}

/// A parsed schedule without its end, and the references.
#[derive(Debug)]
pub(crate) struct RequestedSchedule {
    pub(crate) frequency: Frequency,
    /// Whether the frequency is a pattern of v3.1 where v4.0 has codes. Source: V4-017.
    pub(crate) is_legacy: bool,
    pub(crate) first_on: Date,
    pub(crate) recurring_from: Option<Date>,
    pub(crate) references: References,
    /// The terms of the mandate.
    pub(crate) mandate: MandateTerms,
}
