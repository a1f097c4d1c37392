//! The time of a payment: at once, on a day, or on the days of a standing order.

use crate::form::faults::JsonLocation;
use crate::form::schema::MemberList;
use crate::form::shape::{FormOf, MemberReader, MemberWriter, ObjectForm};
use crate::objects;
use crate::records::AnyFrequency;
use jiff::civil::Date;
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::{Schedule, ScheduleEnd, Timing};
use std::num::NonZeroU16;

objects! {
    /// A schedule of payments. Its days are London's.
    Schedule as "Schedule" {
        /// The frequency.
        frequency: required(AnyFrequency, "Frequency");
        /// The day of the first payment, independent of the frequency.
        first_on: required(FormOf<Date>, "FirstPaymentDate");
        /// The day of the second payment, if the first does not imply it. Equal to the first day it has no effect.
        recurring_from: optional(FormOf<Date>, "RecurringPaymentDate");
        end: flat(ScheduleEnd);
        /// The amount of the payments after the first, if different.
        regular: optional(FormOf<Amount>, "RecurringPaymentAmount");
        /// The amount of the last payment, if different.
        last: optional(FormOf<Amount>, "FinalPaymentAmount");
    }
}

/// The form of a payment's time. An immediate payment has none of the members.
impl ObjectForm for Timing {
    type Value = Self;

    fn name() -> String {
        "Timing".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about = "The day of execution, in London. A payment without it and without a schedule is executed at once.";
        list.optional::<FormOf<Date>>("RequestedExecutionDate", about);
        list.optional::<FormOf<Schedule>>("StandingOrder", "The schedule of a standing order.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let day = members.optional::<Date, FormOf<Date>>("RequestedExecutionDate");
        let schedule = members.optional::<Schedule, FormOf<Schedule>>("StandingOrder");
        match (day?, schedule?) {
            (None, None) => Some(Self::Immediate),
            (Some(day), None) => Some(Self::Scheduled(day)),
            (None, Some(schedule)) => Some(Self::StandingOrder(schedule)),
            (Some(_), Some(_)) => {
                members.reader.fault(members.at, "Must not have both RequestedExecutionDate and StandingOrder.")
            }
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        match value {
            Self::Immediate => {}
            Self::Scheduled(day) => object.required::<_, FormOf<Date>>("RequestedExecutionDate", day),
            Self::StandingOrder(schedule) => object.required::<_, FormOf<Schedule>>("StandingOrder", schedule),
        }
    }
}

/// The form of a schedule's end. A schedule without an end has none of the members.
impl ObjectForm for ScheduleEnd {
    type Value = Self;

    fn name() -> String {
        "ScheduleEnd".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        let about =
            "The number of payments, the first included. A schedule without it and without a last day has no end.";
        list.optional::<FormOf<u16>>("NumberOfPayments", about);
        list.optional::<FormOf<Date>>("FinalPaymentDate", "The day of the last payment.");
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let count = members.optional::<u16, FormOf<u16>>("NumberOfPayments");
        let day = members.optional::<Date, FormOf<Date>>("FinalPaymentDate");
        match (count?, day?) {
            (None, None) => Some(Self::Open),
            (None, Some(day)) => Some(Self::On(day)),
            (Some(count), None) => match NonZeroU16::new(count) {
                Some(count) => Some(Self::After(count)),
                None => {
                    members.reader.fault(&JsonLocation::Member(members.at, "NumberOfPayments"), "Must be at least 1.")
                }
            },
            (Some(_), Some(_)) => {
                members.reader.fault(members.at, "Must not have both NumberOfPayments and FinalPaymentDate.")
            }
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        match value {
            Self::Open => {}
            Self::After(count) => object.required::<_, FormOf<u16>>("NumberOfPayments", &count.get()),
            Self::On(day) => object.required::<_, FormOf<Date>>("FinalPaymentDate", day),
        }
    }
}
