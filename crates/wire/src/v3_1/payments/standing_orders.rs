//! The initiations of standing orders in v3.1. Source: SO-001 to SO-015.

use crate::parse::object;
use crate::payments::international::{Agent, Payee, payee};
use crate::payments::parts::{CreditorAccount, DebtorAccount, SupplementaryData};
use crate::payments::requested::RequestedPayment;
use crate::payments::schedule_end::{Count, ScheduleEndMembers, SingleScheduleEnd};
use crate::payments::values::{Country, LondonDay, RailText};
use crate::v3_1::V3_1;
use lombard_domain::exchange::International;
use lombard_domain::frequency::Frequency;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{ChargeBearer, CreditorDetails, References, Schedule, Timing, Transfer};

object! {
    /// Source: `OBWriteDomesticStandingOrder3/Data/Initiation`, SO-015.
    struct DomesticMembers: Closed {
        required frequency: Frequency = "Frequency",
        optional reference: RailText<1, 35> = "Reference",
        optional count: Count = "NumberOfPayments",
        required first_on: LondonDay = "FirstPaymentDateTime",
        optional recurring_from: LondonDay = "RecurringPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
        required first: Amount = "FirstPaymentAmount",
        optional regular: Amount = "RecurringPaymentAmount",
        optional last: Amount = "FinalPaymentAmount",
        optional debtor: DebtorAccount<V3_1> = "DebtorAccount",
        required creditor: CreditorAccount<V3_1> = "CreditorAccount",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl ScheduleEndMembers for DomesticMembers {
    fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
        (self.count.as_ref(), self.final_on.as_ref())
    }
}

/// A standing order.
pub(crate) type StandingOrder = SingleScheduleEnd<DomesticMembers>;

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

object! {
    /// Source: `OBWriteInternationalStandingOrder4/Data/Initiation`, SO-014, SO-015.
    struct InternationalMembers: Closed {
        required frequency: Frequency = "Frequency",
        optional reference: RailText<1, 35> = "Reference",
        optional count: Count = "NumberOfPayments",
        required first_on: LondonDay = "FirstPaymentDateTime",
        optional final_on: LondonDay = "FinalPaymentDateTime",
        optional purpose: RailText<1, 4> = "Purpose",
        optional purpose_in_words: RailText<1, 140> = "ExtendedPurpose",
        optional bearer: ChargeBearer = "ChargeBearer",
        required transfer: Currency = "CurrencyOfTransfer",
        optional destination: Country = "DestinationCountryCode",
        required amount: Amount = "InstructedAmount",
        optional debtor: DebtorAccount<V3_1> = "DebtorAccount",
        optional payee: Payee<V3_1> = "Creditor",
        optional agent: Agent<V3_1> = "CreditorAgent",
        required creditor: CreditorAccount<V3_1> = "CreditorAccount",
        optional _supplementary: SupplementaryData = "SupplementaryData",
    }
}

impl ScheduleEndMembers for InternationalMembers {
    fn ends(&self) -> (Option<&Count>, Option<&LondonDay>) {
        (self.count.as_ref(), self.final_on.as_ref())
    }
}

/// An international standing order.
pub(crate) type InternationalStandingOrder = SingleScheduleEnd<InternationalMembers>;

impl From<InternationalStandingOrder> for RequestedPayment {
    fn from(SingleScheduleEnd { members: it, end }: InternationalStandingOrder) -> Self {
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
            credit: CreditorDetails { instrument: None, creditor: it.creditor.into(), address, references },
            payee,
            agent: it.agent.map(|agent| agent.payee_agent),
            transfer: it.transfer,
            exchange: None,
            bearer: it.bearer,
            priority: None,
            destination: it.destination.map(|country| country.0),
            purpose: it.purpose.map(|text| text.0),
            purpose_in_words: it.purpose_in_words.map(|text| text.0),
        };
        Self::paying(Transfer::international(payment, it.amount, Timing::StandingOrder(schedule)), it.debtor)
    }
}
