//! What each product says of its payment: one object per product, and what it means.

use super::parts::{Address, CreditorAccount, DebtorAccount, Remittance, SupplementaryData, references, through};
use super::values::Text;
use crate::parse::schema::text;
use crate::parse::{At, Read, Reader, object};
use crate::time::SentInstant;
use jiff::civil::Date;
use lombard_domain::account::Identification;
use lombard_domain::calendar::london_date;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::Amount;
use lombard_domain::order::{Credit, End, Instrument, References, Schedule, Timing, Transfer};
use lombard_domain::refusal::FaultCode;
use serde::de::MapAccess;
use serde_json::Value;
use std::num::NonZeroU16;

/// A payment as it was asked for: what is to be paid, and from which account, if that was said.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) transfer: Transfer,
    pub(crate) debtor: Option<Identification>,
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
        let transfer = Transfer::domestic(credit, it.amount, Timing::Immediate);
        Self { transfer, debtor: it.debtor.map(Into::into) }
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
        let transfer = Transfer::domestic(credit, it.amount, Timing::On(it.day.0));
        Self { transfer, debtor: it.debtor.map(Into::into) }
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

/// A standing order that ends in one way at most.
#[derive(Debug)]
pub(crate) struct StandingOrder {
    members: StandingOrderMembers,
    end: End,
}

/// Source: SO-010.
impl Read for StandingOrder {
    const WANTED: &'static str = "an object";

    fn schema() -> Value {
        StandingOrderMembers::schema()
    }

    fn object<'de, A: MapAccess<'de>>(reader: &Reader, at: &At<'_>, json: A) -> Result<Option<Self>, A::Error> {
        let Some(members) = through::<StandingOrderMembers, StandingOrderMembers, A>(reader, at, json)? else {
            return Ok(None);
        };
        let end = match (&members.count, &members.final_on) {
            (None, None) => End::Open,
            (Some(Count(count)), None) => End::After(*count),
            (None, Some(LondonDay(day))) => End::On(*day),
            (Some(_), Some(_)) => {
                let message = "A standing order ends after a number of payments or on a date, not both.";
                reader.fault(FaultCode::FieldUnexpected, &at.member("FinalPaymentDateTime"), message);
                return Ok(None);
            }
        };
        Ok(Some(Self { members, end }))
    }
}

impl From<StandingOrder> for Asked {
    fn from(StandingOrder { members: it, end }: StandingOrder) -> Self {
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
        let transfer = Transfer::domestic(credit, it.first, Timing::Recurring(schedule));
        Self { transfer, debtor: it.debtor.map(Into::into) }
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

/// A number of payments: a string of 1 to 4 digits, the first of them no zero. Source: SO-011.
#[derive(Debug)]
pub(crate) struct Count(pub(crate) NonZeroU16);

impl Read for Count {
    const WANTED: &'static str = "a string";

    fn schema() -> Value {
        text("^[1-9][0-9]{0,3}$")
    }

    fn text(reader: &Reader, at: &At<'_>, text: &str) -> Option<Self> {
        let plain = text.len() <= 4 && !text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit());
        let count = text.parse().ok().filter(|_| plain).map(Self);
        if count.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must be a whole number from 1 to 9999, without leading zeros.");
        }
        count
    }
}
