//! The rate a payment is made at. One that was told as firm holds; any other is the bank's price of the day the account is
//! debited, and what was reserved at another price is reserved anew then. Source: table of section 5.1, INT-022.

use super::execution::PaymentInProgress;
use super::processor::OrderProcessor;
use crate::booking;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::order::{Occurrence, RejectionReason};
use lombard_ports::store::StoreError;

impl OrderProcessor<'_> {
    /// A payment that is begun at a time and leaves at another. Without a rate where it needs one, if there is none.
    pub(super) fn payment(&self, occurrence: &Occurrence, leaves_at: Timestamp, at: Timestamp) -> PaymentInProgress {
        let international = self.execution.international.as_ref();
        let priced = international.and_then(|international| {
            let priced = international.priced(self.market(), at)?;
            international.total_debit(occurrence.amount, &priced).is_ok().then_some(priced)
        });
        PaymentInProgress::reserved(occurrence, self.run(leaves_at), priced)
    }

    /// Whether there is no rate for a payment that needs one, or none at which anything of it would be left.
    pub(super) fn has_no_price(&self, payment: &PaymentInProgress) -> bool {
        self.execution.international.is_some() && payment.priced.is_none()
    }

    /// Why an order whose account is debited at once, though it is for another day, cannot be taken on. Source: INT-022.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn hindrance_in_advance(
        &self,
        tx: &mut dyn Tables,
        at: Timestamp,
    ) -> Result<Option<RejectionReason>, StoreError> {
        match self.execution.upcoming().filter(|_| self.execution.is_in_advance()) {
            Some(occurrence) => self.blocking_reason(tx, &self.payment(&occurrence, at, at)),
            None => Ok(None),
        }
    }

    /// The payment at the price of the time it is debited at. What was reserved at another price is let go and reserved
    /// anew; if there is not enough money for that, the payment comes back with the reason, reserved as it was.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn priced_anew(
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
        let (money, anew) = (self.money(), PaymentInProgress { priced: Some(priced), ..it.clone() });
        let more = money.sums(&anew)?.needed().saturating_sub(money.sums(&it)?.needed());
        if !booking::has_available_funds(tx, &self.order.debtor, more)? {
            return Ok(Err((it, RejectionReason::InsufficientFunds)));
        }
        money.release(tx, &it, &money.priced_anew(), at)?;
        money.reserve(tx, &anew, at)?;
        Ok(Ok(anew))
    }
}
