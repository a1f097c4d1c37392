//! The course of an order at the bank: decided, kept until its day, its payments reserved, debited and credited, or refused
//! on the way. Each step is one activation of the diary, and tells what happened in the transaction in which it happens.

use super::super::diary::account_in_use;
use super::dossier::{OrderExecution, PaymentInProgress, Standing, Step};
use super::kept::Kept;
use super::money::{Money, PayeeLocation};
use super::pace::Run;
use super::triggers::TestTrigger;
use super::when::When;
use super::{payers, rails, shown};
use crate::booking;
use crate::market::Market;
use crate::storage::{BankOrder, BankTransaction as Tables};
use jiff::{Timestamp, ToSpan};
use lombard_domain::ids::OrderId;
use lombard_domain::order::{Occurrence, PaymentStatus, Reason};
use lombard_ports::bank::{News, OrderUpdate};
use lombard_ports::store::StoreError;

/// Processes an order: holds its execution state and collects its status updates.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) order: BankOrder,
    pub(super) dossier: OrderExecution,
    market: &'a Market,
    pub(super) news: Vec<News>,
}

/// Does what is due about an order at a time, exchanging money at the market's prices of that time; says when it is due
/// next.
///
/// # Errors
/// [`StoreError::Corrupt`] if what was written down of it cannot be read, [`StoreError`] otherwise.
pub(crate) fn carry_out(
    tx: &mut dyn Tables,
    order: BankOrder,
    at: Timestamp,
    market: &Market,
) -> Result<Option<Timestamp>, StoreError> {
    let mut case = Case::open(order, market)?;
    case.go_on(tx, at)?;
    case.close(tx)
}

/// Whether an arrangement of this id is carried out by an order.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn has_bank_order(tx: &mut dyn Tables, id: &str) -> Result<bool, StoreError> {
    Ok(tx.bank_order_for_update(&OrderId::new(id))?.is_some())
}

impl<'a> Case<'a> {
    /// Reads the stored execution.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it cannot be read.
    pub(super) fn open(order: BankOrder, market: &'a Market) -> Result<Self, StoreError> {
        Ok(Self { dossier: OrderExecution::read(&order)?, order, market, news: Vec::new() })
    }

    /// Stores how far the order has come, and what there is to tell; says when it is due next.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn close(mut self, tx: &mut dyn Tables) -> Result<Option<Timestamp>, StoreError> {
        self.order.due_at = self.dossier.due_at();
        self.order.plan = self.dossier.write();
        tx.bank_order_update(&self.order)?;
        tx.bank_updates_append(&self.news)?;
        Ok(self.order.due_at)
    }

    fn go_on(&mut self, tx: &mut dyn Tables, at: Timestamp) -> Result<(), StoreError> {
        match self.dossier.standing {
            Standing::Taken => self.decide(tx, at),
            Standing::Held | Standing::Over => Ok(()),
            Standing::Open => {
                while let Some(payment) = self.take_due(at) {
                    self.step(tx, payment, at)?;
                }
                if self.dossier.begins_at().is_some_and(|begins| begins <= at) {
                    self.begin(tx, at)?;
                }
                self.end_if_done();
                Ok(())
            }
        }
    }

    /// Whether the bank takes the order on, and how it begins.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn decide(&mut self, tx: &mut dyn Tables, at: Timestamp) -> Result<(), StoreError> {
        match self.dossier.trigger {
            Some(TestTrigger::SuspectedFraud) => {
                self.reject_order(Reason::SuspectedFraud, at);
                return Ok(());
            }
            Some(TestTrigger::Held) => {
                self.dossier.standing = Standing::Held;
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
        self.dossier.standing = Standing::Open;
        match self.dossier.when {
            When::Now => self.begin(tx, at)?,
            When::On(_) | When::Again(_) if !self.is_payer_usable(tx)? => {
                self.reject_order(Reason::DebtorAccountUnusable, at);
            }
            When::On(_) | When::Again(_) => match self.hindrance_in_advance(tx, at)? {
                Some(why) => self.reject_order(why, at),
                None => {
                    self.tell(at, OrderUpdate::Kept);
                    if let Some(begins) = self.dossier.begins_at() {
                        self.expect(begins, self.dossier.run(begins), at);
                    }
                    shown::put(tx, self)?;
                }
            },
        }
        self.end_if_done();
        Ok(())
    }

    /// Refuses the order as a whole.
    pub(super) fn reject_order(&mut self, why: Reason, at: Timestamp) {
        (self.dossier.standing, self.dossier.next) = (Standing::Over, None);
        self.tell(at, OrderUpdate::Refused(why));
    }

    /// Begins the next payment: its money is reserved, or it is not made. A standing order goes on all the same, unless its
    /// account is gone. A payment is tried once. Source: SCH-012, SO-020.
    fn begin(&mut self, tx: &mut dyn Tables, at: Timestamp) -> Result<(), StoreError> {
        let Some(occurrence) = self.dossier.upcoming() else {
            self.dossier.next = None;
            return Ok(());
        };
        let leaves_at = self.leaves_at(at);
        let payment = self.payment(&occurrence, leaves_at, at);
        let hindrance = self.hindrance(tx, &payment)?;
        match hindrance {
            None => {
                self.money().reserve(tx, &payment, at)?;
                self.expect(leaves_at, Run { debited_at: payment.debited_at.0, arrives_at: payment.arrives_at.0 }, at);
                self.append_payment_update(&payment, PaymentStatus::InProcess, None, at);
                self.dossier.under_way.push(payment);
            }
            Some(why) if matches!(self.dossier.when, When::Now) => self.reject_order(why, at),
            Some(why) => {
                if why == Reason::InsufficientFunds {
                    self.money().refuse(tx, &payment, why, at)?;
                }
                self.append_payment_update(&payment, PaymentStatus::Rejected, Some(why), at);
            }
        }
        self.dossier.next = occurrence.number.checked_add(1).filter(|_| !occurrence.is_last);
        if hindrance == Some(Reason::DebtorAccountUnusable) && self.dossier.next.take().is_some() {
            // Nothing can be paid from there any more.
            self.tell(at, OrderUpdate::Cancelled(Reason::DebtorAccountUnusable));
        }
        self.shown_after(tx, &occurrence, hindrance.is_none(), at)
    }

    fn shown_after(&self, tx: &mut dyn Tables, made: &Occurrence, paid: bool, at: Timestamp) -> Result<(), StoreError> {
        match self.dossier.when {
            When::Now => Ok(()),
            When::On(_) | When::Again(_) => shown::after(tx, self, made, paid, at),
        }
    }

    /// When a payment that is begun now leaves: on its rail's next day, if it is to leave at once.
    fn leaves_at(&self, at: Timestamp) -> Timestamp {
        match self.dossier.when {
            When::Now => self.dossier.leaves_from(at),
            When::On(_) | When::Again(_) => at,
        }
    }

    /// The course of a payment that leaves then, with what testers asked for.
    pub(super) fn run(&self, leaves_at: Timestamp) -> Run {
        let run = self.dossier.run(leaves_at);
        if self.dossier.trigger == Some(TestTrigger::CreditedLate) {
            return Run { arrives_at: run.arrives_at.saturating_add(24.hours()).unwrap_or(run.arrives_at), ..run };
        }
        run
    }

    /// Goes a step on with a payment.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn step(&mut self, tx: &mut dyn Tables, it: PaymentInProgress, at: Timestamp) -> Result<(), StoreError> {
        match it.step {
            Step::Reserved => self.debit(tx, it, at),
            Step::Debited => self.credit(tx, it, at),
            Step::Unposted => self.give_back(tx, it, Reason::CreditorAccountUnusable, at),
        }
    }

    /// Debits the payer, unless the other side refuses first.
    fn debit(&mut self, tx: &mut dyn Tables, it: PaymentInProgress, at: Timestamp) -> Result<(), StoreError> {
        let refusal = match (self.dossier.trigger, self.money().whereabouts(tx)?) {
            (Some(TestTrigger::RefusedByScheme), _) => Some(Reason::RefusedByScheme),
            (Some(TestTrigger::PayeeClosed), _) | (_, PayeeLocation::Unusable) => Some(Reason::CreditorAccountUnusable),
            (_, PayeeLocation::Here(_) | PayeeLocation::Elsewhere) => None,
        };
        if let Some(why) = refusal {
            return self.release(tx, &it, why, at);
        }
        let it = match self.priced_anew(tx, it, at)? {
            Ok(it) => it,
            Err((it, why)) => return self.release(tx, &it, why, at),
        };
        self.money().debited(tx, &it, at)?;
        self.append_payment_update(&it, PaymentStatus::Settled, None, at);
        let due_at = Some(Kept(it.arrives_at.0.max(at)));
        self.dossier.under_way.push(PaymentInProgress { step: Step::Debited, due_at, ..it });
        Ok(())
    }

    /// Lets the reservation go: the payment is refused.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn release(
        &mut self,
        tx: &mut dyn Tables,
        it: &PaymentInProgress,
        why: Reason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let money = self.money();
        money.release(tx, it, &money.not_paid(why), at)?;
        self.append_payment_update(it, PaymentStatus::Rejected, Some(why), at);
        Ok(())
    }

    /// Credits the payee, whose account may be gone by now: then the money comes back a day later.
    fn credit(&mut self, tx: &mut dyn Tables, it: PaymentInProgress, at: Timestamp) -> Result<(), StoreError> {
        if self.dossier.trigger == Some(TestTrigger::WithoutPosting) {
            self.leave_unposted(it, None, at);
            return Ok(());
        }
        match self.money().whereabouts(tx)? {
            PayeeLocation::Unusable => {
                let back_at = at.saturating_add(24.hours()).unwrap_or(at);
                self.leave_unposted(it, Some(back_at), at);
            }
            to @ (PayeeLocation::Here(_) | PayeeLocation::Elsewhere) => self.post(tx, &it, &to, at)?,
        }
        Ok(())
    }

    /// The payee has it.
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

    /// The payee's bank does not post it, until it comes back or somebody says what becomes of it.
    pub(super) fn leave_unposted(&mut self, it: PaymentInProgress, back_at: Option<Timestamp>, at: Timestamp) {
        self.append_payment_update(&it, PaymentStatus::WithoutPosting, None, at);
        self.dossier.under_way.push(PaymentInProgress { step: Step::Unposted, due_at: back_at.map(Kept), ..it });
    }

    /// The money comes back: the payment is refused after all. Source: PIS-048.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn give_back(
        &mut self,
        tx: &mut dyn Tables,
        it: PaymentInProgress,
        why: Reason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.money().give_back(tx, &it, why, at)?;
        self.append_payment_update(&it, PaymentStatus::Rejected, Some(why), at);
        Ok(())
    }

    /// Why a payment cannot be made now, if it cannot. From here on nobody else moves the account's money.
    pub(super) fn hindrance(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
    ) -> Result<Option<Reason>, StoreError> {
        if !self.is_payer_usable(tx)? {
            return Ok(Some(Reason::DebtorAccountUnusable));
        }
        if self.has_no_price(payment) {
            return Ok(Some(Reason::Unstated));
        }
        let enough = booking::reaches(tx, &self.order.debtor, self.money().sums(payment)?.needed())?;
        Ok((!enough).then_some(Reason::InsufficientFunds))
    }

    fn is_payer_usable(&self, tx: &mut dyn Tables) -> Result<bool, StoreError> {
        let found = account_in_use(tx, &self.order.debtor)?;
        Ok(found.is_some_and(|record| {
            payers::pays(&record)
                && record.account.currency == self.dossier.unit()
                && rails::takes_from(self.dossier.rail.0, record.account.sub_type)
        }))
    }

    pub(super) fn money(&self) -> Money<'_> {
        Money { order: &self.order.id, debtor: &self.order.debtor, dossier: &self.dossier }
    }

    pub(super) const fn market(&self) -> &'a Market {
        self.market
    }

    /// The payment that is due earliest by this time, taken out.
    fn take_due(&mut self, by: Timestamp) -> Option<PaymentInProgress> {
        let under_way = &mut self.dossier.under_way;
        let due = under_way.iter().enumerate().filter_map(|(index, it)| Some((it.due_at?.0, it.number, index)));
        let (_, _, index) = due.filter(|(at, ..)| *at <= by).min()?;
        Some(under_way.remove(index))
    }

    pub(super) fn end_if_done(&mut self) {
        let open = self.dossier.standing == Standing::Open;
        if open && self.dossier.next.is_none() && self.dossier.under_way.is_empty() {
            self.dossier.standing = Standing::Over;
        }
    }
}
