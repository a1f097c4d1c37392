//! The rate a payment is made at. One that was told as firm holds; any other is the bank's price of the day the account is
//! debited, and what was reserved at another price is reserved anew then. Source: table of section 5.1, INT-022.

use super::case::Case;
use super::dossier::PaymentInProgress;
use crate::booking;
use crate::storage::BankTransaction as Tables;
use jiff::Timestamp;
use lombard_domain::order::{Occurrence, Reason};
use lombard_ports::store::StoreError;

impl Case<'_> {
    /// A payment that is begun at a time and leaves at another. Without a rate where it needs one, if there is none.
    pub(super) fn payment(&self, occurrence: &Occurrence, leaves_at: Timestamp, at: Timestamp) -> PaymentInProgress {
        let abroad = self.dossier.abroad.as_ref();
        let priced = abroad.and_then(|abroad| {
            let priced = abroad.priced(self.market(), at)?;
            abroad.outlay(occurrence.amount, &priced).is_ok().then_some(priced)
        });
        PaymentInProgress::reserved(occurrence, self.run(leaves_at), priced)
    }

    /// Whether there is no rate for a payment that needs one, or none at which anything of it would be left.
    pub(super) fn has_no_price(&self, payment: &PaymentInProgress) -> bool {
        self.dossier.abroad.is_some() && payment.priced.is_none()
    }

    /// Why an order whose account is debited at once, though it is for another day, cannot be taken on. Source: INT-022.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) fn hindrance_in_advance(
        &self,
        tx: &mut dyn Tables,
        at: Timestamp,
    ) -> Result<Option<Reason>, StoreError> {
        match self.dossier.upcoming().filter(|_| self.dossier.is_in_advance()) {
            Some(occurrence) => self.hindrance(tx, &self.payment(&occurrence, at, at)),
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
    ) -> Result<Result<PaymentInProgress, (PaymentInProgress, Reason)>, StoreError> {
        let abroad = self.dossier.abroad.as_ref().zip(it.priced);
        let differing = abroad.and_then(|(abroad, priced)| {
            let priced = priced.differing(abroad.priced(self.market(), at))?;
            abroad.outlay(self.dossier.amount(it.minor), &priced).is_ok().then_some(priced)
        });
        let Some(priced) = differing else { return Ok(Ok(it)) };
        let (money, anew) = (self.money(), PaymentInProgress { priced: Some(priced), ..it.clone() });
        let more = money.sums(&anew)?.needed().saturating_sub(money.sums(&it)?.needed());
        if !booking::reaches(tx, &self.order.debtor, more)? {
            return Ok(Err((it, Reason::InsufficientFunds)));
        }
        money.release(tx, &it, &money.priced_anew(), at)?;
        money.reserve(tx, &anew, at)?;
        Ok(Ok(anew))
    }
}
