//! The initiations of standing orders in v4.0: a mandate in place of frequency and dates, and remittance information in
//! place of the reference. Source: section 10.2, X-27.

use super::codes::DocumentType;
use super::mandate::Mandate;
use super::parties::{RegulatoryReporting, UltimateParty};
use super::remittance::Remittance;
use crate::parse::object;
use crate::payments::international::{Agent, Payee, payee};
use crate::payments::parts::{CreditorAccount, DebtorAccount, SupplementaryData};
use crate::payments::requested::RequestedPayment;
use crate::payments::schedule_end::{Count, ScheduleEndMembers, SingleScheduleEnd};
use crate::payments::values::{Country, LondonDay, RailText};
use crate::v4_0::V4_0;
use lombard_domain::exchange::International;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{ChargeBearer, CreditorDetails, Schedule, ScheduleEnd, Timing, Transfer};

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, SO-015.
    struct DomesticMembers: Closed {
        required mandate: Mandate = "MandateRelatedInformation",
        optional count: Count = "NumberOfPayments",
        optional remittance: Remittance<DocumentType> = "RemittanceInformation",
        required first: Amount = "FirstPaymentAmount",
        optional regular: Amount = "RecurringPaymentAmount",
        optional last: Amount = "FinalPaymentAmount",
        optional debtor: DebtorAccount<V4_0> = "DebtorAccount",
        required creditor: CreditorAccount<V4_0> = "CreditorAccount",
        optional _ultimate_creditor: UltimateParty = "UltimateCreditor",
        optional _ultimate_debtor: UltimateParty = "UltimateDebtor",
        optional _regulatory: RegulatoryReporting = "RegulatoryReporting",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

object! {
    /// Source: `OBWriteInternationalStandingOrder4/Data/Initiation`, SO-014, SO-015.
    struct InternationalMembers: Closed {
        required mandate: Mandate = "MandateRelatedInformation",
        optional count: Count = "NumberOfPayments",
        optional remittance: Remittance<DocumentType> = "RemittanceInformation",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional debtor: DebtorAccount<V4_0> = "DebtorAccount",
        optional payee: Payee<V4_0> = "Creditor",
        optional agent: Agent<V4_0> = "CreditorAgent",
        required creditor: CreditorAccount<V4_0> = "CreditorAccount",
        optional _ultimate_creditor: UltimateParty = "UltimateCreditor",
        optional _ultimate_debtor: UltimateParty = "UltimateDebtor",
        optional _regulatory: RegulatoryReporting = "RegulatoryReporting",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

/// The end of both products is a number of payments, or a date of the mandate. Source: SO-010, V4-012.
macro_rules! ended_by_mandate {
    ($($members:ident),*) => {$(
        impl ScheduleEndMembers for $members {
            const DAYS_IN: Option<&'static str> = Some("MandateRelatedInformation");

            fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
                (self.count.as_ref(), self.mandate.final_on.as_ref())
            }
        }
    )*};
}

ended_by_mandate!(DomesticMembers, InternationalMembers);

/// A domestic standing order.
pub(crate) type StandingOrder = SingleScheduleEnd<DomesticMembers>;

/// An international standing order.
pub(crate) type InternationalStandingOrder = SingleScheduleEnd<InternationalMembers>;

impl Mandate {
    fn schedule(&self, end: ScheduleEnd, regular: Option<Amount>, last: Option<Amount>) -> Schedule {
        let Self { frequency, first_on, recurring_from, .. } = *self;
        Schedule { frequency, first_on, recurring_from, end, regular, last }
    }
}

impl From<StandingOrder> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: StandingOrder) -> Self {
        let credit = CreditorDetails {
            instrument: None,
            creditor: it.creditor.into(),
            address: None,
            references: it.remittance.map(Into::into).unwrap_or_default(),
        };
        let timing = Timing::StandingOrder(it.mandate.schedule(end, it.regular, it.last));
        let legacy_frequency = it.mandate.is_legacy;
        Self { legacy_frequency, ..Self::paying(Transfer::domestic(credit, it.first, timing), it.debtor) }
    }
}

impl From<InternationalStandingOrder> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: InternationalStandingOrder) -> Self {
        let (payee, address) = payee(it.payee);
        let references = it.remittance.map(Into::into).unwrap_or_default();
        let payment = International {
            credit: CreditorDetails { instrument: None, creditor: it.creditor.into(), address, references },
            payee,
            agent: it.agent.map(|agent| agent.payee_agent),
            transfer: it.transfer,
            exchange: None,
            bearer: it.bearer,
            priority: None,
            destination: it.destination.map(|country| country.0),
            purpose: None,
            purpose_in_words: it.purpose_in_words.map(|text| text.0),
        };
        let timing = Timing::StandingOrder(it.mandate.schedule(end, None, None));
        let legacy_frequency = it.mandate.is_legacy;
        Self { legacy_frequency, ..Self::paying(Transfer::international(payment, it.amount, timing), it.debtor) }
    }
}
