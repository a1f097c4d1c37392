//! The stored codes of the enumerations of control parameters.

use super::{AuthenticationMethod, CalendarPeriod, InteractionType, LimitPeriod, PeriodCycle, VrpType};
use crate::code::{codes, document_codes, words_in_documents};

document_codes! {
    VrpType {
        Sweeping = "sweeping", Other = "other", Commercial1 = "commercial-1", Commercial2 = "commercial-2",
        Commercial3 = "commercial-3",
    }
    AuthenticationMethod {
        Strong = "strong", NotRequired = "not-required",
    }
    InteractionType {
        InSession = "in-session", OffSession = "off-session",
    }
}

words_in_documents! { PeriodCycle }

codes! {
    PeriodCycle {
        PeriodCycle::Consent(LimitPeriod::Day) => "consent-day" => PeriodCycle::Consent(LimitPeriod::Day),
        PeriodCycle::Consent(LimitPeriod::Week) => "consent-week" => PeriodCycle::Consent(LimitPeriod::Week),
        PeriodCycle::Consent(LimitPeriod::Fortnight) => "consent-fortnight" => PeriodCycle::Consent(LimitPeriod::Fortnight),
        PeriodCycle::Consent(LimitPeriod::Month) => "consent-month" => PeriodCycle::Consent(LimitPeriod::Month),
        PeriodCycle::Consent(LimitPeriod::HalfYear) => "consent-half-year" => PeriodCycle::Consent(LimitPeriod::HalfYear),
        PeriodCycle::Consent(LimitPeriod::Year) => "consent-year" => PeriodCycle::Consent(LimitPeriod::Year),
        PeriodCycle::Calendar(CalendarPeriod::Day) => "calendar-day" => PeriodCycle::Calendar(CalendarPeriod::Day),
        PeriodCycle::Calendar(CalendarPeriod::Week) => "calendar-week" => PeriodCycle::Calendar(CalendarPeriod::Week),
        PeriodCycle::Calendar(CalendarPeriod::Month) => "calendar-month" => PeriodCycle::Calendar(CalendarPeriod::Month),
        PeriodCycle::Calendar(CalendarPeriod::HalfYear) => "calendar-half-year" => PeriodCycle::Calendar(CalendarPeriod::HalfYear),
        PeriodCycle::Calendar(CalendarPeriod::Year) => "calendar-year" => PeriodCycle::Calendar(CalendarPeriod::Year),
    }
}
