//! The rails money leaves the bank by, as data: one row each. When a rail works, how late is too late, what it costs and how
//! long it takes. Times of day are London's. Source: PIS-100, PIS-105, PIS-108, SCH-004.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::AccountSubType;
use lombard_domain::calendar::{london_date, london_time, working_day_after, working_day_from, working_days_after};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{
    Charge, ChargeBearer, ChargeType, Conditions, CutOff, Instruction, Instrument, Lateness, PaymentTerms, Route,
    Timing, Transfer,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// When the payments of a day are made: early, and on the same day in UTC all year.
const MORNING: TimeOfDay = TimeOfDay { hour: 6, minute: 0 };
const MIDNIGHT: TimeOfDay = TimeOfDay { hour: 0, minute: 0 };

/// A time of day in London.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TimeOfDay {
    /// Hours, 0 to 23.
    pub hour: i8,
    /// Minutes, 0 to 59.
    pub minute: i8,
}

impl TimeOfDay {
    pub(super) fn on(self, day: Date) -> Timestamp {
        london_time(day, self.hour, self.minute)
    }
}

/// The last moment of each working day, and what happens after it. Source: PIS-105.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// The moment; the instant itself is late already.
    pub at: TimeOfDay,
    /// What happens to payments that come later.
    pub lateness: Lateness,
}

/// How fast a rail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    /// Whether it pays on days on which banks do not work.
    pub every_day: bool,
    /// Before this time of its days nothing leaves.
    pub opens: TimeOfDay,
    /// How long after it has left a payment is debited, milliseconds.
    pub debits_after_millis: i64,
    /// When the payee has it.
    pub arrives: Arrival,
}

/// When the payee has the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrival {
    /// So many milliseconds after it was debited.
    After(i64),
    /// So many working days after it has left, at a time of day.
    WorkingDays(u16, TimeOfDay),
}

/// A rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rail {
    /// The last moment, if it has one.
    pub deadline: Option<Deadline>,
    /// How fast it is.
    pub pace: Pace,
    /// What a payment costs.
    pub charge: Option<Charge>,
}

/// The rails of the bank, one for each instrument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rails(BTreeMap<Instrument, Rail>);

impl Default for Rails {
    fn default() -> Self {
        Self(Instrument::ALL.into_iter().map(|instrument| (instrument, Rail::usual(instrument))).collect())
    }
}

impl Rails {
    /// The rail of an instrument.
    pub fn of(&self, instrument: Instrument) -> Rail {
        self.0.get(&instrument).copied().unwrap_or_else(|| Rail::usual(instrument))
    }

    /// The same rails, one of them with another last moment, or none. Source: PIS-108.
    #[must_use]
    pub fn with_deadline(mut self, instrument: Instrument, deadline: Option<Deadline>) -> Self {
        let rail = Rail { deadline, ..self.of(instrument) };
        self.0.insert(instrument, rail);
        self
    }

    /// What the bank says to a payment that is asked for now. Source: PIS-102 to PIS-109, SCH-004, SCH-006.
    pub(super) fn conditions(&self, terms: &PaymentTerms, now: Timestamp) -> Conditions {
        let instruction = &terms.instruction;
        let rail = self.of(instrument(instruction));
        let timing = instruction.transfer().map_or(&Timing::Immediate, |transfer| &transfer.timing);
        let leaves_at = rail.leaves_at(timing, now);
        let by_rail = rail.cut_off(timing, now);
        let by_day = instruction.last_submission_at().map(|at| CutOff { at, lateness: Lateness::Refused });
        Conditions {
            charges: rail.charge.into_iter().collect(),
            cut_off: by_rail.into_iter().chain(by_day).reduce(CutOff::earlier),
            execution_at: Some(leaves_at),
            settlement_at: Some(rail.pace.run(leaves_at).arrives_at),
            quote: None,
        }
    }
}

/// The instrument a payment runs on; where none is asked for, the bank's own choice. Source: PIS-139.
fn instrument(instruction: &Instruction) -> Instrument {
    let usual = instruction.transfer().map_or(Instrument::FasterPayments, instrument_of);
    instruction.instrument().unwrap_or(usual)
}

/// The instrument of one payment.
pub(super) fn instrument_of(transfer: &Transfer) -> Instrument {
    transfer.credit().instrument.unwrap_or(match &transfer.route {
        Route::Domestic(_) => Instrument::FasterPayments,
        Route::International(_) => Instrument::Swift,
    })
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
    /// refuse what comes late. Source: PIS-108.
    pub const fn usual(instrument: Instrument) -> Self {
        const NINE: TimeOfDay = TimeOfDay { hour: 9, minute: 0 };
        const SECOND: i64 = 1_000;
        let every_day = instrument.runs_every_day();
        let (deadline, opens, debits_after_millis, arrives) = match instrument {
            Instrument::FasterPayments
            | Instrument::Paym
            | Instrument::Link
            | Instrument::SepaInstantCreditTransfer => (None, MIDNIGHT, SECOND, Arrival::After(SECOND)),
            Instrument::Chaps => (refused_after(15, 0), MORNING, 5 * SECOND, Arrival::After(5 * SECOND)),
            // Input, processing and entry: the payee has it on the third day.
            Instrument::Bacs => (refused_after(17, 0), MIDNIGHT, SECOND, Arrival::WorkingDays(2, NINE)),
            Instrument::BalanceTransfer | Instrument::MoneyTransfer => {
                (None, MIDNIGHT, SECOND, Arrival::WorkingDays(1, NINE))
            }
            Instrument::Swift => (refused_after(15, 0), MORNING, SECOND, Arrival::WorkingDays(2, NINE)),
            Instrument::SepaCreditTransfer => (refused_after(14, 0), MORNING, SECOND, Arrival::WorkingDays(1, NINE)),
            Instrument::Euro1 | Instrument::Target2 => {
                (refused_after(15, 0), MORNING, 5 * SECOND, Arrival::After(5 * SECOND))
            }
        };
        Self { deadline, pace: Pace { every_day, opens, debits_after_millis, arrives }, charge: charge(instrument) }
    }

    /// When a payment that is asked for now leaves.
    fn leaves_at(&self, timing: &Timing, now: Timestamp) -> Timestamp {
        match timing {
            Timing::Immediate => self.at_once(now),
            Timing::On(day) => self.pace.on(*day),
            Timing::Recurring(schedule) => MORNING.on(working_day_from(schedule.first_on)),
        }
    }

    /// When a payment that is asked for now and is to leave at once does. One that is accepted late goes a working day later;
    /// one that would be refused says nothing of another day. Source: PIS-107.
    fn at_once(&self, now: Timestamp) -> Timestamp {
        let accepts = self.deadline.filter(|it| it.lateness == Lateness::Accepted);
        self.pace.from(now, accepts.map(|it| it.at))
    }

    /// When the rail closes on each of its days, if it does: what comes later never leaves that day, whether it was asked for
    /// too late or was held up on its way here. Source: PIS-105.
    pub(super) fn closes(&self) -> Option<TimeOfDay> {
        self.deadline.map(|it| it.at)
    }

    /// The last moment that is shown: of today, even if it has passed, where it refuses; of the day it leaves otherwise.
    fn cut_off(&self, timing: &Timing, now: Timestamp) -> Option<CutOff> {
        let Deadline { at, lateness } = self.deadline?;
        let day = london_date(self.leaves_at(timing, now));
        Some(CutOff { at: at.on(day), lateness })
    }
}

const fn refused_after(hour: i8, minute: i8) -> Option<Deadline> {
    Some(Deadline { at: TimeOfDay { hour, minute }, lateness: Lateness::Refused })
}

const fn charge(instrument: Instrument) -> Option<Charge> {
    match instrument {
        Instrument::Chaps => Some(Charge {
            bearer: ChargeBearer::Debtor,
            kind: ChargeType::ChapsOut,
            amount: Amount::from_minor(2_000, Currency::GBP),
        }),
        Instrument::Bacs
        | Instrument::FasterPayments
        | Instrument::Swift
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

/// When a payment is debited and when the payee has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) debited_at: Timestamp,
    pub(super) arrives_at: Timestamp,
}

impl Pace {
    /// The first moment from this one on at which payments leave. What comes once the rail has closed, if it does, goes a
    /// working day later. Source: PIS-107.
    pub(super) fn from(&self, now: Timestamp, closes: Option<TimeOfDay>) -> Timestamp {
        let today = london_date(now);
        let opens = self.opens.on(self.day(today));
        if now < opens {
            return opens;
        }
        if closes.is_some_and(|it| it.on(today) <= now) { self.opens.on(working_day_after(today)) } else { now }
    }

    /// The day a payment of a day is made on. Source: SCH-004.
    pub(super) fn day(&self, day: Date) -> Date {
        if self.every_day { day } else { working_day_from(day) }
    }

    /// When a payment that is ordered for a day leaves. Source: SCH-004.
    pub(super) fn on(&self, day: Date) -> Timestamp {
        MORNING.max(self.opens).on(self.day(day))
    }

    /// The course of a payment that leaves at a time.
    pub(super) fn run(&self, leaves_at: Timestamp) -> Run {
        let after = |at: Timestamp, millis| at.saturating_add(SignedDuration::from_millis(millis)).unwrap_or(at);
        let debited_at = after(leaves_at, self.debits_after_millis);
        let arrives_at = match self.arrives {
            Arrival::After(millis) => after(debited_at, millis),
            Arrival::WorkingDays(days, at) => at.on(working_days_after(london_date(leaves_at), days)),
        };
        Run { debited_at, arrives_at: arrives_at.max(debited_at) }
    }
}

/// When a standing order's payment of a working day is made.
pub(super) fn morning_of(day: Date) -> Timestamp {
    MORNING.on(day)
}
