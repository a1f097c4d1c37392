//! The rails money leaves the bank by, as data: one row each. When a rail works, how late is too late, what it costs and how
//! long it takes. Times of day are London's. Source: PIS-100, PIS-105, PIS-108, SCH-004.

use super::rail_timing::{CreditTime, MIDNIGHT, MORNING, RailTiming, TimeOfDay, WorkingDays};
use crate::market::ExchangeMarket;
use jiff::Timestamp;
use lombard_domain::account::AccountSubType;
use lombard_domain::calendar::london_date;
use lombard_domain::exchange::{CurrencyPair, International, default_charge_bearer};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{
    AfterCutOffPolicy, Charge, ChargeBearer, ChargeType, CutOff, Instruction, Instrument, PaymentConditions,
    PaymentConsentRequest, Timing, Transfer,
};
use std::collections::BTreeMap;

/// The last moment of each working day, and what happens after it. Source: PIS-105.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RailCutOff {
    /// The moment; the instant itself is late already.
    pub at: TimeOfDay,
    /// What happens to payments that come later.
    pub lateness: AfterCutOffPolicy,
}

/// A rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rail {
    /// The last moment, if it has one.
    pub deadline: Option<RailCutOff>,
    /// How fast it is.
    pub pace: RailTiming,
    /// What a payment costs.
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

    /// The same rails, one of them with another last moment, or none. Source: PIS-108.
    #[must_use]
    pub fn with_deadline(mut self, instrument: Instrument, deadline: Option<RailCutOff>) -> Self {
        let rail = Rail { deadline, ..self.for_instrument(instrument) };
        self.0.insert(instrument, rail);
        self
    }

    /// What the bank says to a payment that is asked for now. Source: PIS-102 to PIS-109, SCH-004, SCH-006.
    pub(super) fn conditions(
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
        let (leaves_at, run) = match timing {
            Timing::Scheduled(day) if transfer.is_some_and(Transfer::is_debited_in_advance) => {
                (now, rail.pace.run_ahead(now, *day, days))
            }
            Timing::Immediate | Timing::Scheduled(_) | Timing::StandingOrder(_) => {
                let leaves_at = rail.leaves_at(timing, now, days);
                (leaves_at, rail.pace.run(leaves_at, days))
            }
        };
        let by_rail = rail.cut_off(timing, now, days);
        let by_day = instruction.last_submission_at().map(|at| CutOff { at, lateness: AfterCutOffPolicy::Refused });
        // Nothing is levied on the payments of a file.
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
            settlement_at: Some(run.arrives_at),
            quote: None,
        }
    }
}

/// The instrument a payment runs on; where none is asked for, the usual one. Source: PIS-139.
fn instrument(instruction: &Instruction) -> Instrument {
    let asked = || instruction.instrument().unwrap_or(Instrument::FasterPayments);
    instruction.transfer().map_or_else(asked, Transfer::rail)
}

/// The payer's currency, as far as it is known before anybody has chosen an account.
fn known_unit(payment: &International, amount: Amount) -> Option<Currency> {
    let other = Some(amount.currency()).filter(|it| *it != payment.transfer);
    payment.exchange.as_ref().map(|wish| wish.unit).or(other)
}

/// The currencies of a payment abroad; a payer nobody knows yet is taken for one with pounds.
fn presumed_pair(payment: &International, amount: Amount) -> CurrencyPair {
    payment.pair(known_unit(payment, amount).unwrap_or(Currency::GBP))
}

/// What a payment abroad costs: whoever bears it, in a currency that this one has. None in a currency the bank knows no
/// rate for. Source: PIS-100, PIS-103.
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
    Some(Charge { bearer, amount: market.tariff(charge.amount, currency)?, ..charge })
}

/// Whether the instrument takes money from accounts of a kind: transfers between cards from cards, the others from accounts
/// that hold money. Source: PIS-140.
pub(super) const fn takes_from(instrument: Instrument, sub_type: AccountSubType) -> bool {
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
    /// The rail as it is unless the operator says otherwise: Faster Payments has no last moment, those that work by day
    /// refuse what comes late, but for SEPA's batches, which take it along the next day. Source: PIS-108.
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
            // Input, processing and entry: the payee has it on the third day.
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
            deadline,
            pace: RailTiming { every_day, opens, debits_after_millis, arrives },
            charge: charge(instrument),
        }
    }

    /// When a payment that is asked for now leaves.
    fn leaves_at(&self, timing: &Timing, now: Timestamp, days: WorkingDays) -> Timestamp {
        match timing {
            Timing::Immediate => self.at_once(now, days),
            Timing::Scheduled(day) => self.pace.on(*day, days),
            Timing::StandingOrder(schedule) => days.morning_of(schedule.first_on),
        }
    }

    /// When a payment that is asked for now and is to leave at once does. One that is accepted late goes a working day later;
    /// one that would be refused says nothing of another day. Source: PIS-107.
    fn at_once(&self, now: Timestamp, days: WorkingDays) -> Timestamp {
        let accepts = self.deadline.filter(|it| it.lateness == AfterCutOffPolicy::Accepted);
        self.pace.from(now, accepts.map(|it| it.at), days)
    }

    /// When the rail closes on each of its days, if it does: what comes later never leaves that day, whether it was asked for
    /// too late or was held up on its way here. Source: PIS-105.
    pub(super) fn closes(&self) -> Option<TimeOfDay> {
        self.deadline.map(|it| it.at)
    }

    /// The last moment that is shown: of today, even if it has passed, where it refuses; of the day it leaves otherwise.
    fn cut_off(&self, timing: &Timing, now: Timestamp, days: WorkingDays) -> Option<CutOff> {
        let RailCutOff { at, lateness } = self.deadline?;
        let day = london_date(self.leaves_at(timing, now, days));
        Some(CutOff { at: at.on(day), lateness })
    }
}

const fn after(hour: i8, minute: i8, lateness: AfterCutOffPolicy) -> Option<RailCutOff> {
    Some(RailCutOff { at: TimeOfDay { hour, minute }, lateness })
}

const fn charge(instrument: Instrument) -> Option<Charge> {
    match instrument {
        Instrument::Chaps => Some(Charge {
            bearer: ChargeBearer::Debtor,
            kind: ChargeType::ChapsOut,
            amount: Amount::from_minor(2_000, Currency::GBP),
        }),
        // Said in pounds; told in a currency of the payment.
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
