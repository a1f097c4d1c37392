//! Moves the money of one payment: reserves, debits, credits, releases or refunds it. Every movement has a unique cause, so a repeated
//! movement has no effect.
//!
//! Between debit and credit, a clearing account holds the money. There is one clearing account for each payer, rail and currency. When
//! the payer of an exchanged payment is debited, the money moves from one clearing account to another. On the way, it passes the bank's
//! position in each currency, its margin and its charges. A refund reverses the same sums. Each currency sums to zero at every time.

use super::super::booking::{self, JournalLine};
use super::super::names;
use super::execution::PaymentInProgress;
use super::funds::{PaymentFunds, repriced_name};
use super::payee_location::PayeeLocation;
use super::stored_text;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::account::Transaction;
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{ConversionError, Movement, MovementAccount};
use lombard_domain::payment::order::RejectionReason;
use lombard_ports::store::StoreError;

impl PaymentFunds<'_> {
    /// Reserves the amount and the charge, with pending entries for the payer.
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
        let lines =
            vec![JournalLine::with_entry(self.debit(payment, &sums)), self.clearing(sums.debit, sums.debit_currency)];
        booking::reserve(tx, self.cause(payment, &repriced_name(payment, "reserve")), at, lines)?;
        if let Some(fee) = self.fee(payment, &sums) {
            let lines = vec![JournalLine::with_entry(fee), self.charged(sums.fee)];
            booking::reserve(tx, self.cause(payment, &repriced_name(payment, "reserve-charge")), at, lines)?;
        }
        Ok(())
    }

    /// Debits the reserved amount and exchanges it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn debit_payer(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let entries = self.payer_entries(payment, &self.sums(payment)?);
        entries
            .into_iter()
            .try_for_each(|entry| booking::book_pending_entry(tx, Transaction { booked_at: at, ..entry }))?;
        self.move_across(tx, payment, "exchange", at, |minor| minor)
    }

    /// Releases the reservation; the payer's entry gives the reason.
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
        self.payer_entries(payment, &self.sums(payment)?).into_iter().try_for_each(|entry| {
            let entry = Transaction { information: Some(text.to_owned()), booked_at: at, ..entry };
            booking::release_pending_entry(tx, entry)
        })
    }

    /// Adds a rejected entry for a payment that was not made.
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
        booking::record_refused_entry(tx, self.refused(payment, &self.sums(payment)?, why, at))
    }

    /// Credits the payee: with an entry if the account is at this bank, otherwise on an external ledger account.
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
            PayeeLocation::ThisBank(account) => {
                JournalLine::with_entry(self.received(tx, account, payment, &sums, at)?)
            }
            PayeeLocation::Unusable | PayeeLocation::OtherBank => {
                let payee = names::other_bank_account(&self.execution.payee.account(), sums.transfer_currency);
                JournalLine::without_entry(payee, sums.sent, sums.transfer_currency)
            }
        };
        let lines = vec![self.clearing(sums.sent.saturating_neg(), sums.transfer_currency), theirs];
        booking::book(tx, self.cause(payment, "credit"), at, lines).map(drop)
    }

    /// Refunds the amount and the charge to the payer exactly as debited, whatever the present rate.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn refund_order(
        &self,
        tx: &mut dyn Tables,
        payment: &PaymentInProgress,
        why: RejectionReason,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.move_across(tx, payment, "exchange-back", at, i64::saturating_neg)?;
        let sums = self.sums(payment)?;
        let returned = JournalLine::with_entry(self.returned(payment, &sums, why, at));
        let mut lines = vec![self.clearing(sums.debit.saturating_neg(), sums.debit_currency), returned];
        if let Some(refund) = self.refunded(payment, &sums, at) {
            lines.extend([self.charged(sums.fee.saturating_neg()), JournalLine::with_entry(refund)]);
        }
        booking::book(tx, self.cause(payment, "return"), at, lines).map(drop)
    }

    /// Moves the debited money to the currency of transfer, or back, through the bank's own accounts.
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
                // The payer's debit is on the clearing account of one currency; the payee is credited from that of the other currency.
                MovementAccount::Payer | MovementAccount::Payee => self.clearing(minor, currency),
                MovementAccount::Position => JournalLine::external_party("bank:position", minor, currency),
                MovementAccount::Margin => JournalLine::external_party("bank:margin", minor, currency),
                MovementAccount::Charges => JournalLine::external_party("bank:fees", minor, currency),
            }
        });
        booking::book(tx, self.cause(payment, what), at, lines.collect()).map(drop)
    }

    /// The clearing account that holds the money between debit and credit.
    fn clearing(&self, minor: i64, currency: Currency) -> JournalLine {
        let party = format!("clearing/{}/{}", stored_text::instrument_name(self.execution.rail.0), self.debtor);
        JournalLine::external_party(&party, minor, currency)
    }

    /// The journal line that receives a charge. An international payment moves its charge together with the amount.
    fn charged(&self, minor: i64) -> JournalLine {
        match &self.execution.international {
            Some(international) => self.clearing(minor, international.pair().unit),
            None => JournalLine::external_party("bank:fees", minor, self.execution.currency),
        }
    }
}
