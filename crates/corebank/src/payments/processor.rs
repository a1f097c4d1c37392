//! Executes an order at the bank: accepts or rejects it, warehouses it until its day, and reserves, debits and credits its
//! payments. Each step runs in one scheduler transaction, which also appends the status updates of the step.

use super::execution::{ExecutionState, OrderExecution, PaymentInProgress, PaymentStep};
use super::funds::PaymentFunds;
use super::payee_location::{PayeeLocation, locate_payee};
use super::rail_timing::PaymentTimes;
use super::stored_text::StoredText;
use super::timing::OrderTiming;
use super::triggers::TestTrigger;
use super::{arrangements, payers, rails};
use crate::account_availability::enabled_account;
use crate::booking;
use crate::market::ExchangeMarket;
use crate::storage::{BankTransaction as Tables, OrderAtBank};
use jiff::{Timestamp, ToSpan};
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::{PaymentStatus, RejectionReason};
use lombard_domain::payment::transfer::Occurrence;
use lombard_ports::bank::{OrderUpdate, StatusUpdate};
use lombard_ports::store::StoreError;

/// Processes an order: holds its execution state and collects its status updates.
#[derive(Debug)]
pub(super) struct OrderProcessor<'a> {
    pub(super) order: OrderAtBank,
    pub(super) execution: OrderExecution,
    market: &'a ExchangeMarket,
    pub(super) updates: Vec<StatusUpdate>,
}

/// Runs the steps of an order that are due, at the exchange rates of the given time, and returns when the order is due next.
///
/// # Errors
/// [`StoreError::Corrupt`] if the stored execution cannot be read, [`StoreError`] otherwise.
pub(crate) fn process_order(
    tx: &mut dyn Tables,
    order: OrderAtBank,
    at: Timestamp,
    market: &ExchangeMarket,
) -> Result<Option<Timestamp>, StoreError> {
    let mut processor = OrderProcessor::open(order, market)?;
    processor.run_due_steps(tx, at)?;
    processor.close(tx)
}

/// Whether an order exists to which the arrangement of this id belongs.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn has_bank_order(tx: &mut dyn Tables, id: &str) -> Result<bool, StoreError> {
    Ok(tx.bank_order_for_update(&OrderId::new(id))?.is_some())
}

impl<'a> OrderProcessor<'a> {
    /// Reads the stored execution of an order.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it cannot be read.
    pub(super) fn open(order: OrderAtBank, market: &'a ExchangeMarket) -> Result<Self, StoreError> {
        Ok(Self { execution: OrderExecution::read(&order)?, order, market, updates: Vec::new() })
    }

    /// Stores the execution and the status updates; returns when the order is due next.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn close(mut self, tx: &mut dyn Tables) -> Result<Option<Timestamp>, StoreError> {
        self.order.due_at = self.execution.due_at();
        self.order.execution = self.execution.write();
        tx.bank_order_update(&self.order)?;
        tx.bank_updates_append(&self.updates)?;
        Ok(self.order.due_at)
    }

    fn run_due_steps(&mut self, tx: &mut dyn Tables, at: Timestamp) -> Result<(), StoreError> {
        match self.execution.state {
            ExecutionState::Received => self.decide(tx, at),
            ExecutionState::AwaitingOutcome | ExecutionState::Finished => Ok(()),
            ExecutionState::Open => {
                while let Some(payment) = self.take_due(at) {
                    self.step(tx, payment, at)?;
                }
                if self.execution.begins_at().is_some_and(|begins_at| begins_at <= at) {
                    self.begin_next_payment(tx, at)?;
                }
                self.end_if_done();
                Ok(())
            }
        }
    }

    /// Decides whether the bank accepts the order, and opens an accepted order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn decide(&mut self, tx: &mut dyn Tables, at: Timestamp) -> Result<(), StoreError> {
        match self.execution.trigger {
            Some(TestTrigger::SuspectedFraud) => {
                self.reject_order(RejectionReason::SuspectedFraud, at);
                return Ok(());
            }
            Some(TestTrigger::AwaitingOutcome) => {
                self.execution.state = ExecutionState::AwaitingOutcome;
                return Ok(());
            }
            Some(
                TestTrigger::RefusedByScheme
                | TestTrigger::CreditedLate
                | TestTrigger::WithoutPosting
                | TestTrigger::PayeeClosed,
            )
            | None => {}
        }
        self.execution.state = ExecutionState::Open;
        match self.execution.timing {
            OrderTiming::Now => self.begin_next_payment(tx, at)?,
            OrderTiming::On(_) | OrderTiming::StandingOrder(_) if !self.is_payer_usable(tx)? => {
                self.reject_order(RejectionReason::DebtorAccountUnusable, at);
            }
            OrderTiming::On(_) | OrderTiming::StandingOrder(_) => match self.blocking_reason_in_advance(tx, at)? {
                Some(why) => self.reject_order(why, at),
                None => {
                    self.append_update(at, OrderUpdate::Warehoused);
                    if let Some(begins_at) = self.execution.begins_at() {
                        self.append_times_update(begins_at, self.execution.payment_times(begins_at), at);
                    }
                    arrangements::put(tx, &self.order, &self.execution)?;
                }
            },
        }
        self.end_if_done();
        Ok(())
    }

    /// Rejects the order as a whole.
    pub(super) fn reject_order(&mut self, why: RejectionReason, at: Timestamp) {
        (self.execution.state, self.execution.next) = (ExecutionState::Finished, None);
        self.append_update(at, OrderUpdate::Refused(why));
    }

    /// Begins the next payment: reserves its amount, or fails it. A standing order continues in both cases, unless its account can no
    /// longer be used. The bank tries a payment only once. Source: SCH-012, SO-020.
    fn begin_next_payment(&mut self, tx: &mut dyn Tables, at: Timestamp) -> Result<(), StoreError> {
        let Some(occurrence) = self.execution.next_payment() else {
            self.execution.next = None;
            return Ok(());
        };
        let leaves_at = self.leaves_at(at);
        let payment = self.payment(&occurrence, leaves_at, at);
        let blocking_reason = self.blocking_reason(tx, &payment)?;
        match blocking_reason {
            None => {
                self.money().reserve(tx, &payment, at)?;
                self.append_times_update(
                    leaves_at,
                    PaymentTimes { debited_at: payment.debited_at.0, arrives_at: payment.arrives_at.0 },
                    at,
                );
                self.append_payment_update(&payment, PaymentStatus::InProcess, None, at);
                self.execution.in_progress.push(payment);
            }
            Some(why) if matches!(self.execution.timing, OrderTiming::Now) => self.reject_order(why, at),
            Some(why) => {
                if why == RejectionReason::InsufficientFunds {
                    self.money().refuse(tx, &payment, why, at)?;
                }
                self.append_payment_update(&payment, PaymentStatus::Rejected, Some(why), at);
            }
        }
        self.execution.next = occurrence.number.checked_add(1).filter(|_| !occurrence.is_last);
        if blocking_reason == Some(RejectionReason::DebtorAccountUnusable) && self.execution.next.take().is_some() {
            // No further payment from this account is possible.
            self.append_update(at, OrderUpdate::Cancelled(RejectionReason::DebtorAccountUnusable));
        }
        self.update_arrangement(tx, &occurrence, blocking_reason.is_none(), at)
    }

    fn update_arrangement(
        &self,
        tx: &mut dyn Tables,
        made: &Occurrence,
        paid: bool,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        match self.execution.timing {
            OrderTiming::Now => Ok(()),
            OrderTiming::On(_) | OrderTiming::StandingOrder(_) => {
                arrangements::update_after_payment(tx, &self.order, &self.execution, made, paid, at)
            }
        }
    }

    /// When a payment that begins now leaves. An immediate payment leaves at the rail's next working time.
    fn leaves_at(&self, at: Timestamp) -> Timestamp {
        match self.execution.timing {
            OrderTiming::Now => self.execution.leaves_from(at),
            OrderTiming::On(_) | OrderTiming::StandingOrder(_) => at,
        }
    }

    /// The debit and credit times of a payment that leaves at the given time, after the effect of a test trigger.
    pub(super) fn payment_times(&self, leaves_at: Timestamp) -> PaymentTimes {
        let times = self.execution.payment_times(leaves_at);
        if self.execution.trigger == Some(TestTrigger::CreditedLate) {
            return PaymentTimes {
                arrives_at: times.arrives_at.saturating_add(24.hours()).unwrap_or(times.arrives_at),
                ..times
            };
        }
        times
    }

    /// Executes the next step of a payment.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn step(&mut self, tx: &mut dyn Tables, it: PaymentInProgress, at: Timestamp) -> Result<(), StoreError> {
        match it.step {
            PaymentStep::Reserved => self.debit(tx, it, at),
            PaymentStep::Debited => self.credit(tx, it, at),
            PaymentStep::Unposted => self.refund_payer(tx, it, RejectionReason::CreditorAccountUnusable, at),
        }
    }

    /// Debits the payer, unless the scheme or the payee's bank refuses the payment first.
    fn debit(&mut self, tx: &mut dyn Tables, it: PaymentInProgress, at: Timestamp) -> Result<(), StoreError> {
        let refusal = match (self.execution.trigger, self.locate_payee(tx)?) {
            (Some(TestTrigger::RefusedByScheme), _) => Some(RejectionReason::RefusedByScheme),
            (Some(TestTrigger::PayeeClosed), _) | (_, PayeeLocation::Unusable) => {
                Some(RejectionReason::CreditorAccountUnusable)
            }
            (_, PayeeLocation::ThisBank(_) | PayeeLocation::OtherBank) => None,
        };
        if let Some(why) = refusal {
            return self.release(tx, &it, why, at);
        }
        let it = match self.reprice(tx, it, at)? {
            Ok(it) => it,
            Err((it, why)) => return self.release(tx, &it, why, at),
        };
        self.money().debit_payer(tx, &it, at)?;
        self.append_payment_update(&it, PaymentStatus::Settled, None, at);
        let due_at = Some(StoredText(it.arrives_at.0.max(at)));
        self.execution.in_progress.push(PaymentInProgress { step: PaymentStep::Debited, due_at, ..it });
        Ok(())
    }

    /// Rejects the payment and releases its reservation.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn release(
        &mut self,
        tx: &mut dyn Tables,
        it: &PaymentInProgress,
        why: RejectionReason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let money = self.money();
        money.release(tx, it, &money.not_paid_text(why), at)?;
        self.append_payment_update(it, PaymentStatus::Rejected, Some(why), at);
        Ok(())
    }

    /// Credits the payee. If the payee's account has been closed meanwhile, the money is returned a day later.
    fn credit(&mut self, tx: &mut dyn Tables, it: PaymentInProgress, at: Timestamp) -> Result<(), StoreError> {
        if self.execution.trigger == Some(TestTrigger::WithoutPosting) {
            self.leave_unposted(it, None, at);
            return Ok(());
        }
        match self.locate_payee(tx)? {
            PayeeLocation::Unusable => {
                let back_at = at.saturating_add(24.hours()).unwrap_or(at);
                self.leave_unposted(it, Some(back_at), at);
            }
            to @ (PayeeLocation::ThisBank(_) | PayeeLocation::OtherBank) => self.post(tx, &it, &to, at)?,
        }
        Ok(())
    }

    /// Credits the payee and appends the status update.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn post(
        &mut self,
        tx: &mut dyn Tables,
        it: &PaymentInProgress,
        to: &PayeeLocation,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.money().credit(tx, it, to, at)?;
        self.append_payment_update(it, PaymentStatus::Credited, None, at);
        Ok(())
    }

    /// Leaves the payment unposted at the payee's bank until it is returned or an outcome is forced.
    pub(super) fn leave_unposted(&mut self, it: PaymentInProgress, back_at: Option<Timestamp>, at: Timestamp) {
        self.append_payment_update(&it, PaymentStatus::WithoutPosting, None, at);
        self.execution.in_progress.push(PaymentInProgress {
            step: PaymentStep::Unposted,
            due_at: back_at.map(StoredText),
            ..it
        });
    }

    /// Refunds the payer: the payment is rejected after it was debited. Source: PIS-048.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn refund_payer(
        &mut self,
        tx: &mut dyn Tables,
        it: PaymentInProgress,
        why: RejectionReason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.money().refund_order(tx, &it, why, at)?;
        self.append_payment_update(&it, PaymentStatus::Rejected, Some(why), at);
        Ok(())
    }

    /// The reason why the payment cannot be made now, if there is one. The call locks the debtor account.
    pub(super) fn blocking_reason(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
    ) -> Result<Option<RejectionReason>, StoreError> {
        if !self.is_payer_usable(tx)? {
            return Ok(Some(RejectionReason::DebtorAccountUnusable));
        }
        if self.has_no_price(payment) {
            return Ok(Some(RejectionReason::NotGiven));
        }
        let enough =
            booking::has_available_funds(tx, &self.order.debtor, self.money().sums(payment)?.total_debit_minor())?;
        Ok((!enough).then_some(RejectionReason::InsufficientFunds))
    }

    fn is_payer_usable(&self, tx: &mut dyn Tables) -> Result<bool, StoreError> {
        let found = enabled_account(tx, &self.order.debtor)?;
        Ok(found.is_some_and(|record| {
            payers::can_pay(&record)
                && record.account.currency == self.execution.debit_currency()
                && rails::can_debit(self.execution.rail.0, record.account.sub_type)
        }))
    }

    pub(super) fn money(&self) -> PaymentFunds<'_> {
        PaymentFunds { order: &self.order.id, debtor: &self.order.debtor, execution: &self.execution }
    }

    /// The present location of the payee's account.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn locate_payee(&self, tx: &mut dyn Tables) -> Result<PayeeLocation, StoreError> {
        locate_payee(tx, &self.order.debtor, &self.execution)
    }

    pub(super) const fn market(&self) -> &'a ExchangeMarket {
        self.market
    }

    /// Removes and returns the earliest payment that is due by this time.
    fn take_due(&mut self, by: Timestamp) -> Option<PaymentInProgress> {
        let under_way = &mut self.execution.in_progress;
        let due = under_way.iter().enumerate().filter_map(|(index, it)| Some((it.due_at?.0, it.number, index)));
        let (_, _, index) = due.filter(|(at, ..)| *at <= by).min()?;
        Some(under_way.remove(index))
    }

    pub(super) fn end_if_done(&mut self) {
        let open = self.execution.state == ExecutionState::Open;
        if open && self.execution.next.is_none() && self.execution.in_progress.is_empty() {
            self.execution.state = ExecutionState::Finished;
        }
    }
}
