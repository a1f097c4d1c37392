//! A payment to one payee: destination, amount and time.

use super::{CreditorDetails, International, PaymentConditions, Timing, TransferDetails};
use crate::calendar::london_midnight;
use crate::money::{Amount, Currency};
use crate::payment::PaymentProduct;
use crate::payment::exchange::{
    ConversionError, ConversionRate, CurrencyLegs, CurrencyPair, Quote, RequestedRate, TotalDebit,
};
use jiff::Timestamp;

/// A payment to one payee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The payee, and whether the payment is domestic or international.
    pub route: Route,
    /// The amount; of a schedule, that of the first payment and, by default, of the others.
    pub amount: Amount,
    /// The time or schedule.
    pub timing: Timing,
    /// Its parties, purposes and reports, if it names any.
    pub details: Option<Box<TransferDetails>>,
}

/// The destination of a payment, one variant per kind. No match on it has a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all stay in the country, and need no box of their own")]
pub enum Route {
    /// A domestic payment.
    Domestic(CreditorDetails),
    /// An international payment, or one in a foreign currency. Source: section 5.
    International(Box<International>),
}

impl Transfer {
    /// A domestic payment.
    pub const fn domestic(credit: CreditorDetails, amount: Amount, timing: Timing) -> Self {
        Self { route: Route::Domestic(credit), amount, timing, details: None }
    }

    /// An international payment, or one in a foreign currency.
    pub fn international(payment: International, amount: Amount, timing: Timing) -> Self {
        Self { route: Route::International(Box::new(payment)), amount, timing, details: None }
    }

    /// The payment with these details.
    #[must_use]
    pub fn with_details(self, details: TransferDetails) -> Self {
        Self { details: details.boxed(), ..self }
    }

    /// The product of a consent to this payment.
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

    /// The payee and the references.
    pub const fn credit(&self) -> &CreditorDetails {
        match &self.route {
            Route::Domestic(credit) => credit,
            Route::International(payment) => &payment.credit,
        }
    }

    /// The international details; `None` for a domestic payment.
    pub const fn international_details(&self) -> Option<&International> {
        match &self.route {
            Route::Domestic(_) => None,
            Route::International(payment) => Some(payment),
        }
    }

    /// Whether a scheduled payment is debited when it is ordered, because the rate that the bank holds expires before
    /// its day. Source: INT-022.
    pub fn is_debited_in_advance(&self) -> bool {
        let rate_request = self.international_details().and_then(|payment| payment.exchange.as_ref());
        let actual = rate_request.is_some_and(|rate_request| matches!(rate_request.basis, RequestedRate::Actual));
        actual && matches!(self.timing, Timing::Scheduled(_))
    }

    /// The currencies of the exchange when the debtor account has this currency. Both are the same for a domestic
    /// payment.
    pub const fn pair(&self, unit: Currency) -> CurrencyPair {
        match &self.route {
            Route::Domestic(_) => CurrencyPair { unit: self.amount.currency(), transfer: self.amount.currency() },
            Route::International(payment) => payment.pair(unit),
        }
    }

    /// The rate at which an account of this currency is debited: the quoted rate, or the bank's present price if there
    /// is no quote or only an indicative one. `None` if the price is needed and missing.
    pub fn rate(&self, unit: Currency, quote: Option<&Quote>, price: Option<ConversionRate>) -> Option<ConversionRate> {
        let pair = self.pair(unit);
        match quote.filter(|quote| quote.pair == pair) {
            _ if pair.is_single_currency() => Some(ConversionRate::ONE),
            Some(quote) => quote.fixed_rate().or(price),
            None => price,
        }
    }

    /// The currency of the accounts that can make the payment, as the amount and the charges imply it; the currency of transfer
    /// if they imply none. Source: INT-023.
    pub fn implied_unit(&self, conditions: &PaymentConditions) -> Currency {
        let transfer = self.pair(self.amount.currency()).transfer;
        let charged = conditions.charges.iter().map(|charge| charge.amount.currency());
        std::iter::once(self.amount.currency()).chain(charged).find(|it| *it != transfer).unwrap_or(transfer)
    }

    /// The total debit of the first payment from an account of this currency, charges included; `rate` is the result of
    /// [`Self::rate`]. Source: PIS-083, INT-023.
    ///
    /// # Errors
    /// [`ConversionError`] if an account of this currency cannot pay it.
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

    /// The instant before which the order must be placed: the start of its first day in London. Source: SCH-006.
    pub fn last_submission_at(&self) -> Option<Timestamp> {
        match &self.timing {
            Timing::Immediate => None,
            Timing::Scheduled(day) => Some(london_midnight(*day)),
            Timing::StandingOrder(schedule) => Some(london_midnight(schedule.first_on)),
        }
    }
}
