//! A payment to one payee: destination, amount and time, its texts on the rail, and the conditions of the bank for it.

mod charge_bearer;
mod conditions;
mod credit;
mod credit_transfer;
mod details;
mod exchange_rules;
mod instrument;
mod international;
mod rail;
mod remittance;
mod routing;
mod schedule;
#[cfg(test)]
pub(super) mod tests;

pub use charge_bearer::{charge_bearers_on, default_charge_bearer};
pub use conditions::{AfterCutOffPolicy, CutOff, PaymentConditions};
pub use credit::{CreditorDetails, NamedAccount, References};
pub use credit_transfer::{Route, Transfer};
pub use details::{RegulatoryDetail, RegulatoryReport, TransferDetails};
pub use instrument::Instrument;
pub use international::{AgentCode, International, PayeeAgent, Priority};
pub use rail::{FieldLengths, RailTexts};
pub use remittance::{CreditorReference, ReferredDocument, RemittanceInformation, StructuredRemittance};
pub use schedule::{Occurrence, Schedule, ScheduleEnd, Timing};
