//! The initiation objects of the domestic products, and their conversion.

use super::parts::{Address, CreditorAccount, DebtorAccount, Remittance, SupplementaryData, references};
use super::schedule_end::{Count, ScheduleEndMembers, SingleScheduleEnd};
use super::values::{LondonDay, RailText};
use crate::parse::object;
use lombard_domain::account::AccountIdentification;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;
use lombard_domain::order::{CreditorDetails, Instruction, Instrument, References, Schedule, Timing, Transfer};

/// A parsed initiation: the instruction and, if named, the debtor account.
#[derive(Debug)]
pub(crate) struct RequestedPayment {
    pub(crate) instruction: Instruction,
    pub(crate) debtor: Option<AccountIdentification>,
}

impl RequestedPayment {
    pub(super) fn paying(transfer: Transfer, debtor: Option<DebtorAccount>) -> Self {
        Self { instruction: transfer.into(), debtor: debtor.map(Into::into) }
    }
}

object! {
    /// Source: `OBWriteDomestic2/Data/Initiation`.
    struct Immediate: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        required end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        required amount: Amount = "InstructedAmount",
        optional debtor: DebtorAccount = "DebtorAccount",
        required creditor: CreditorAccount = "CreditorAccount",
        optional address: Address = "CreditorPostalAddress",
        optional remittance: Remittance = "RemittanceInformation",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl From<Immediate> for RequestedPayment {
    fn from(it: Immediate) -> Self {
        let references = references(Some(it.instruction), Some(it.end_to_end), it.remittance);
        let credit = CreditorDetails {
            instrument: it.instrument,
            creditor: it.creditor.into(),
            address: it.address.map(Into::into),
            references,
        };
        Self::paying(Transfer::domestic(credit, it.amount, Timing::Immediate), it.debtor)
    }
}

object! {
    /// Source: `OBWriteDomesticScheduled2/Data/Initiation`, SCH-001, SCH-009.
    struct Scheduled: Closed {
        required instruction: RailText<1, 35> = "InstructionIdentification",
        optional end_to_end: RailText<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        required day: LondonDay = "RequestedExecutionDateTime",
        required amount: Amount = "InstructedAmount",
        optional debtor: DebtorAccount = "DebtorAccount",
        required creditor: CreditorAccount = "CreditorAccount",
        optional address: Address = "CreditorPostalAddress",
        optional remittance: Remittance = "RemittanceInformation",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl From<Scheduled> for RequestedPayment {
    fn from(it: Scheduled) -> Self {
        let credit = CreditorDetails {
            instrument: it.instrument,
            creditor: it.creditor.into(),
            address: it.address.map(Into::into),
            references: references(Some(it.instruction), it.end_to_end, it.remittance),
        };
        Self::paying(Transfer::domestic(credit, it.amount, Timing::Scheduled(it.day.0)), it.debtor)
    }
}

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, SO-015.
    struct StandingOrderMembers: Closed {
        required frequency: Frequency = "Frequency",
        optional reference: RailText<1, 35> = "Reference",
        optional count: Count = "NumberOfPayments",
        required first_on: LondonDay = "FirstPaymentDateTime",
        optional recurring_from: LondonDay = "RecurringPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
        required first: Amount = "FirstPaymentAmount",
        optional regular: Amount = "RecurringPaymentAmount",
        optional last: Amount = "FinalPaymentAmount",
        optional debtor: DebtorAccount = "DebtorAccount",
        required creditor: CreditorAccount = "CreditorAccount",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl ScheduleEndMembers for StandingOrderMembers {
    fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
        (self.count.as_ref(), self.final_on.as_ref())
    }
}

/// A standing order.
pub(crate) type StandingOrder = SingleScheduleEnd<StandingOrderMembers>;

impl From<StandingOrder> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: StandingOrder) -> Self {
        let schedule = Schedule {
            frequency: it.frequency,
            first_on: it.first_on.0,
            recurring_from: it.recurring_from.map(|day| day.0),
            end,
            regular: it.regular,
            last: it.last,
        };
        let credit = CreditorDetails {
            instrument: None,
            creditor: it.creditor.into(),
            address: None,
            references: References { reference: it.reference.map(|text| text.0), ..References::default() },
        };
        Self::paying(Transfer::domestic(credit, it.first, Timing::StandingOrder(schedule)), it.debtor)
    }
}
