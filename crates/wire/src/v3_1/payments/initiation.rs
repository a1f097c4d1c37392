//! What each domestic product says of its payment: one object per product, and what it means.

use super::ending::{Count, Ending, Ends};
use super::parts::{Address, CreditorAccount, DebtorAccount, Remittance, SupplementaryData, references};
use super::values::Text;
use crate::parse::{At, Read, Reader, object};
use crate::time::SentInstant;
use jiff::civil::Date;
use lombard_domain::account::Identification;
use lombard_domain::calendar::london_date;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;
use lombard_domain::order::{Credit, Instruction, Instrument, References, Schedule, Timing, Transfer};
use serde_json::Value;

/// What was asked for: what is to be paid, and from which account, if that was said.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) instruction: Instruction,
    pub(crate) debtor: Option<Identification>,
}

impl Asked {
    pub(super) fn paying(transfer: Transfer, debtor: Option<DebtorAccount>) -> Self {
        Self { instruction: transfer.into(), debtor: debtor.map(Into::into) }
    }
}

/// The initiation of a product, read.
pub(crate) trait Initiation: Read + Into<Asked> {}

impl<T: Read + Into<Asked>> Initiation for T {}

object! {
    /// Source: `OBWriteDomestic2/Data/Initiation`.
    struct Immediate: Closed {
        required instruction: Text<1, 35> = "InstructionIdentification",
        required end_to_end: Text<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        required amount: Amount = "InstructedAmount",
        optional debtor: DebtorAccount = "DebtorAccount",
        required creditor: CreditorAccount = "CreditorAccount",
        optional address: Address = "CreditorPostalAddress",
        optional remittance: Remittance = "RemittanceInformation",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl From<Immediate> for Asked {
    fn from(it: Immediate) -> Self {
        let references = references(Some(it.instruction), Some(it.end_to_end), it.remittance);
        let credit = Credit {
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
        required instruction: Text<1, 35> = "InstructionIdentification",
        optional end_to_end: Text<1, 35> = "EndToEndIdentification",
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

impl From<Scheduled> for Asked {
    fn from(it: Scheduled) -> Self {
        let credit = Credit {
            instrument: it.instrument,
            creditor: it.creditor.into(),
            address: it.address.map(Into::into),
            references: references(Some(it.instruction), it.end_to_end, it.remittance),
        };
        Self::paying(Transfer::domestic(credit, it.amount, Timing::On(it.day.0)), it.debtor)
    }
}

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, SO-015.
    struct StandingOrderMembers: Closed {
        required frequency: Frequency = "Frequency",
        optional reference: Text<1, 35> = "Reference",
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

impl Ends for StandingOrderMembers {
    fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
        (self.count.as_ref(), self.final_on.as_ref())
    }
}

/// A standing order.
pub(crate) type StandingOrder = Ending<StandingOrderMembers>;

impl From<StandingOrder> for Asked {
    fn from(Ending { members: it, end }: StandingOrder) -> Self {
        let schedule = Schedule {
            frequency: it.frequency,
            first_on: it.first_on.0,
            recurring_from: it.recurring_from.map(|day| day.0),
            end,
            regular: it.regular,
            last: it.last,
        };
        let credit = Credit {
            instrument: None,
            creditor: it.creditor.into(),
            address: None,
            references: References { reference: it.reference.map(|text| text.0), ..References::default() },
        };
        Self::paying(Transfer::domestic(credit, it.first, Timing::Recurring(schedule)), it.debtor)
    }
}

/// A date-time that means a day: London's. Source: PIS-152, PIS-154.
#[derive(Debug)]
pub(crate) struct LondonDay(pub(crate) Date);

impl Read for LondonDay {
    const WANTED: &'static str = SentInstant::WANTED;

    fn schema() -> Value {
        SentInstant::schema()
    }

    fn text(reader: &Reader, at: &At<'_>, text: &str) -> Option<Self> {
        SentInstant::text(reader, at, text).map(|sent| Self(london_date(sent.instant)))
    }
}
