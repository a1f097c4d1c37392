//! International payments: their requests, and the exchange rate in responses. Source: section 5.

mod agent;
mod exchange;
pub mod names;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use agent::{Agent, DomesticAgent};
pub(super) use exchange::ExchangeRateResponse;
pub use exchange::exchange_field_path;

use super::address::Address;
use super::common_members::CommonMembers;
use super::forms::PaymentForms;
use super::parts::{DebtorAccount, references};
use super::requested::RequestedPayment;
use super::values::{Country, LondonDay, RailText};
use crate::parse::object;
use crate::payments::parties::Lei;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::ExchangeRateRequest;
use lombard_domain::payment::transfer::{
    Instrument, International, Priority, References, Timing, Transfer, TransferDetails,
};

object! {
    /// The members of every international payment.
    struct InternationalMembers<V: PaymentForms>: Closed {
        optional purpose: V::Only3<RailText<1, 4>> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional payee: Payee<V> = "Creditor",
        optional agent: Agent<V> = "CreditorAgent",
        ..common: CommonMembers<V>,
    }
}

/// The members that standing orders lack.
#[derive(Debug, Default)]
pub(crate) struct SinglePayment {
    instrument: Option<Instrument>,
    priority: Option<Priority>,
    exchange: Option<ExchangeRateRequest>,
}

impl<V: PaymentForms> InternationalMembers<V> {
    /// The payment, its parties and reports, and the debtor account.
    pub(crate) fn requested(
        self,
        single: SinglePayment,
        references: References,
        timing: Timing,
    ) -> (Transfer, TransferDetails, Option<DebtorAccount<V>>) {
        let (payee, lei, address) = self.payee.map_or((None, None, None), |it| (it.name, it.lei, it.address));
        let (credit, details, debtor) = self.common.credit(single.instrument, address.map(Into::into), references);
        let payment = International {
            credit,
            payee: payee.map(|name| name.0),
            agent: self.agent.map(|agent| agent.payee_agent),
            transfer: self.transfer,
            exchange: single.exchange,
            bearer: self.bearer,
            priority: single.priority,
            destination: self.destination.map(|country| country.0),
            purpose: self.purpose.and_then(Into::into).map(|text| text.0),
            purpose_in_words: self.purpose_in_words.map(|text| text.0),
        };
        let creditor_lei = lei.and_then(Into::into).map(|lei: Lei| lei.0);
        let transfer = Transfer::international(payment, self.amount, timing);
        (transfer, TransferDetails { creditor_lei, ..details }, debtor)
    }
}

object! {
    /// Source: `OBWriteInternational3/Data/Initiation`.
    struct Immediate<V: PaymentForms>: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional exchange: ExchangeRateRequest = "ExchangeRateInformation",
        optional remittance: V::Remittance = "RemittanceInformation",
        ..payment: InternationalMembers<V>,
    }
}

impl<V: PaymentForms> From<Immediate<V>> for RequestedPayment {
    fn from(it: Immediate<V>) -> Self {
        let single = SinglePayment { instrument: it.instrument, priority: it.priority, exchange: it.exchange };
        let references = references(Some(it.instruction), Some(it.end_to_end), it.remittance);
        let (transfer, details, debtor) = it.payment.requested(single, references, Timing::Immediate);
        Self::paying(transfer.with_details(details), debtor)
    }
}

object! {
    /// Source: `OBWriteInternationalScheduled3/Data/Initiation`, SCH-001, SCH-009.
    struct Scheduled<V: PaymentForms>: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        optional end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        required day: LondonDay = "RequestedExecutionDateTime",
        optional exchange: ExchangeRateRequest = "ExchangeRateInformation",
        optional remittance: V::Remittance = "RemittanceInformation",
        ..payment: InternationalMembers<V>,
    }
}

impl<V: PaymentForms> From<Scheduled<V>> for RequestedPayment {
    fn from(it: Scheduled<V>) -> Self {
        let single = SinglePayment { instrument: it.instrument, priority: it.priority, exchange: it.exchange };
        let references = references(Some(it.instruction), it.end_to_end, it.remittance);
        let (transfer, details, debtor) = it.payment.requested(single, references, Timing::Scheduled(it.day.0));
        Self::paying(transfer.with_details(details), debtor)
    }
}

object! {
    /// The name has the longer of the standard's two limits. Source: X-11,
    /// `OBWriteInternational3/Data/Initiation/Creditor`.
    struct Payee<V: PaymentForms>: Closed {
        optional name: RailText<1, 350> = "Name",
        optional lei: V::Only4<Lei> = "LEI",
        optional address: Address<V> = "PostalAddress",
    }
}
