//! How an exchange stands in the ledger: the bank buys one currency and sells the other, and what it keeps is a line of
//! its own. Nothing is made or lost: the movements of each currency sum to zero.

use super::{ConversionError, Rate, Side, TotalDebit};
use crate::money::{Amount, Currency, Signed};

/// Whose account a movement is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
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
    pub role: Role,
    /// How much; positive is in the holder's favour.
    pub sum: Signed,
}

impl TotalDebit {
    /// The movements of the payment, none of them zero; those of each currency sum to zero. `middle` is the rate the bank
    /// covers itself at, units of the currency of transfer for one of the payer's; the leg that was worked out is covered
    /// at it, and the difference is the margin, in that leg's currency.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn movements(self, middle: Rate) -> Result<Vec<Movement>, ConversionError> {
        let (legs, pair) = (self.legs(), self.legs().pair());
        let (debit, credit) = (legs.debit(), legs.credit());
        let (bought, sold) = match legs.fixed() {
            _ if pair.is_single_currency() => (debit, credit),
            Side::Debit => (debit, middle.times(debit, pair.transfer)?),
            Side::Credit => (middle.under(credit, pair.unit)?, credit),
        };
        let (unit, transfer) = (Lines(pair.unit), Lines(pair.transfer));
        let lines = [
            unit.line(Role::Payer, &[], &[self.total_debit()])?,
            unit.line(Role::Charges, &[self.on_payer()], &[])?,
            unit.line(Role::Margin, &[debit], &[bought])?,
            unit.line(Role::Position, &[bought], &[])?,
            transfer.line(Role::Position, &[], &[sold])?,
            transfer.line(Role::Margin, &[sold], &[credit])?,
            transfer.line(Role::Charges, &[self.on_payee()], &[])?,
            transfer.line(Role::Payee, &[self.sent()], &[])?,
        ];
        // With one currency the position is bought and sold at once.
        let idle = |it: &Movement| it.sum.minor() == 0 || (pair.is_single_currency() && it.role == Role::Position);
        Ok(lines.into_iter().filter(|it| !idle(it)).collect())
    }
}

/// Movements of one currency.
#[derive(Clone, Copy)]
struct Lines(Currency);

impl Lines {
    fn line(self, role: Role, gets: &[Amount], gives: &[Amount]) -> Result<Movement, ConversionError> {
        let total = |amounts: &[Amount]| {
            amounts.iter().try_fold(0_i64, |sum, it| sum.checked_add(i64::try_from(it.minor()).ok()?))
        };
        let minor = total(gets).zip(total(gives)).and_then(|(gets, gives)| gets.checked_sub(gives));
        Ok(Movement { role, sum: Signed::from_minor(minor.ok_or(ConversionError::TooLarge)?, self.0) })
    }
}
