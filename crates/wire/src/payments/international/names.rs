//! The enumerations of international payments: one table each.

use crate::parse::{FaultCollector, FromJson, JsonPath};
use crate::payments::names::{codes, names};
use crate::payments::values::{listed, read_codes};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::ExchangeRateType;
use lombard_domain::payment::transfer::Priority;
use lombard_domain::refusal::FaultCode;

codes! {
    /// Source: INT-010, `OBExchangeRate1/RateType`.
    rate_type / read_rate_type(ExchangeRateType) {
        Actual => "Actual",
        Agreed => "Agreed",
        Indicative => "Indicative",
    }
    /// Source: INT-007, `OBPriority2Code`.
    priority / read_priority(Priority) {
        Normal => "Normal",
        Urgent => "Urgent",
    }
}

read_codes! {
    ExchangeRateType: read_rate_type, FieldInvalid, "Must be Actual, Agreed or Indicative.", listed::<Self>();
    Priority: read_priority, FieldInvalid, "Must be Normal or Urgent.", listed::<Self>();
    ChargeBearer: read_charge_bearer, FieldInvalid, "Must be a charge bearer of the standard.", listed::<Self>();
}

/// Source: PIS-101, `OBChargeBearerType1Code`.
fn read_charge_bearer(name: &str) -> Option<ChargeBearer> {
    use ChargeBearer as B;
    let all = [B::Creditor, B::Debtor, B::ServiceLevel, B::Shared];
    all.into_iter().find(|bearer| crate::payments::names::charge_bearer(*bearer) == name)
}
