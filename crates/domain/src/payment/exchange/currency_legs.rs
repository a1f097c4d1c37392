//! The two legs of a payment, debit and credit, each in its own currency.

use super::{ConversionError, ConversionRate};
use crate::money::{Amount, Currency};
use serde::Serialize;

/// The currencies of an exchange. Source: INT-001, INT-011.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct CurrencyPair {
    /// The debtor's currency: that of the account debited.
    pub unit: Currency,
    /// The currency of transfer.
    pub transfer: Currency,
}

/// The leg that the instructed amount determines; the other one is converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstructedLeg {
    /// The amount debited.
    Debit,
    /// The amount credited.
    Credit,
}

/// The debit for the payment itself, without charges, and the credit. Neither is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrencyLegs {
    pair: CurrencyPair,
    fixed: InstructedLeg,
    debit: Amount,
    credit: Amount,
}

impl CurrencyPair {
    /// Whether both currencies are the same, so that nothing is exchanged. Source: INT-002.
    pub fn is_single_currency(self) -> bool {
        self.unit == self.transfer
    }

    /// The leg of an amount in this currency; `None` for a third currency. Source: INT-023.
    pub fn leg_of(self, currency: Currency) -> Option<InstructedLeg> {
        if currency == self.unit {
            Some(InstructedLeg::Debit)
        } else {
            (currency == self.transfer).then_some(InstructedLeg::Credit)
        }
    }
}

impl CurrencyLegs {
    /// The legs of an instructed amount. An amount in the debtor's currency is the debit, and the credit is the debit
    /// times the rate. An amount in the currency of transfer is the credit, and the debit is the credit divided by the
    /// rate. Rounding is half to even. With a single currency both legs are the amount, whatever the rate. Source:
    /// INT-002, INT-023.
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

    /// The two currencies.
    pub const fn pair(self) -> CurrencyPair {
        self.pair
    }

    /// The leg that was instructed.
    pub const fn instructed_leg(self) -> InstructedLeg {
        self.fixed
    }

    /// The debit, without charges.
    pub const fn debit(self) -> Amount {
        self.debit
    }

    /// The credit, before charges borne by the creditor.
    pub const fn credit(self) -> Amount {
        self.credit
    }
}
