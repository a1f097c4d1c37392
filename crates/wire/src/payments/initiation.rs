//! The initiations of single domestic payments, and what all initiations share.

use super::address::Address;
use super::forms::PaymentForms;
use super::international::DomesticAgent;
use super::parts::{CreditorAccount, DebtorAccount, SupplementaryData, references};
use super::requested::RequestedPayment;
use super::values::{LondonDay, RailText};
use crate::parse::object;
use crate::v4_0::payments::parties::{RegulatoryReporting, UltimateParty};
use lombard_domain::account::PostalAddress;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{CreditorDetails, Instrument, References, Timing, Transfer, TransferDetails};

object! {
    /// The members of every initiation of a payment to one payee.
    struct CommonMembers<V: PaymentForms>: Closed {
        optional debtor: DebtorAccount<V> = "DebtorAccount",
        required creditor: CreditorAccount<V> = "CreditorAccount",
        optional ultimate_creditor: V::Only4<UltimateParty> = "UltimateCreditor",
        optional ultimate_debtor: V::Only4<UltimateParty> = "UltimateDebtor",
        optional regulatory: V::Only4<RegulatoryReporting> = "RegulatoryReporting",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl<V: PaymentForms> CommonMembers<V> {
    /// The payee with these references, the parties and reports, and the debtor account.
    pub(crate) fn credit(
        self,
        instrument: Option<Instrument>,
        address: Option<PostalAddress>,
        references: References,
    ) -> (CreditorDetails, TransferDetails, Option<DebtorAccount<V>>) {
        let reports = self.regulatory.and_then(Into::into).map(|reports: RegulatoryReporting| reports.0);
        let details = TransferDetails {
            ultimate_creditor: self.ultimate_creditor.and_then(Into::into).map(Into::into),
            ultimate_debtor: self.ultimate_debtor.and_then(Into::into).map(Into::into),
            regulatory_reporting: reports.into_iter().flatten().map(Into::into).collect(),
            ..TransferDetails::default()
        };
        (CreditorDetails { instrument, creditor: self.creditor.into(), address, references }, details, self.debtor)
    }
}

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
