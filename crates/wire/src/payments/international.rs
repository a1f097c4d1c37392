//! International payments: their requests, and the exchange rate in responses. Source: section 5.

mod agent;
mod exchange;
pub mod names;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use agent::Agent;
pub(super) use exchange::ExchangeRateResponse;
pub use exchange::exchange_field_path;

use super::forms::PaymentForms;
use super::parts::{CreditorAccount, DebtorAccount, SupplementaryData, references};
use super::requested::RequestedPayment;
use super::values::{Country, LondonDay, RailText};
use crate::parse::object;
use crate::v4_0::payments::parties::{Lei, RegulatoryReporting, UltimateParty};
use lombard_domain::account::PostalAddress;
use lombard_domain::exchange::{ExchangeRateRequest, International, Priority};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{ChargeBearer, CreditorDetails, Instrument, Timing, Transfer};

object! {
    /// Source: `OBWriteInternational3/Data/Initiation`.
    struct Immediate<V: PaymentForms>: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional purpose: V::Only3<RailText<1, 4>> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional exchange: ExchangeRateRequest = "ExchangeRateInformation",
        optional debtor: DebtorAccount<V> = "DebtorAccount",
        optional payee: Payee<V> = "Creditor",
        optional agent: Agent<V> = "CreditorAgent",
        required creditor: CreditorAccount<V> = "CreditorAccount",
        optional remittance: V::Remittance = "RemittanceInformation",
        optional _ultimate_creditor: V::Only4<UltimateParty> = "UltimateCreditor",
        optional _ultimate_debtor: V::Only4<UltimateParty> = "UltimateDebtor",
        optional _regulatory: V::Only4<RegulatoryReporting> = "RegulatoryReporting",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

object! {
    /// Source: `OBWriteInternationalScheduled3/Data/Initiation`, SCH-001, SCH-009.
    struct Scheduled<V: PaymentForms>: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        optional end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional purpose: V::Only3<RailText<1, 4>> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required day: LondonDay = "RequestedExecutionDateTime",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional exchange: ExchangeRateRequest = "ExchangeRateInformation",
        optional debtor: DebtorAccount<V> = "DebtorAccount",
        optional payee: Payee<V> = "Creditor",
        optional agent: Agent<V> = "CreditorAgent",
        required creditor: CreditorAccount<V> = "CreditorAccount",
        optional remittance: V::Remittance = "RemittanceInformation",
        optional _ultimate_creditor: V::Only4<UltimateParty> = "UltimateCreditor",
        optional _ultimate_debtor: V::Only4<UltimateParty> = "UltimateDebtor",
        optional _regulatory: V::Only4<RegulatoryReporting> = "RegulatoryReporting",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

object! {
    /// The name has the longer of the standard's two limits. Source: X-11,
    /// `OBWriteInternational3/Data/Initiation/Creditor`.
    struct Payee<V: PaymentForms>: Closed {
        optional name: RailText<1, 350> = "Name",
        optional _lei: V::Only4<Lei> = "LEI",
        optional address: V::Address = "PostalAddress",
    }
}

/// The two single-payment products have the same members except for the time and for which members are required.
macro_rules! paid_once {
    ($($initiation:ident: $it:ident, $end_to_end:expr, $timing:expr;)*) => {$(
        impl<V: PaymentForms> From<$initiation<V>> for RequestedPayment {
            fn from($it: $initiation<V>) -> Self {
                let (payee, address) = payee($it.payee);
                let references = references(Some($it.instruction), $end_to_end, $it.remittance);
                let credit =
                    CreditorDetails { instrument: $it.instrument, creditor: $it.creditor.into(), address, references };
                let payment = International {
                    credit,
                    payee,
                    agent: $it.agent.map(|agent| agent.payee_agent),
                    transfer: $it.transfer,
                    exchange: $it.exchange,
                    bearer: $it.bearer,
                    priority: $it.priority,
                    destination: $it.destination.map(|country| country.0),
                    purpose: $it.purpose.and_then(Into::into).map(|text| text.0),
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

pub(crate) fn payee<V: PaymentForms>(payee: Option<Payee<V>>) -> (Option<String>, Option<PostalAddress>) {
    payee.map_or((None, None), |it| (it.name.map(|name| name.0), it.address.map(Into::into)))
}
