//! Chooses the rate of a payment. A firm rate does not change. Otherwise the payment uses the bank's rate of the day on which the account
//! is debited, and a reservation made at another rate is replaced. Source: table of section 5.1, INT-022.

use super::execution::PaymentInProgress;
use super::processor::OrderProcessor;
use crate::booking;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::payment::order::RejectionReason;
use lombard_domain::payment::transfer::Occurrence;
use lombard_ports::store::StoreError;

impl OrderProcessor<'_> {
    /// Creates a payment that begins at one time and leaves at another. It has no rate if it needs one and the bank has none.
    pub(super) fn payment(&self, occurrence: &Occurrence, leaves_at: Timestamp, at: Timestamp) -> PaymentInProgress {
        let international = self.execution.international.as_ref();
        let priced = international.and_then(|international| {
            let priced = international.priced(self.market(), at)?;
            international.total_debit(occurrence.amount, &priced).is_ok().then_some(priced)
        });
        PaymentInProgress::reserved(occurrence, self.payment_times(leaves_at), priced)
    }

    /// Whether the payment lacks a required rate, or its amount would round to zero at the rate.
    pub(super) fn has_no_price(&self, payment: &PaymentInProgress) -> bool {
        self.execution.international.is_some() && payment.priced.is_none()
    }

    /// The reason why an order that is debited in advance cannot be accepted. Source: INT-022.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn blocking_reason_in_advance(
        &self,
        tx: &mut dyn Tables,
        at: Timestamp,
    ) -> Result<Option<RejectionReason>, StoreError> {
        match self.execution.next_payment().filter(|_| self.execution.is_in_advance()) {
            Some(occurrence) => self.blocking_reason(tx, &self.payment(&occurrence, at, at)),
            None => Ok(None),
        }
    }

    /// Reprices the payment at the time of its debit. A reservation at another rate is released and replaced. If funds are
    /// insufficient, the payment is returned with the reason and its old reservation.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn reprice(
        &self,
        tx: &mut dyn Tables,
        it: PaymentInProgress,
        at: Timestamp,
    ) -> Result<Result<PaymentInProgress, (PaymentInProgress, RejectionReason)>, StoreError> {
        let international = self.execution.international.as_ref().zip(it.priced);
        let differing = international.and_then(|(international, priced)| {
            let priced = priced.differing(international.priced(self.market(), at))?;
            international.total_debit(self.execution.amount(it.minor), &priced).is_ok().then_some(priced)
        });
        let Some(priced) = differing else { return Ok(Ok(it)) };
        let (money, repriced) = (self.money(), PaymentInProgress { priced: Some(priced), ..it.clone() });
        let more = money.sums(&repriced)?.total_debit_minor().saturating_sub(money.sums(&it)?.total_debit_minor());
        if !booking::has_available_funds(tx, &self.order.debtor, more)? {
            return Ok(Err((it, RejectionReason::InsufficientFunds)));
        }
        money.release(tx, &it, &money.repriced_text(), at)?;
        money.reserve(tx, &repriced, at)?;
        Ok(Ok(repriced))
    }
}
