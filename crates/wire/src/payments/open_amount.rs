//! The amounts of VRP requests and of regulatory reports. They differ from those of other requests by accepting unknown members,
//! which are stored and echoed (PIS-157, VRP-014).

use crate::parse::{FaultCollector, FromJson, JsonPath, ObjectSource, Stopped, object};
use crate::payments::values::{DecimalText, amount};
use lombard_domain::money::{Amount, Currency};
use serde_json::Value;

object! {
    /// Source: `OBActiveOrHistoricCurrencyAndAmount`.
    struct MoneyMembers: Open {
        required amount: DecimalText = "Amount",
        required currency: Currency = "Currency",
    }
}

/// An amount in an object that may have unknown members. Source: PIS-120, PIS-121.
#[derive(Debug)]
pub(crate) struct OpenAmount(pub(crate) Amount);

impl FromJson for OpenAmount {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        MoneyMembers::schema()
    }

    fn object(
        reader: &FaultCollector,
        at: &JsonPath<'_>,
        members: &mut dyn ObjectSource,
    ) -> Result<Option<Self>, Stopped> {
        let members = MoneyMembers::object(reader, at, members)?;
        Ok(members.and_then(|it| amount(reader, at, &it.amount, it.currency)).map(Self))
    }
}
