//! The three international products: their requests read, and what is shown of the exchange. Source: section 5.

mod agent;
mod exchange;
pub mod names;
#[cfg(test)]
mod tests;

pub use exchange::{ShownRate, path};

use super::initiation::{Count, LondonDay};
use super::parts::{Address, CreditorAccount, DebtorAccount, Remittance, SupplementaryData, references};
use super::request::{ConsentRequest, LaterData, NowData, OrderRequest};
use super::values::{Country, Text};
use crate::parse::{self, At, Read, Reader, object};
use lombard_domain::account::{Identification, PostalAddress};
use lombard_domain::exchange::{ExchangeWish, International, PayeeAgent, Priority};
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{ChargeBearer, Credit, End, Instrument, References, Schedule, Timing};
use lombard_domain::refusal::{Fault, FaultCode};
use serde::de::MapAccess;

/// An international payment as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedAbroad {
    /// The payment.
    pub payment: International,
    /// The amount, in either of the two currencies. Source: INT-001.
    pub amount: Amount,
    /// When.
    pub timing: Timing,
    /// The account to pay from, if that was said.
    pub debtor: Option<Identification>,
}

object! {
    /// Source: `OBWriteInternational3/Data/Initiation`.
    struct Immediate: Closed {
        required instruction: Text<1, 35> = "InstructionIdentification",
        required end_to_end: Text<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional purpose: Text<1, 4> = "Purpose",
        optional purpose_in_words: Text<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional exchange: ExchangeWish = "ExchangeRateInformation",
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
        required instruction: Text<1, 35> = "InstructionIdentification",
        optional end_to_end: Text<1, 35> = "EndToEndIdentification",
        optional instrument: Instrument = "LocalInstrument",
        optional priority: Priority = "InstructionPriority",
        optional purpose: Text<1, 4> = "Purpose",
        optional purpose_in_words: Text<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required day: LondonDay = "RequestedExecutionDateTime",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional exchange: ExchangeWish = "ExchangeRateInformation",
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
        optional reference: Text<1, 35> = "Reference",
        optional count: Count = "NumberOfPayments",
        required first_on: LondonDay = "FirstPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
        optional purpose: Text<1, 4> = "Purpose",
        optional purpose_in_words: Text<1, 140> = "ExtendedPurpose",
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
    /// The longer of the two limits for the name. Source: X-11, `OBWriteInternational3/Data/Initiation/Creditor`.
    struct Payee: Closed {
        optional name: Text<1, 350> = "Name",
        optional address: Address = "PostalAddress",
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

    fn object<'de, A: MapAccess<'de>>(reader: &Reader, at: &At<'_>, json: A) -> Result<Option<Self>, A::Error> {
        let Some(members) = StandingOrderMembers::object(reader, at, json)? else { return Ok(None) };
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

/// The two products that pay once say the same of a payment; they differ in its time, and in what must be there.
macro_rules! paid_once {
    ($($initiation:ident: $it:ident, $end_to_end:expr, $timing:expr;)*) => {$(
        impl From<$initiation> for AskedAbroad {
            fn from($it: $initiation) -> Self {
                let (payee, address) = payee($it.payee);
                let references = references(Some($it.instruction), $end_to_end, $it.remittance);
                let credit =
                    Credit { instrument: $it.instrument, creditor: $it.creditor.into(), address, references };
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
                Self { payment, amount: $it.amount, timing: $timing, debtor: $it.debtor.map(Into::into) }
            }
        }
    )*};
}

paid_once! {
    Immediate: it, Some(it.end_to_end), Timing::Immediate;
    Scheduled: it, it.end_to_end, Timing::On(it.day.0);
}

impl From<StandingOrder> for AskedAbroad {
    fn from(StandingOrder { members: it, end }: StandingOrder) -> Self {
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
            credit: Credit { instrument: None, creditor: it.creditor.into(), address, references },
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
        Self { payment, amount: it.amount, timing: Timing::Recurring(schedule), debtor: it.debtor.map(Into::into) }
    }
}

fn payee(payee: Option<Payee>) -> (Option<String>, Option<PostalAddress>) {
    payee.map_or((None, None), |it| (it.name.map(|name| name.0), it.address.map(Into::into)))
}

macro_rules! readers {
    ($($(#[$doc:meta])* $consent:ident, $order:ident: $data:ident<$initiation:ident>;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Every fault found, at least one.
        pub fn $consent(body: &[u8], depth_max: usize) -> Result<AskedAbroad, Vec<Fault>> {
            let request = parse::body::<ConsentRequest<$data<$initiation>>>(body, depth_max)?;
            Ok(request.data.initiation.into())
        }

        $(#[$doc])*
        /// This is the request for the order.
        ///
        /// # Errors
        /// Every fault found, at least one.
        pub fn $order(body: &[u8], depth_max: usize) -> Result<AskedAbroad, Vec<Fault>> {
            let request = parse::body::<OrderRequest<$initiation>>(body, depth_max)?;
            Ok(request.data._initiation.into())
        }
    )*};
}

readers! {
    /// Reads a payment now. Source: `OBWriteInternationalConsent5`, `OBWriteInternational3`.
    read_payment, read_payment_order: NowData<Immediate>;
    /// Reads a payment on a later day. Source: `OBWriteInternationalScheduledConsent5`, `OBWriteInternationalScheduled3`.
    read_scheduled, read_scheduled_order: LaterData<Scheduled>;
    /// Reads a standing order. Source: `OBWriteInternationalStandingOrderConsent6`, `OBWriteInternationalStandingOrder4`.
    read_standing_order, read_standing_order_order: LaterData<StandingOrder>;
}
