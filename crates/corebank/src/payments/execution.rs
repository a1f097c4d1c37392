//! What the bank writes down of an order, in its own words, as JSON: what was ordered, and how far it has come.
//!
//! The rail's pace and the charge are written down with it: an order runs on the terms it was taken on, whatever the
//! operator changes afterwards.

use super::international::{CrossBorderPayment, PricedPayment};
use super::payee::PayeeAccount;
use super::rail_timing::{PaymentTimes, RailTiming, TimeOfDay, WorkingDays};
use super::rails::Rails;
use super::stored_text::StoredText;
use super::timing::OrderTiming;
use super::triggers::{self, TestTrigger};
use crate::storage::OrderAtBank;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{ChargeBearer, Instrument, Occurrence, RailTexts};
use lombard_domain::stored;
use lombard_ports::bank::PaymentOrder;
use lombard_ports::store::StoreError;
use serde::{Deserialize, Serialize};

/// The stored execution state of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OrderExecution {
    #[serde(rename = "standing")]
    pub(super) state: ExecutionState,
    /// When the bank took it.
    pub(super) taken_at: StoredText<Timestamp>,
    pub(super) rail: StoredText<Instrument>,
    pub(super) pace: RailTiming,
    /// From this time of its days on the rail lets nothing leave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) closes: Option<TimeOfDay>,
    pub(super) payee: PayeeAccount,
    /// What the payee's books say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
    /// What the rail carries beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// The currency of what is instructed.
    pub(super) currency: Currency,
    /// Minor units of the first payment.
    pub(super) minor: u64,
    /// What a payment abroad says beside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "abroad")]
    pub(super) international: Option<CrossBorderPayment>,
    /// Minor units the payer is charged for each payment inside the country.
    #[serde(default)]
    pub(super) charge: u64,
    #[serde(rename = "when")]
    pub(super) timing: OrderTiming,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trigger: Option<TestTrigger>,
    /// When it is told to leave and to arrive.
    pub(super) expected: (Option<StoredText<Timestamp>>, Option<StoredText<Timestamp>>),
    /// The payment that is begun next; none if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u32>,
    /// Payments that were begun and have not ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "under_way")]
    pub(super) in_progress: Vec<PaymentInProgress>,
}

/// The state of an order at the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ExecutionState {
    /// It was submitted and is not decided yet.
    #[serde(rename = "taken")]
    Accepted,
    /// It waits for an outcome from outside (a test trigger).
    Held,
    /// Its payments are made, or will be.
    Open,
    /// Nothing is left to do.
    #[serde(rename = "over")]
    Finished,
}

/// A payment that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PaymentInProgress {
    pub(super) number: u32,
    #[serde(with = "stored")]
    pub(super) due_on: Date,
    #[serde(with = "stored")]
    pub(super) paid_on: Date,
    pub(super) minor: u64,
    pub(super) step: PaymentStep,
    /// When it goes on; without it, when somebody says so.
    pub(super) due_at: Option<StoredText<Timestamp>>,
    /// When it was expected to be debited: what its entry says.
    pub(super) debited_at: StoredText<Timestamp>,
    /// When the payee has it.
    pub(super) arrives_at: StoredText<Timestamp>,
    /// The rate, of a payment abroad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) priced: Option<PricedPayment>,
}

/// How far a payment has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PaymentStep {
    /// The money is reserved.
    Reserved,
    /// The payer is debited; the payee is not credited yet.
    Debited,
    /// The payee's bank has it and does not post it.
    Unposted,
}

impl OrderExecution {
    /// What is written down of an order when it comes in; `unit` is the currency of the account it pays from.
    pub(super) fn of(order: &PaymentOrder, unit: Currency, rails: &Rails, now: Timestamp) -> Self {
        let transfer = &order.transfer;
        let (credit, amount, instrument) = (transfer.credit(), transfer.amount, transfer.rail());
        let rail = rails.for_instrument(instrument);
        let international =
            transfer.international_details().map(|payment| CrossBorderPayment::of(order, payment, unit));
        let RailTexts { reference, end_to_end, message, .. } = credit.rail_texts(instrument);
        let domestic = order.conditions.charges.iter().filter(|_| international.is_none());
        let charges = domestic.filter(|it| it.bearer == ChargeBearer::Debtor);
        Self {
            state: ExecutionState::Accepted,
            taken_at: StoredText(now),
            rail: StoredText(instrument),
            pace: rail.pace,
            closes: rail.closes(),
            payee: PayeeAccount::of(&credit.creditor, credit.creditor.holder_name()),
            reference: reference.or(end_to_end),
            message,
            currency: amount.currency(),
            minor: amount.minor(),
            charge: charges.fold(0, |sum, it| sum.saturating_add(it.amount.minor())),
            international,
            timing: OrderTiming::of(&transfer.timing),
            trigger: triggers::of(transfer),
            expected: (order.conditions.execution_at.map(StoredText), order.conditions.settlement_at.map(StoredText)),
            next: Some(1),
            in_progress: Vec::new(),
        }
    }

    /// What the bank wrote down of an order.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it cannot be read.
    pub(super) fn read(order: &OrderAtBank) -> Result<Self, StoreError> {
        serde_json::from_str(&order.execution).map_err(|error| StoreError::Corrupt {
            table: "bank_orders",
            id: order.id.to_string(),
            source: error.into(),
        })
    }

    /// The execution state as JSON.
    pub(super) fn write(&self) -> String {
        // Text keys and no floats: writing cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// When something is to be done about it next; `None` if nothing is, or not before somebody says so.
    pub(super) fn due_at(&self) -> Option<Timestamp> {
        match self.state {
            ExecutionState::Accepted => Some(self.taken_at.0),
            ExecutionState::Held | ExecutionState::Finished => None,
            ExecutionState::Open => {
                let under_way = self.in_progress.iter().filter_map(|it| it.due_at.map(|at| at.0));
                under_way.chain(self.begins_at()).min()
            }
        }
    }

    /// The payment that is begun next. It never was due before the bank took the order.
    pub(super) fn upcoming(&self) -> Option<Occurrence> {
        let number = self.next?;
        let amount = self.amount(self.minor);
        match &self.timing {
            OrderTiming::Now => {
                let today = london_date(self.taken_at.0);
                Some(Occurrence { number, due_on: today, paid_on: today, amount, is_last: true })
            }
            OrderTiming::On(day) => {
                let paid_on = self.pace.day(*day, self.days());
                Some(Occurrence { number, due_on: *day, paid_on, amount, is_last: true })
            }
            OrderTiming::StandingOrder(turns) => {
                let before = usize::try_from(number).ok()?.checked_sub(1)?;
                let one = turns.schedule(self.currency).occurrences(amount).nth(before)?;
                Some(Occurrence { paid_on: self.days().from(one.due_on), ..one })
            }
        }
    }

    /// When the next payment is begun. One whose time had passed when the bank took the order is begun when the rail next
    /// works. Source: SCH-004.
    pub(super) fn begins_at(&self) -> Option<Timestamp> {
        let (upcoming, taken_at) = (self.upcoming()?, self.taken_at.0);
        let at = match &self.timing {
            // Its money is reserved at once, whenever it leaves.
            OrderTiming::Now => return Some(taken_at),
            OrderTiming::On(_) if self.is_in_advance() => return Some(taken_at),
            OrderTiming::On(day) => self.pace.on(*day, self.days()),
            OrderTiming::StandingOrder(_) => self.days().morning_of(upcoming.paid_on),
        };
        Some(if at < taken_at { self.leaves_from(taken_at) } else { at })
    }

    /// When a payment leaves that could from this time on.
    pub(super) fn leaves_from(&self, at: Timestamp) -> Timestamp {
        self.pace.from(at, self.closes, self.days())
    }

    /// The course of a payment that leaves at a time; of one that is debited in advance, to its own day.
    pub(super) fn run(&self, leaves_at: Timestamp) -> PaymentTimes {
        match &self.timing {
            OrderTiming::On(day) if self.is_in_advance() => self.pace.run_ahead(leaves_at, *day, self.days()),
            OrderTiming::Now | OrderTiming::On(_) | OrderTiming::StandingOrder(_) => {
                self.pace.run(leaves_at, self.days())
            }
        }
    }

    /// Whether the account is debited at once, whatever the day. Source: INT-022.
    pub(super) fn is_in_advance(&self) -> bool {
        self.international.as_ref().is_some_and(|international| international.in_advance)
    }

    /// The working days it keeps.
    pub(super) fn days(&self) -> WorkingDays {
        self.international.as_ref().map_or(WorkingDays::HOME, |international| WorkingDays::of(international.pair()))
    }

    /// The currency of the account that is debited.
    pub(super) fn unit(&self) -> Currency {
        self.international.as_ref().map_or(self.currency, |international| international.pair().unit)
    }

    /// The currency that is sent.
    pub(super) fn sends(&self) -> Currency {
        self.international.as_ref().map_or(self.currency, |international| international.pair().transfer)
    }

    /// So many minor units.
    pub(super) fn amount(&self, minor: u64) -> Amount {
        Amount::from_minor(minor, self.currency)
    }
}

impl PaymentInProgress {
    /// A payment whose money is reserved.
    pub(super) fn reserved(occurrence: &Occurrence, run: PaymentTimes, priced: Option<PricedPayment>) -> Self {
        Self {
            number: occurrence.number,
            due_on: occurrence.due_on,
            paid_on: occurrence.paid_on,
            minor: occurrence.amount.minor(),
            step: PaymentStep::Reserved,
            due_at: Some(StoredText(run.debited_at)),
            debited_at: StoredText(run.debited_at),
            arrives_at: StoredText(run.arrives_at),
            priced,
        }
    }
}
