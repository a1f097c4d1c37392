//! The two legs of a payment: what leaves the payer's account and what is sent, each in its own currency.

use super::{ConversionError, ConversionRate};
use crate::money::{Amount, Currency};
use serde::Serialize;

/// The currencies of an exchange. Source: INT-001, INT-011.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct CurrencyPair {
    /// The payer's: that of the account that is debited.
    pub unit: Currency,
    /// The currency that is sent.
    pub transfer: Currency,
}

/// Which leg an instructed amount is; the other one is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstructedLeg {
    /// What leaves the payer's account.
    Debit,
    /// What is sent.
    Credit,
}

/// What leaves the payer's account for the payment itself, and what is sent. Neither is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrencyLegs {
    pair: CurrencyPair,
    fixed: InstructedLeg,
    debit: Amount,
    credit: Amount,
}

impl CurrencyPair {
    /// Whether there is nothing to exchange. Source: INT-002.
    pub fn is_single_currency(self) -> bool {
        self.unit == self.transfer
    }

    /// Which leg an amount in a currency is; none for a third currency. Source: INT-023.
    pub fn leg_of(self, currency: Currency) -> Option<InstructedLeg> {
        if currency == self.unit {
            Some(InstructedLeg::Debit)
        } else {
            (currency == self.transfer).then_some(InstructedLeg::Credit)
        }
    }
}

impl CurrencyLegs {
    /// The legs of an amount. In the payer's currency it is debited and the credit is it times the rate; in the currency
    /// of transfer it is credited and the debit is it over the rate; half to even. Where there is nothing to exchange
    /// both are the amount, whatever the rate. Source: INT-002, INT-023.
    ///
    /// # Errors
    /// [`ConversionError`].
    pub fn new(instructed: Amount, pair: CurrencyPair, rate: ConversionRate) -> Result<Self, ConversionError> {
        let fixed = pair.leg_of(instructed.currency()).ok_or(ConversionError::ThirdCurrency)?;
        let (debit, credit) = match fixed {
            _ if pair.is_single_currency() => (instructed, instructed),
            InstructedLeg::Debit => (instructed, rate.convert_to_transfer_currency(instructed, pair.transfer)?),
            InstructedLeg::Credit => (rate.convert_to_unit_currency(instructed, pair.unit)?, instructed),
        };
        if debit.minor() == 0 || credit.minor() == 0 {
            return Err(ConversionError::TooSmall);
        }
        Ok(Self { pair, fixed, debit, credit })
    }

    /// The currencies.
    pub const fn pair(self) -> CurrencyPair {
        self.pair
    }

    /// Which leg was instructed.
    pub const fn instructed_leg(self) -> InstructedLeg {
        self.fixed
    }

    /// What leaves the payer's account, without charges.
    pub const fn debit(self) -> Amount {
        self.debit
    }

    /// What is sent, before charges that the payee bears.
    pub const fn credit(self) -> Amount {
        self.credit
    }
}
