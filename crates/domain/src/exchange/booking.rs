//! How an exchange stands in the ledger: the bank buys one currency and sells the other, and what it keeps is a line of
//! its own. Nothing is made or lost: the movements of each currency sum to zero.

use super::{ConversionError, ConversionRate, InstructedLeg, TotalDebit};
use crate::money::{Amount, Currency, SignedAmount};

/// Whose account a movement is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MovementAccount {
    /// The payer's.
    Payer,
    /// The bank's position in a currency: what it has bought and sold at the middle rate.
    Position,
    /// What the bank keeps of the rate, with what is lost or won in rounding; below zero where it gave a better rate.
    Margin,
    /// The bank's income from charges.
    Charges,
    /// The payee's bank.
    Payee,
}

/// A sum in or out of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// Whose account.
    pub role: MovementAccount,
    /// How much; positive is in the holder's favour.
    pub sum: SignedAmount,
}

impl TotalDebit {
    /// The movements of the payment, none of them zero; those of each currency sum to zero. `middle` is the rate the bank
    /// covers itself at, units of the currency of transfer for one of the payer's; the leg that was worked out is covered
    /// at it, and the difference is the margin, in that leg's currency.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn movements(self, middle: ConversionRate) -> Result<Vec<Movement>, ConversionError> {
        let (legs, pair) = (self.legs(), self.legs().pair());
        let (debit, credit) = (legs.debit(), legs.credit());
        let (bought, sold) = match legs.instructed_leg() {
            _ if pair.is_single_currency() => (debit, credit),
            InstructedLeg::Debit => (debit, middle.convert_to_transfer_currency(debit, pair.transfer)?),
            InstructedLeg::Credit => (middle.convert_to_unit_currency(credit, pair.unit)?, credit),
        };
        let (unit, transfer) = (CurrencyMovements(pair.unit), CurrencyMovements(pair.transfer));
        let lines = [
            unit.line(MovementAccount::Payer, &[], &[self.amount()])?,
            unit.line(MovementAccount::Charges, &[self.charges_on_payer()], &[])?,
            unit.line(MovementAccount::Margin, &[debit], &[bought])?,
            unit.line(MovementAccount::Position, &[bought], &[])?,
            transfer.line(MovementAccount::Position, &[], &[sold])?,
            transfer.line(MovementAccount::Margin, &[sold], &[credit])?,
            transfer.line(MovementAccount::Charges, &[self.charges_on_payee()], &[])?,
            transfer.line(MovementAccount::Payee, &[self.sent()], &[])?,
        ];
        // With one currency the position is bought and sold at once.
        let idle =
            |it: &Movement| it.sum.minor() == 0 || (pair.is_single_currency() && it.role == MovementAccount::Position);
        Ok(lines.into_iter().filter(|it| !idle(it)).collect())
    }
}

/// Movements of one currency.
#[derive(Clone, Copy)]
struct CurrencyMovements(Currency);

impl CurrencyMovements {
    fn line(self, role: MovementAccount, gets: &[Amount], gives: &[Amount]) -> Result<Movement, ConversionError> {
        let total = |amounts: &[Amount]| {
            amounts.iter().try_fold(0_i64, |sum, it| sum.checked_add(i64::try_from(it.minor()).ok()?))
        };
        let minor = total(gets).zip(total(gives)).and_then(|(gets, gives)| gets.checked_sub(gives));
        Ok(Movement { role, sum: SignedAmount::from_minor(minor.ok_or(ConversionError::TooLarge)?, self.0) })
    }
}
