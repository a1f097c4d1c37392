//! The end of a standing order: a number of payments, a day, or none.

use super::values::LondonDay;
use crate::parse::schema::text;
use crate::parse::{FaultCollector, FromJson, JsonPath, ObjectSource, Stopped};
use lombard_domain::payment::transfer::ScheduleEnd;
use lombard_domain::refusal::FaultCode;
use serde_json::Value;
use std::num::NonZeroU16;

/// The members of a standing order, including both ways to end it.
pub(crate) trait ScheduleEndMembers: FromJson {
    /// The member that holds the final day, if it is not in the initiation itself. Source: section 10.2.
    const DAYS_IN: Option<&'static str>;

    /// The number of payments and the final day, as far as present.
    fn ends(&self) -> (Option<&Count>, Option<&LondonDay>);
}

/// A standing order with at most one kind of end.
#[derive(Debug)]
pub(crate) struct SingleScheduleEnd<M> {
    pub(crate) members: M,
    pub(crate) end: ScheduleEnd,
}

/// Parses the standing order and reports a fault if it has both kinds of end. Source: SO-010.
impl<M: ScheduleEndMembers> FromJson for SingleScheduleEnd<M> {
    const WANTED: &'static str = M::WANTED;

    fn schema() -> Value {
        M::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let Some(members) = M::object(reader, at, members)? else { return Ok(None) };
        let end = match members.ends() {
            (None, None) => ScheduleEnd::Open,
            (Some(Count(count)), None) => ScheduleEnd::After(*count),
            (None, Some(LondonDay(day))) => ScheduleEnd::On(*day),
            (Some(_), Some(_)) => {
                let message = "A standing order ends after a number of payments or on a date, not both.";
                let days = M::DAYS_IN.map(|name| at.member(name));
                let at = days.as_ref().unwrap_or(at);
                reader.fault(FaultCode::FieldUnexpected, &at.member("FinalPaymentDateTime"), message);
                return Ok(None);
            }
        };
        Ok(Some(Self { members, end }))
    }
}

/// A number of payments: a string of 1 to 4 digits without leading zeros. Source: SO-011.
#[derive(Debug)]
pub(crate) struct Count(pub(crate) NonZeroU16);

impl FromJson for Count {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text("^[1-9][0-9]{0,3}$")
    }

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let plain = text.len() <= 4 && !text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit());
        let count = text.parse().ok().filter(|_| plain).map(Self);
        if count.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must be a whole number from 1 to 9999, without leading zeros.");
        }
        count
    }
}
