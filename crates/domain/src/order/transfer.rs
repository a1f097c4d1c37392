//! A payment to one payee: where it goes, how much, and when.

use super::{Credit, PaymentConditions, PaymentProduct, Timing};
use crate::calendar::london_midnight;
use crate::exchange::{
    ConversionError, ConversionRate, CurrencyLegs, CurrencyPair, International, Quote, RequestedRate, TotalDebit,
};
use crate::money::{Amount, Currency};
use jiff::Timestamp;

/// A payment to one payee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// To whom, and by which kind of way.
    pub route: Route,
    /// How much; of a schedule, the first payment, and the others where it says nothing else.
    pub amount: Amount,
    /// When.
    pub timing: Timing,
}

/// Where a payment goes. One variant per kind of way; no match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all stay in the country, and need no box of their own")]
pub enum Route {
    /// Inside the country.
    Domestic(Credit),
    /// Abroad, or into another currency. Source: section 5.
    International(Box<International>),
}

impl Transfer {
    /// A payment inside the country.
    pub const fn domestic(credit: Credit, amount: Amount, timing: Timing) -> Self {
        Self { route: Route::Domestic(credit), amount, timing }
    }

    /// A payment abroad, or into another currency.
    pub fn international(payment: International, amount: Amount, timing: Timing) -> Self {
        Self { route: Route::International(Box::new(payment)), amount, timing }
    }

    /// Which product it is of, as a consent of its own.
    pub const fn product(&self) -> PaymentProduct {
        match (&self.route, &self.timing) {
            (Route::Domestic(_), Timing::Immediate) => PaymentProduct::DomesticPayment,
            (Route::Domestic(_), Timing::Scheduled(_)) => PaymentProduct::DomesticScheduledPayment,
            (Route::Domestic(_), Timing::StandingOrder(_)) => PaymentProduct::DomesticStandingOrder,
            (Route::International(_), Timing::Immediate) => PaymentProduct::InternationalPayment,
            (Route::International(_), Timing::Scheduled(_)) => PaymentProduct::InternationalScheduledPayment,
            (Route::International(_), Timing::StandingOrder(_)) => PaymentProduct::InternationalStandingOrder,
        }
    }

    /// To whom it goes, and what goes with it.
    pub const fn credit(&self) -> &Credit {
        match &self.route {
            Route::Domestic(credit) => credit,
            Route::International(payment) => &payment.credit,
        }
    }

    /// What it says of foreign exchange, if it goes abroad.
    pub const fn international_details(&self) -> Option<&International> {
        match &self.route {
            Route::Domestic(_) => None,
            Route::International(payment) => Some(payment),
        }
    }

    /// Whether the account is debited when the order is made although it is for another day: where the bank holds a rate
    /// that would not last until then. Source: INT-022.
    pub fn is_debited_in_advance(&self) -> bool {
        let wish = self.international_details().and_then(|payment| payment.exchange.as_ref());
        let actual = wish.is_some_and(|wish| matches!(wish.basis, RequestedRate::Actual));
        actual && matches!(self.timing, Timing::Scheduled(_))
    }

    /// The currencies it exchanges when it is paid from an account in this one: of a payment inside the country, one.
    pub const fn pair(&self, unit: Currency) -> CurrencyPair {
        match &self.route {
            Route::Domestic(_) => CurrencyPair { unit: self.amount.currency(), transfer: self.amount.currency() },
            Route::International(payment) => payment.pair(unit),
        }
    }

    /// The rate it is debited at, from an account in this currency: that of the quote, or the bank's price now where
    /// there is none, or only an indication. `None` where the price is needed and not given.
    pub fn rate(&self, unit: Currency, quote: Option<&Quote>, price: Option<ConversionRate>) -> Option<ConversionRate> {
        let pair = self.pair(unit);
        match quote.filter(|quote| quote.pair == pair) {
            _ if pair.is_single_currency() => Some(ConversionRate::ONE),
            Some(quote) => quote.fixed_rate().or(price),
            None => price,
        }
    }

    /// What its first payment takes from an account in this currency, charges included, and what is left of it for the
    /// payee; `rate` is what [`Self::rate`] says. Source: PIS-083, INT-023.
    ///
    /// # Errors
    /// [`ConversionError`]: no account in this currency can pay it.
    pub fn total_debit(
        &self,
        unit: Currency,
        conditions: &PaymentConditions,
        rate: ConversionRate,
    ) -> Result<TotalDebit, ConversionError> {
        let pair = self.pair(unit);
        if pair.unit != unit {
            return Err(ConversionError::ThirdCurrency);
        }
        TotalDebit::new(CurrencyLegs::new(self.amount, pair, rate)?, &conditions.charges, rate)
    }

    /// The moment its order must have been posted by: the beginning of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        match &self.timing {
            Timing::Immediate => None,
            Timing::Scheduled(day) => Some(london_midnight(*day)),
            Timing::StandingOrder(schedule) => Some(london_midnight(schedule.first_on)),
        }
    }
}
