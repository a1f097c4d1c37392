//! The stored execution of an order, as JSON: the payment that was ordered, and its progress.
//!
//! The rail's timing and the charge are stored with the order. The order thus keeps the conditions under which the bank accepted it,
//! even if the operator changes them later.

use super::international::{CrossBorderPayment, PricedPayment, named_bank};
use super::payee::PayeeAccount;
use super::rail_timing::{PaymentTimes, RailTiming, TimeOfDay, WorkingDays};
use super::rails::Rails;
use super::reported_updates::ReportedUpdates;
use super::stored_text::StoredText;
use super::timing::OrderTiming;
use super::triggers::{self, TestTrigger};
use crate::storage::OrderAtBank;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{BankIdentification, EntryPayment, MandateTerms};
use lombard_domain::calendar::london_date;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::transfer::{Instrument, Occurrence, RailTexts, TransferDetails};
use lombard_domain::stored;
use lombard_ports::bank::PaymentOrder;
use lombard_ports::controls::OrderPlan;
use lombard_ports::store::StoreError;
use serde::{Deserialize, Serialize};

/// The stored execution state of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OrderExecution {
    #[serde(rename = "standing")]
    pub(super) state: ExecutionState,
    /// When the bank received the order.
    #[serde(rename = "taken_at")]
    pub(super) received_at: StoredText<Timestamp>,
    pub(super) rail: StoredText<Instrument>,
    #[serde(rename = "pace")]
    pub(super) rail_timing: RailTiming,
    /// The time of day from which the rail sends nothing.
    #[serde(rename = "closes", default, skip_serializing_if = "Option::is_none")]
    pub(super) rail_closes_at: Option<TimeOfDay>,
    pub(super) payee: PayeeAccount,
    /// The reference for the payee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reference: Option<String>,
    /// The remittance text beside the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// The payment details that the order's entries show beside payee and reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) payment: Option<Box<EntryPayment>>,
    /// The payee's bank of a domestic payment, if the order names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) agent: Option<BankIdentification>,
    /// The mandate terms of a standing order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mandate: Option<Box<MandateTerms>>,
    /// The currency of the instructed amount.
    pub(super) currency: Currency,
    /// The amount of the first payment in minor units.
    pub(super) minor: u64,
    /// The additional data of an international payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "abroad")]
    pub(super) international: Option<CrossBorderPayment>,
    /// The payer's charge for each domestic payment in minor units.
    #[serde(default)]
    pub(super) charge: u64,
    #[serde(rename = "when")]
    pub(super) timing: OrderTiming,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) trigger: Option<TestTrigger>,
    /// The execution and settlement times reported last.
    pub(super) expected: (Option<StoredText<Timestamp>>, Option<StoredText<Timestamp>>),
    /// The number of the payment that is begun next; `None` if there is no further one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u32>,
    /// The payments in progress.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "under_way")]
    pub(super) in_progress: Vec<PaymentInProgress>,
    /// The status updates that were appended, by number: how the order stands ([`ReportedUpdates`]).
    #[serde(default, skip_serializing_if = "ReportedUpdates::is_empty")]
    #[serde(rename = "told")]
    pub(super) reported: ReportedUpdates,
}

/// The state of an order at the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ExecutionState {
    /// The bank has received the order and has not decided on it yet.
    #[serde(rename = "taken")]
    Received,
    /// The order waits until a tester forces an outcome (a test trigger).
    #[serde(rename = "held")]
    AwaitingOutcome,
    /// The payments of the order are being executed or scheduled.
    Open,
    /// The order is finished.
    #[serde(rename = "over")]
    Finished,
}

/// A payment in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PaymentInProgress {
    pub(super) number: u32,
    #[serde(with = "stored")]
    pub(super) due_on: Date,
    #[serde(with = "stored")]
    pub(super) paid_on: Date,
    pub(super) minor: u64,
    pub(super) step: PaymentStep,
    /// When the payment's next step is due; `None` while it waits for a forced outcome.
    pub(super) due_at: Option<StoredText<Timestamp>>,
    /// The expected debit time, which is also the time of the payer's entry.
    pub(super) debited_at: StoredText<Timestamp>,
    /// When the payee is credited.
    pub(super) arrives_at: StoredText<Timestamp>,
    /// The exchange rate, if the payment is international.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) priced: Option<PricedPayment>,
}

/// The progress of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PaymentStep {
    /// The amount is reserved.
    Reserved,
    /// The payer is debited; the payee is not credited yet.
    Debited,
    /// The payee's bank has received the payment and does not post it.
    Unposted,
}

/// The payment details that the entries of payer and payee show; `None` if there are none. Source: AIS-128, `OBTransaction6`.
fn entry_payment(details: &TransferDetails) -> Option<EntryPayment> {
    let payment = EntryPayment {
        category_purpose: details.category_purpose,
        purpose: details.purpose,
        ultimate_creditor: details.ultimate_creditor.clone(),
        ultimate_debtor: details.ultimate_debtor.clone(),
        ..EntryPayment::default()
    };
    (payment != EntryPayment::default()).then_some(payment)
}

impl OrderExecution {
    /// The initial execution of an order from an account in this currency.
    pub(super) fn new(order: &PaymentOrder, debit_currency: Currency, rails: &Rails, now: Timestamp) -> Self {
        let transfer = &order.transfer;
        let (credit, amount, instrument) = (transfer.credit(), transfer.amount, transfer.rail());
        let rail = rails.for_instrument(instrument);
        let international =
            transfer.international_details().map(|payment| CrossBorderPayment::new(order, payment, debit_currency));
        let RailTexts { reference, end_to_end, message, .. } = credit.rail_texts(instrument);
        let domestic = order.conditions.charges.iter().filter(|_| international.is_none());
        let charges = domestic.filter(|it| it.bearer == ChargeBearer::Debtor);
        let details = transfer.details.as_deref();
        Self {
            state: ExecutionState::Received,
            received_at: StoredText(now),
            rail: StoredText(instrument),
            rail_timing: rail.timing,
            rail_closes_at: rail.closes_at(),
            payee: PayeeAccount::of(&credit.creditor, credit.creditor.holder_name()),
            reference: reference.or(end_to_end),
            message,
            payment: details.and_then(entry_payment).map(Box::new),
            agent: details.and_then(|details| details.agent.as_ref()).and_then(named_bank),
            mandate: details.and_then(|details| details.mandate.clone()).map(Box::new),
            currency: amount.currency(),
            minor: amount.minor(),
            charge: charges.fold(0, |sum, it| sum.saturating_add(it.amount.minor())),
            international,
            timing: OrderTiming::of(&transfer.timing),
            trigger: triggers::of(transfer),
            expected: (order.conditions.execution_at.map(StoredText), order.conditions.settlement_at.map(StoredText)),
            next: Some(1),
            in_progress: Vec::new(),
            reported: ReportedUpdates::default(),
        }
    }

    /// Applies the plan of a tester to the execution. An order that is planned to stay pending is one that the bank receives later.
    pub(super) fn planned(self, plan: OrderPlan) -> Self {
        let received_at = self.received_at.0;
        let later = received_at.saturating_add(SignedDuration::from_secs(plan.wait_secs.into()));
        Self {
            trigger: TestTrigger::of_plan(plan.outcome).or(self.trigger),
            received_at: StoredText(later.unwrap_or(received_at)),
            ..self
        }
    }

    /// The payee's bank, with the identification that the order gave.
    pub(super) fn payee_agent(&self) -> Option<BankIdentification> {
        self.international.as_ref().and_then(CrossBorderPayment::agent).or_else(|| self.agent.clone())
    }

    /// Parses the stored execution of an order.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it cannot be parsed.
    pub(super) fn read(order: &OrderAtBank) -> Result<Self, StoreError> {
        serde_json::from_str(&order.execution).map_err(|error| StoreError::Corrupt {
            table: "bank_orders",
            id: order.id.to_string(),
            source: error.into(),
        })
    }

    /// The execution state as JSON.
    pub(super) fn write(&self) -> String {
        // Serialising text keys without floats cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// When the order's next step is due. The result is `None` if there is no such step, or if the order waits for a forced outcome.
    pub(super) fn due_at(&self) -> Option<Timestamp> {
        match self.state {
            ExecutionState::Received => Some(self.received_at.0),
            ExecutionState::AwaitingOutcome | ExecutionState::Finished => None,
            ExecutionState::Open => {
                let under_way = self.in_progress.iter().filter_map(|it| it.due_at.map(|at| at.0));
                under_way.chain(self.begins_at()).min()
            }
        }
    }

    /// The payment that is begun next. Its due time is never before the time at which the bank received the order.
    pub(super) fn next_payment(&self) -> Option<Occurrence> {
        let number = self.next?;
        let amount = self.amount(self.minor);
        match &self.timing {
            OrderTiming::Now => {
                let today = london_date(self.received_at.0);
                Some(Occurrence { number, due_on: today, paid_on: today, amount, is_last: true })
            }
            OrderTiming::On(day) => {
                let paid_on = self.rail_timing.day(*day, self.days());
                Some(Occurrence { number, due_on: *day, paid_on, amount, is_last: true })
            }
            OrderTiming::StandingOrder(timing) => {
                let before = usize::try_from(number).ok()?.checked_sub(1)?;
                let one = timing.schedule(self.currency).occurrences(amount).nth(before)?;
                Some(Occurrence { paid_on: self.days().same_or_next_working_day(one.due_on), ..one })
            }
        }
    }

    /// When the next payment is begun. If its time had passed when the bank received the order, it is begun on the rail's next
    /// working time. Source: SCH-004.
    pub(super) fn begins_at(&self) -> Option<Timestamp> {
        let (upcoming, received_at) = (self.next_payment()?, self.received_at.0);
        let at = match &self.timing {
            // The bank reserves the amount at once, even if the payment leaves later.
            OrderTiming::Now => return Some(received_at),
            OrderTiming::On(_) if self.is_in_advance() => return Some(received_at),
            OrderTiming::On(day) => self.rail_timing.leaves_on(*day, self.days()),
            OrderTiming::StandingOrder(_) => self.days().morning_of(upcoming.paid_on),
        };
        Some(if at < received_at { self.leaves_from(received_at) } else { at })
    }

    /// The earliest time at which a payment can leave, from the given time on.
    pub(super) fn leaves_from(&self, at: Timestamp) -> Timestamp {
        self.rail_timing.next_open_at(at, self.rail_closes_at, self.days())
    }

    /// The debit and credit times of a payment that leaves at the given time. A payment debited in advance settles on its execution date.
    pub(super) fn payment_times(&self, leaves_at: Timestamp) -> PaymentTimes {
        match &self.timing {
            OrderTiming::On(day) if self.is_in_advance() => {
                self.rail_timing.times_in_advance(leaves_at, *day, self.days())
            }
            OrderTiming::Now | OrderTiming::On(_) | OrderTiming::StandingOrder(_) => {
                self.rail_timing.times(leaves_at, self.days())
            }
        }
    }

    /// Whether the account is debited at once, whatever the execution date. Source: INT-022.
    pub(super) fn is_in_advance(&self) -> bool {
        self.international.as_ref().is_some_and(|international| international.in_advance)
    }

    /// The working days that apply to the order's payments.
    pub(super) fn days(&self) -> WorkingDays {
        self.international.as_ref().map_or(WorkingDays::HOME, |international| WorkingDays::of(international.pair()))
    }

    /// The currency of the account that is debited.
    pub(super) fn debit_currency(&self) -> Currency {
        self.international.as_ref().map_or(self.currency, |international| international.pair().unit)
    }

    /// The currency of transfer.
    pub(super) fn transfer_currency(&self) -> Currency {
        self.international.as_ref().map_or(self.currency, |international| international.pair().transfer)
    }

    /// An amount of this many minor units.
    pub(super) fn amount(&self, minor: u64) -> Amount {
        Amount::from_minor(minor, self.currency)
    }
}

impl PaymentInProgress {
    /// A payment in the state [`PaymentStep::Reserved`].
    pub(super) fn reserved(occurrence: &Occurrence, times: PaymentTimes, priced: Option<PricedPayment>) -> Self {
        Self {
            number: occurrence.number,
            due_on: occurrence.due_on,
            paid_on: occurrence.paid_on,
            minor: occurrence.amount.minor(),
            step: PaymentStep::Reserved,
            due_at: Some(StoredText(times.debited_at)),
            debited_at: StoredText(times.debited_at),
            arrives_at: StoredText(times.arrives_at),
            priced,
        }
    }
}
