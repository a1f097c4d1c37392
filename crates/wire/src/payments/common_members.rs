//! The members that the initiations of all payments to one payee share.

use super::forms::PaymentForms;
use super::parties::{RegulatoryReporting, UltimateParty};
use super::parts::{CreditorAccount, DebtorAccount, SupplementaryData};
use crate::parse::object;
use lombard_domain::account::PostalAddress;
use lombard_domain::payment::transfer::{CreditorDetails, Instrument, References, TransferDetails};

object! {
    /// The members of every initiation of a payment to one payee.
    struct CommonMembers<V: PaymentForms>: Closed {
        optional debtor: DebtorAccount<V> = "DebtorAccount",
        required creditor: CreditorAccount<V> = "CreditorAccount",
        optional ultimate_creditor: V::Only4<UltimateParty<V>> = "UltimateCreditor",
        optional ultimate_debtor: V::Only4<UltimateParty<V>> = "UltimateDebtor",
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
