//! The three international products: their requests, and the exchange rate in responses. Source: section 5.

mod agent;
mod exchange;
pub mod names;
#[cfg(test)]
pub(super) mod tests;

pub(super) use exchange::ExchangeRateResponse;
pub use exchange::exchange_field_path;

use super::initiation::RequestedPayment;
use super::parts::{Address, CreditorAccount, DebtorAccount, Remittance, SupplementaryData, references};
use super::schedule_end::{Count, ScheduleEndMembers, SingleScheduleEnd};
use super::values::{Country, LondonDay, RailText};
use crate::parse::object;
use lombard_domain::account::PostalAddress;
use lombard_domain::exchange::{ExchangeRateRequest, International, PayeeAgent, Priority};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{ChargeBearer, CreditorDetails, Instrument, References, Schedule, Timing, Transfer};

object! {
    /// Source: `OBWriteInternational3/Data/Initiation`.
    struct Immediate: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional purpose: RailText<1, 4> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional exchange: ExchangeRateRequest = "ExchangeRateInformation",
        optional debtor: DebtorAccount = "DebtorAccount",
        optional payee: Payee = "Creditor",
        optional agent: PayeeAgent = "CreditorAgent",
        required creditor: CreditorAccount = "CreditorAccount",
        optional remittance: Remittance = "RemittanceInformation",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

object! {
    /// Source: `OBWriteInternationalScheduled3/Data/Initiation`, SCH-001, SCH-009.
    struct Scheduled: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        optional end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional purpose: RailText<1, 4> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required day: LondonDay = "RequestedExecutionDateTime",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional exchange: ExchangeRateRequest = "ExchangeRateInformation",
        optional debtor: DebtorAccount = "DebtorAccount",
        optional payee: Payee = "Creditor",
        optional agent: PayeeAgent = "CreditorAgent",
        required creditor: CreditorAccount = "CreditorAccount",
        optional remittance: Remittance = "RemittanceInformation",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

object! {
    /// Source: `OBWriteInternationalStandingOrder4/Data/Initiation`, SO-014, SO-015.
    struct StandingOrderMembers: Closed {
        required frequency: Frequency = "Frequency",
        optional reference: RailText<1, 35> = "Reference",
        optional count: Count = "NumberOfPayments",
        required first_on: LondonDay = "FirstPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
        optional purpose: RailText<1, 4> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional debtor: DebtorAccount = "DebtorAccount",
        optional payee: Payee = "Creditor",
        optional agent: PayeeAgent = "CreditorAgent",
        required creditor: CreditorAccount = "CreditorAccount",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

object! {
    /// The name has the longer of the standard's two limits. Source: X-11,
    /// `OBWriteInternational3/Data/Initiation/Creditor`.
    struct Payee: Closed {
        optional name: RailText<1, 350> = "Name",
        optional address: Address = "PostalAddress",
    }
}

impl ScheduleEndMembers for StandingOrderMembers {
    fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
        (self.count.as_ref(), self.final_on.as_ref())
    }
}

/// A standing order.
pub(crate) type StandingOrder = SingleScheduleEnd<StandingOrderMembers>;

/// The two single-payment products have the same members except for the time and for which members are required.
macro_rules! paid_once {
    ($($initiation:ident: $it:ident, $end_to_end:expr, $timing:expr;)*) => {$(
        impl From<$initiation> for RequestedPayment {
            fn from($it: $initiation) -> Self {
                let (payee, address) = payee($it.payee);
                let references = references(Some($it.instruction), $end_to_end, $it.remittance);
                let credit =
                    CreditorDetails { instrument: $it.instrument, creditor: $it.creditor.into(), address, references };
                let payment = International {
                    credit,
                    payee,
                    agent: $it.agent,
                    transfer: $it.transfer,
                    exchange: $it.exchange,
                    bearer: $it.bearer,
                    priority: $it.priority,
                    destination: $it.destination.map(|country| country.0),
                    purpose: $it.purpose.map(|text| text.0),
                    purpose_in_words: $it.purpose_in_words.map(|text| text.0),
                };
                Self::paying(Transfer::international(payment, $it.amount, $timing), $it.debtor)
            }
        }
    )*};
}

paid_once! {
    Immediate: it, Some(it.end_to_end), Timing::Immediate;
    Scheduled: it, it.end_to_end, Timing::Scheduled(it.day.0);
}

impl From<StandingOrder> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: StandingOrder) -> Self {
        let schedule = Schedule {
            frequency: it.frequency,
            first_on: it.first_on.0,
            recurring_from: None,
            end,
            regular: None,
            last: None,
        };
        let (payee, address) = payee(it.payee);
        let references = References { reference: it.reference.map(|text| text.0), ..References::default() };
        let payment = International {
            credit: CreditorDetails { instrument: None, creditor: it.creditor.into(), address, references },
            payee,
            agent: it.agent,
            transfer: it.transfer,
            exchange: None,
            bearer: it.bearer,
            priority: None,
            destination: it.destination.map(|country| country.0),
            purpose: it.purpose.map(|text| text.0),
            purpose_in_words: it.purpose_in_words.map(|text| text.0),
        };
        Self::paying(Transfer::international(payment, it.amount, Timing::StandingOrder(schedule)), it.debtor)
    }
}

fn payee(payee: Option<Payee>) -> (Option<String>, Option<PostalAddress>) {
    payee.map_or((None, None), |it| (it.name.map(|name| name.0), it.address.map(Into::into)))
}
