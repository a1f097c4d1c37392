//! How the money of one payment moves: kept aside, debited, credited, let go or given back. Every movement has a cause of
//! its own, so whoever comes again moves nothing.
//!
//! Between the payer and the payee the money lies on a clearing account, one for each payer, rail and currency. Money that
//! is exchanged goes from one of them to another by way of the bank's position in each currency, its margin and its charges,
//! when the payer is debited; if it comes back, it does so by the same sums. Whatever happens, each currency sums to zero.

use super::super::booking::{self, JournalLine};
use super::super::names;
use super::super::scheduler::account_in_use;
use super::entries::repriced_name;
use super::execution::{OrderExecution, PaymentInProgress};
use super::stored_text;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::account::{Account, Transaction};
use lombard_domain::exchange::{ConversionError, Movement, MovementAccount, TotalDebit};
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::money::Currency;
use lombard_domain::order::RejectionReason;
use lombard_ports::store::StoreError;

/// What the causes of journals of orders begin with.
const CAUSE: &str = "order/";

/// The order whose money a journal moves, by the journal's cause; none of a journal of something else.
pub(crate) fn order_of_cause(cause: &str) -> Option<OrderId> {
    // The id of a payment of a file has a slash of its own.
    let (order, _) = cause.strip_prefix(CAUSE)?.rsplit_once('/')?.0.rsplit_once('/')?;
    Some(order.into())
}

/// Where a payee banks.
#[derive(Debug)]
pub(super) enum PayeeLocation {
    /// Here.
    ThisBank(Box<Account>),
    /// Here, and the account cannot be paid to.
    Unusable,
    /// Elsewhere.
    OtherBank,
}

/// The money of one payment of an order.
#[derive(Debug)]
pub(super) struct PaymentFunds<'a> {
    pub(super) order: &'a OrderId,
    pub(super) debtor: &'a BankAccountId,
    pub(super) execution: &'a OrderExecution,
}

/// What a payment comes to, minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PaymentSums {
    /// The currency of the account that is debited.
    pub(super) unit: Currency,
    /// What leaves it for the payment itself.
    pub(super) debit: i64,
    /// What leaves it for the charge.
    pub(super) fee: i64,
    /// The currency that is sent.
    pub(super) sends: Currency,
    /// What is sent.
    pub(super) sent: i64,
}

impl PaymentSums {
    /// All that leaves the account.
    pub(super) const fn needed(&self) -> i64 {
        self.debit.saturating_add(self.fee)
    }
}

impl PaymentFunds<'_> {
    /// What a payment comes to.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if that does not follow from what was written down.
    pub(super) fn sums(&self, payment: &PaymentInProgress) -> Result<PaymentSums, StoreError> {
        let (unit, sends) = (self.execution.unit(), self.execution.sends());
        let (debit, fee, sent) = match self.total_debit(payment)? {
            Some(total_debit) => {
                (total_debit.legs().debit().minor(), total_debit.charges_on_payer().minor(), total_debit.sent().minor())
            }
            None => (payment.minor, self.execution.charge, payment.minor),
        };
        Ok(PaymentSums { unit, debit: signed(debit), fee: signed(fee), sends, sent: signed(sent) })
    }

    /// Keeps the amount and the charge aside; the payer sees both as pending.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn reserve(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sums = self.sums(payment)?;
        let lines = vec![JournalLine::seen(self.debit(payment, &sums)), self.clearing(sums.debit, sums.unit)];
        booking::reserve(tx, self.cause(payment, &repriced_name(payment, "reserve")), at, lines)?;
        if let Some(fee) = self.fee(payment, &sums) {
            let lines = vec![JournalLine::seen(fee), self.charged(sums.fee)];
            booking::reserve(tx, self.cause(payment, &repriced_name(payment, "reserve-charge")), at, lines)?;
        }
        Ok(())
    }

    /// Debits what was kept aside, and exchanges it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn debited(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let entries = self.outgoing_entry(payment, &self.sums(payment)?);
        entries.into_iter().try_for_each(|entry| booking::settle(tx, Transaction { booked_at: at, ..entry }))?;
        self.move_across(tx, payment, "exchange", at, |minor| minor)
    }

    /// Lets go what was kept aside; the payer sees why.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn release(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        text: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.outgoing_entry(payment, &self.sums(payment)?).into_iter().try_for_each(|entry| {
            let entry = Transaction { information: Some(text.to_owned()), booked_at: at, ..entry };
            booking::release(tx, entry)
        })
    }

    /// Enters that a payment was not made at all.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn refuse(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        why: RejectionReason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        booking::refuse(tx, self.refused(payment, &self.sums(payment)?, why, at))
    }

    /// Credits the payee: an entry of its own if the payee banks here, somebody outside otherwise.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn credit(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        to: &PayeeLocation,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let sums = self.sums(payment)?;
        let theirs = match to {
            PayeeLocation::ThisBank(account) => JournalLine::seen(self.received(tx, account, payment, &sums, at)?),
            PayeeLocation::Unusable | PayeeLocation::OtherBank => {
                let payee = names::other_bank_account(&self.execution.payee.account(), sums.sends);
                JournalLine::unseen(payee, sums.sent, sums.sends)
            }
        };
        let lines = vec![self.clearing(sums.sent.saturating_neg(), sums.sends), theirs];
        booking::book(tx, self.cause(payment, "credit"), at, lines).map(drop)
    }

    /// Gives the payer back the amount and the charge: what was debited, to the last minor unit, whatever a price is now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn give_back(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        why: RejectionReason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.move_across(tx, payment, "exchange-back", at, i64::saturating_neg)?;
        let sums = self.sums(payment)?;
        let returned = JournalLine::seen(self.returned(payment, &sums, why, at));
        let mut lines = vec![self.clearing(sums.debit.saturating_neg(), sums.unit), returned];
        if let Some(refund) = self.refunded(payment, &sums, at) {
            lines.extend([self.charged(sums.fee.saturating_neg()), JournalLine::seen(refund)]);
        }
        booking::book(tx, self.cause(payment, "return"), at, lines).map(drop)
    }

    /// Where the payee banks now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn whereabouts(&self, tx: &mut dyn Tables) -> Result<PayeeLocation, StoreError> {
        let Some(id) = tx.bank_account_by_number(&self.execution.payee.account())? else {
            return Ok(PayeeLocation::OtherBank);
        };
        let found = account_in_use(tx, &id)?.map(|record| record.account);
        let usable = found.filter(|it| it.currency == self.execution.sends() && it.id != *self.debtor);
        Ok(usable.map_or(PayeeLocation::Unusable, |it| PayeeLocation::ThisBank(Box::new(it))))
    }

    pub(super) fn cause(&self, payment: &PaymentInProgress, what: &str) -> String {
        format!("{CAUSE}{}/{}/{what}", self.order, payment.number)
    }

    /// What a payment abroad comes to; none of one inside the country, which exchanges nothing.
    fn total_debit(&self, payment: &PaymentInProgress) -> Result<Option<TotalDebit>, StoreError> {
        let Some(international) = &self.execution.international else { return Ok(None) };
        let priced = payment.priced.as_ref().ok_or_else(|| self.corrupt("a payment abroad has no rate"))?;
        let total_debit = international.total_debit(self.execution.amount(payment.minor), priced);
        total_debit.map(Some).map_err(|why| self.corrupt(why))
    }

    /// Moves what was debited on to what is sent, or all of it back, through the bank's own accounts.
    fn move_across(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        what: &str,
        at: Timestamp,
        way: impl Fn(i64) -> i64,
    ) -> Result<(), StoreError> {
        let Some((total_debit, priced)) = self.total_debit(payment)?.zip(payment.priced) else { return Ok(()) };
        let movements = total_debit.movements(priced.middle).map_err(|why: ConversionError| self.corrupt(why))?;
        let lines = movements.into_iter().map(|Movement { role, sum }| {
            let (minor, currency) = (way(sum.minor()), sum.currency());
            match role {
                // The payer's account was debited in favour of the one, the payee's is credited from the other.
                MovementAccount::Payer | MovementAccount::Payee => self.clearing(minor, currency),
                MovementAccount::Position => JournalLine::outside("bank:position", minor, currency),
                MovementAccount::Margin => JournalLine::outside("bank:margin", minor, currency),
                MovementAccount::Charges => JournalLine::outside("bank:fees", minor, currency),
            }
        });
        booking::book(tx, self.cause(payment, what), at, lines.collect()).map(drop)
    }

    /// The account the money is on while it is nobody's.
    fn clearing(&self, minor: i64, currency: Currency) -> JournalLine {
        let party = format!("clearing/{}/{}", stored_text::word(self.execution.rail.0), self.debtor);
        JournalLine::outside(&party, minor, currency)
    }

    /// The other side of a charge. Of a payment abroad it is moved on with the rest.
    fn charged(&self, minor: i64) -> JournalLine {
        match &self.execution.international {
            Some(international) => self.clearing(minor, international.pair().unit),
            None => JournalLine::outside("bank:fees", minor, self.execution.currency),
        }
    }

    fn corrupt(&self, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError::Corrupt { table: "bank_orders", id: self.order.to_string(), source: why.into() }
    }
}

/// Minor units with a sign; no amount that is ordered comes near the end of the range.
fn signed(minor: u64) -> i64 {
    i64::try_from(minor).unwrap_or(i64::MAX)
}
