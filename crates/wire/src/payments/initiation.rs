//! The initiations of single domestic payments.

use super::address::Address;
use super::common_members::CommonMembers;
use super::forms::PaymentForms;
use super::international::DomesticAgent;
use super::parts::references;
use super::requested::RequestedPayment;
use super::values::{LondonDay, RailText};
use crate::parse::object;
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::{Instrument, Timing, Transfer, TransferDetails};

object! {
    /// Source: `OBWriteDomestic2/Data/Initiation`.
    struct Immediate<V: PaymentForms>: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        required amount: Amount = "InstructedAmount",
        optional agent: V::Only4<DomesticAgent<V>> = "CreditorAgent",
        optional address: Address<V> = "CreditorPostalAddress",
        optional remittance: V::Remittance = "RemittanceInformation",
        ..common: CommonMembers<V>,
    }
}

impl<V: PaymentForms> From<Immediate<V>> for RequestedPayment {
    fn from(it: Immediate<V>) -> Self {
        let references = references(Some(it.instruction), Some(it.end_to_end), it.remittance);
        let agent = it.agent.and_then(Into::into).map(|agent| agent.payee_agent);
        let (credit, details, debtor) = it.common.credit(it.instrument, it.address.map(Into::into), references);
        let transfer = Transfer::domestic(credit, it.amount, Timing::Immediate);
        Self::paying(transfer.with_details(TransferDetails { agent, ..details }), debtor)
    }
}

object! {
    /// Source: `OBWriteDomesticScheduled2/Data/Initiation`, SCH-001, SCH-009.
    struct Scheduled<V: PaymentForms>: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        optional end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        required day: LondonDay = "RequestedExecutionDateTime",
        required amount: Amount = "InstructedAmount",
        optional address: Address<V> = "CreditorPostalAddress",
        optional remittance: V::Remittance = "RemittanceInformation",
        ..common: CommonMembers<V>,
    }
}

impl<V: PaymentForms> From<Scheduled<V>> for RequestedPayment {
    fn from(it: Scheduled<V>) -> Self {
        let references = references(Some(it.instruction), it.end_to_end, it.remittance);
        let (credit, details, debtor) = it.common.credit(it.instrument, it.address.map(Into::into), references);
        let transfer = Transfer::domestic(credit, it.amount, Timing::Scheduled(it.day.0));
        Self::paying(transfer.with_details(details), debtor)
    }
}
