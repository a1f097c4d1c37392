//! The payment rails, as data: working times, cut-off time, charge and duration of each. Times of day are in London. Source:
//! PIS-100, PIS-105, PIS-108, SCH-004.

use super::rail_timing::{CreditTime, MIDNIGHT, MORNING, RailTiming, TimeOfDay, WorkingDays};
use crate::market::ExchangeMarket;
use jiff::Timestamp;
use lombard_domain::account::AccountSubType;
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::CurrencyPair;
use lombard_domain::payment::order::{Instruction, PaymentConsentRequest};
use lombard_domain::payment::transfer::{
    AfterCutOffPolicy, CutOff, Instrument, International, PaymentConditions, Timing, Transfer, default_charge_bearer,
};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};
use std::collections::BTreeMap;

/// The cut-off time of each working day, and the policy for later payments. Source: PIS-105.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RailCutOff {
    /// The cut-off time; a payment at exactly this time is late.
    pub at: TimeOfDay,
    /// The policy for later payments.
    pub late_policy: AfterCutOffPolicy,
}

/// A payment rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rail {
    /// The cut-off time, if there is one.
    pub cut_off: Option<RailCutOff>,
    /// The timing.
    pub timing: RailTiming,
    /// The charge for a payment, if any.
    pub charge: Option<Charge>,
}

/// The rails of the bank, one for each instrument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rails(BTreeMap<Instrument, Rail>);

impl Default for Rails {
    fn default() -> Self {
        Self(Instrument::ALL.into_iter().map(|instrument| (instrument, Rail::default_for(instrument))).collect())
    }
}

impl Rails {
    /// The rail of an instrument.
    pub fn for_instrument(&self, instrument: Instrument) -> Rail {
        self.0.get(&instrument).copied().unwrap_or_else(|| Rail::default_for(instrument))
    }

    /// Sets the cut-off time of a rail, or removes it. Source: PIS-108.
    #[must_use]
    pub fn with_cut_off(mut self, instrument: Instrument, deadline: Option<RailCutOff>) -> Self {
        let rail = Rail { cut_off: deadline, ..self.for_instrument(instrument) };
        self.0.insert(instrument, rail);
        self
    }

    /// The conditions of a payment requested now. Source: PIS-102 to PIS-109, SCH-004, SCH-006.
    pub(crate) fn conditions(
        &self,
        terms: &PaymentConsentRequest,
        market: &ExchangeMarket,
        now: Timestamp,
    ) -> PaymentConditions {
        let instruction = &terms.instruction;
        let instrument = instrument(instruction);
        let (rail, transfer) = (self.for_instrument(instrument), instruction.transfer());
        let of_file = instruction.file().map(|terms| terms.timing(london_date(now)));
        let timing = transfer.map(|transfer| &transfer.timing).or(of_file.as_ref()).unwrap_or(&Timing::Immediate);
        let international = transfer.and_then(|transfer| Some((transfer.international_details()?, transfer.amount)));
        let pair = international.map(|(payment, amount)| presumed_pair(payment, amount));
        let days = pair.map_or(WorkingDays::HOME, WorkingDays::of);
        let (leaves_at, times) = match timing {
            Timing::Scheduled(day) if transfer.is_some_and(Transfer::is_debited_in_advance) => {
                (now, rail.timing.times_in_advance(now, *day, days))
            }
            Timing::Immediate | Timing::Scheduled(_) | Timing::StandingOrder(_) => {
                let leaves_at = rail.leaves_at(timing, now, days);
                (leaves_at, rail.timing.times(leaves_at, days))
            }
        };
        let by_rail = rail.cut_off(timing, now, days);
        let by_day = instruction.last_submission_at().map(|at| CutOff { at, lateness: AfterCutOffPolicy::Refused });
        // The bank takes no charge for the payments of a file.
        let levied = rail.charge.filter(|_| instruction.file().is_none());
        let charge = match (levied, international) {
            (Some(charge), Some((payment, amount))) => {
                international_charge(charge, instrument, payment, amount, market)
            }
            (charge, _) => charge,
        };
        PaymentConditions {
            charges: charge.into_iter().collect(),
            cut_off: by_rail.into_iter().chain(by_day).reduce(CutOff::earlier),
            execution_at: Some(leaves_at),
            settlement_at: Some(times.arrives_at),
            quote: None,
        }
    }
}

/// The local instrument of a payment, or the default one if none is requested. Source: PIS-139.
fn instrument(instruction: &Instruction) -> Instrument {
    let asked = || instruction.instrument().unwrap_or(Instrument::FasterPayments);
    instruction.transfer().map_or_else(asked, Transfer::rail)
}

/// The payer's currency, if it is known before an account is chosen.
fn known_unit(payment: &International, amount: Amount) -> Option<Currency> {
    let other = Some(amount.currency()).filter(|it| *it != payment.transfer);
    payment.exchange.as_ref().map(|rate_request| rate_request.unit).or(other)
}

/// The currencies of an international payment; an unknown payer is assumed to pay in pounds.
fn presumed_pair(payment: &International, amount: Amount) -> CurrencyPair {
    payment.pair(known_unit(payment, amount).unwrap_or(Currency::GBP))
}

/// The charge for an international payment, in the currency of its bearer. `None` in a currency for which the bank has no rate.
/// Source: PIS-100, PIS-103.
fn international_charge(
    charge: Charge,
    rail: Instrument,
    payment: &International,
    amount: Amount,
    market: &ExchangeMarket,
) -> Option<Charge> {
    let bearer = default_charge_bearer(rail, payment.bearer).unwrap_or(charge.bearer);
    let currency = match bearer {
        ChargeBearer::Creditor => payment.transfer,
        ChargeBearer::Debtor | ChargeBearer::Shared | ChargeBearer::ServiceLevel => {
            known_unit(payment, amount).unwrap_or(payment.transfer)
        }
    };
    Some(Charge { bearer, amount: market.convert_charge(charge.amount, currency)?, ..charge })
}

/// Whether the instrument can debit accounts of this type. Card transfers debit cards; the other instruments debit deposit accounts.
/// Source: PIS-140.
pub(super) const fn can_debit(instrument: Instrument, sub_type: AccountSubType) -> bool {
    let is_card = matches!(sub_type, AccountSubType::CreditCard | AccountSubType::ChargeCard);
    match instrument {
        Instrument::BalanceTransfer | Instrument::MoneyTransfer => is_card,
        Instrument::Bacs
        | Instrument::Chaps
        | Instrument::FasterPayments
        | Instrument::Swift
        | Instrument::Paym
        | Instrument::Euro1
        | Instrument::SepaCreditTransfer
        | Instrument::SepaInstantCreditTransfer
        | Instrument::Link
        | Instrument::Target2 => !is_card,
    }
}

impl Rail {
    /// The default rail of an instrument. Faster Payments has no cut-off time; rails that work by day refuse late payments,
    /// except SEPA, which accepts them for the next day. Source: PIS-108.
    pub const fn default_for(instrument: Instrument) -> Self {
        const NINE: TimeOfDay = TimeOfDay { hour: 9, minute: 0 };
        const SECOND: i64 = 1_000;
        let every_day = instrument.runs_every_day();
        let (deadline, opens, debits_after_millis, arrives) = match instrument {
            Instrument::FasterPayments
            | Instrument::Paym
            | Instrument::Link
            | Instrument::SepaInstantCreditTransfer => (None, MIDNIGHT, SECOND, CreditTime::After(SECOND)),
            Instrument::Chaps => {
                (after(15, 0, AfterCutOffPolicy::Refused), MORNING, 5 * SECOND, CreditTime::After(5 * SECOND))
            }
            // Bacs takes one day each for input, processing and entry, so the payee is credited on the third day.
            Instrument::Bacs => {
                (after(17, 0, AfterCutOffPolicy::Refused), MIDNIGHT, SECOND, CreditTime::WorkingDays(2, NINE))
            }
            Instrument::BalanceTransfer | Instrument::MoneyTransfer => {
                (None, MIDNIGHT, SECOND, CreditTime::WorkingDays(1, NINE))
            }
            Instrument::Swift => {
                (after(15, 0, AfterCutOffPolicy::Refused), MORNING, SECOND, CreditTime::WorkingDays(2, NINE))
            }
            Instrument::SepaCreditTransfer => {
                (after(14, 0, AfterCutOffPolicy::Accepted), MORNING, SECOND, CreditTime::WorkingDays(1, NINE))
            }
            Instrument::Euro1 | Instrument::Target2 => {
                (after(15, 0, AfterCutOffPolicy::Refused), MORNING, 5 * SECOND, CreditTime::After(5 * SECOND))
            }
        };
        Self {
            cut_off: deadline,
            timing: RailTiming { every_day, opens, debits_after_millis, arrives },
            charge: charge(instrument),
        }
    }

    /// When a payment requested now leaves.
    fn leaves_at(&self, timing: &Timing, now: Timestamp, days: WorkingDays) -> Timestamp {
        match timing {
            Timing::Immediate => self.immediate_leaves_at(now, days),
            Timing::Scheduled(day) => self.timing.leaves_on(*day, days),
            Timing::StandingOrder(schedule) => days.morning_of(schedule.first_on),
        }
    }

    /// When an immediate payment requested now leaves. A late payment that the rail accepts leaves on the next working day. For a late
    /// payment that the rail refuses, the time is not moved to a later day. Source: PIS-107.
    fn immediate_leaves_at(&self, now: Timestamp, days: WorkingDays) -> Timestamp {
        let accepts = self.cut_off.filter(|it| it.late_policy == AfterCutOffPolicy::Accepted);
        self.timing.next_open_at(now, accepts.map(|it| it.at), days)
    }

    /// The time of day at which the rail closes; `None` if it never closes. Later payments never leave that day, even if they were only
    /// delayed on the way to the bank. Source: PIS-105.
    pub(super) fn closes_at(&self) -> Option<TimeOfDay> {
        self.cut_off.map(|it| it.at)
    }

    /// The cut-off time that is reported to the TPP. If the rail refuses late payments, this is today's cut-off, even if it has passed.
    /// Otherwise it is the cut-off of the day on which the payment leaves.
    fn cut_off(&self, timing: &Timing, now: Timestamp, days: WorkingDays) -> Option<CutOff> {
        let RailCutOff { at, late_policy: lateness } = self.cut_off?;
        let day = london_date(self.leaves_at(timing, now, days));
        Some(CutOff { at: at.on(day), lateness })
    }
}

const fn after(hour: i8, minute: i8, lateness: AfterCutOffPolicy) -> Option<RailCutOff> {
    Some(RailCutOff { at: TimeOfDay { hour, minute }, late_policy: lateness })
}

const fn charge(instrument: Instrument) -> Option<Charge> {
    match instrument {
        Instrument::Chaps => Some(Charge {
            bearer: ChargeBearer::Debtor,
            kind: ChargeType::ChapsOut,
            amount: Amount::from_minor(2_000, Currency::GBP),
        }),
        // The charge is defined in pounds and reported in a currency of the payment.
        Instrument::Swift => Some(Charge {
            bearer: ChargeBearer::Shared,
            kind: ChargeType::SwiftOut,
            amount: Amount::from_minor(1_500, Currency::GBP),
        }),
        Instrument::Bacs
        | Instrument::FasterPayments
        | Instrument::BalanceTransfer
        | Instrument::MoneyTransfer
        | Instrument::Paym
        | Instrument::Euro1
        | Instrument::SepaCreditTransfer
        | Instrument::SepaInstantCreditTransfer
        | Instrument::Link
        | Instrument::Target2 => None,
    }
}
