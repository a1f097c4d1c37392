//! The ledger movements of an exchange: the bank buys one currency and sells the other, and its margin is a movement of
//! its own. The movements of each currency sum to zero.

use super::{ConversionError, ConversionRate, InstructedLeg, TotalDebit};
use crate::money::{Amount, Currency, SignedAmount};

/// The account of a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MovementAccount {
    /// The debtor account.
    Payer,
    /// The bank's position in a currency: what it bought and sold at the middle rate.
    Position,
    /// The bank's margin, with rounding differences; negative if the customer's rate was better than the middle rate.
    Margin,
    /// The bank's income from charges.
    Charges,
    /// The account of the payee's bank.
    Payee,
}

/// A credit or debit of one account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Movement {
    /// The account.
    pub role: MovementAccount,
    /// The sum; positive is in the holder's favour.
    pub sum: SignedAmount,
}

impl TotalDebit {
    /// The movements of the payment without zero sums; those of each currency sum to zero. `middle` is the bank's
    /// covering rate, in units of the currency of transfer per unit of the debtor's currency. The converted leg is
    /// covered at it, and the difference is the margin, in that leg's currency.
    ///
    /// # Errors
    /// [`ConversionError::TooLarge`].
    pub fn movements(self, middle: ConversionRate) -> Result<Vec<Movement>, ConversionError> {
        let legs = self.legs();
        let pair = self.legs().pair();
        let debit = legs.debit();
        let credit = legs.credit();
        let (bought, sold) = match legs.instructed_leg() {
            _ if pair.is_single_currency() => (debit, credit),
            InstructedLeg::Debit => (debit, middle.convert_to_transfer_currency(debit, pair.transfer)?),
            InstructedLeg::Credit => (middle.convert_to_unit_currency(credit, pair.unit)?, credit),
        };
        let unit = CurrencyMovements(pair.unit);
        let transfer = CurrencyMovements(pair.transfer);
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
        // With a single currency the two position movements cancel each other.
        let idle =
            |it: &Movement| it.sum.minor() == 0 || (pair.is_single_currency() && it.role == MovementAccount::Position);
        Ok(lines.into_iter().filter(|it| !idle(it)).collect())
    }
}

/// The movements of one currency.
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
