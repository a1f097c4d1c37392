//! The effect of charges on the legs of a payment. Source: PIS-101, PIS-102.

use super::{ConversionError, ConversionRate, CurrencyLegs};
use crate::money::{Amount, Currency};
use crate::payment::{Charge, ChargeBearer};

/// The total debit of the payer, and the amount left for the payee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TotalDebit {
    legs: CurrencyLegs,
    on_payer: Amount,
    on_payee: Amount,
    total_debit: Amount,
    sent: Amount,
}

impl TotalDebit {
    /// Applies the bank's charges to the legs. Charges borne by the debtor, shared charges and charges by service level are added
    /// to the debit; the creditor's bank levies the creditor's share. Charges borne by the creditor are deducted from the credit.
    /// A charge in the other leg's currency is converted at the payment's rate, half to even. Source: PIS-083, PIS-101.
    ///
    /// # Errors
    /// [`ConversionError`]: a charge in a third currency, sums beyond 13 digits, or nothing left for the payee.
    pub fn new(legs: CurrencyLegs, charges: &[Charge], rate: ConversionRate) -> Result<Self, ConversionError> {
        let pair = legs.pair();
        let mut on_payer = Amount::from_minor(0, pair.unit);
        let mut on_payee = Amount::from_minor(0, pair.transfer);
        for charge in charges {
            match charge.bearer {
                ChargeBearer::Debtor | ChargeBearer::Shared | ChargeBearer::ServiceLevel => {
                    let part = in_currency(charge.amount, pair.unit, pair.transfer, |it| {
                        rate.convert_to_unit_currency(it, pair.unit)
                    })?;
                    on_payer = sum(on_payer, part)?;
                }
                ChargeBearer::Creditor => {
                    let part = in_currency(charge.amount, pair.transfer, pair.unit, |it| {
                        rate.convert_to_transfer_currency(it, pair.transfer)
                    })?;
                    on_payee = sum(on_payee, part)?;
                }
            }
        }
        let left = legs.credit().minor().checked_sub(on_payee.minor()).filter(|left| *left > 0);
        let sent = Amount::from_minor(left.ok_or(ConversionError::ChargesTooHigh)?, pair.transfer);
        Ok(Self { legs, on_payer, on_payee, total_debit: sum(legs.debit(), on_payer)?, sent })
    }

    /// The legs without charges.
    pub const fn legs(self) -> CurrencyLegs {
        self.legs
    }

    /// The charges added to the debit, in the debtor's currency.
    pub const fn charges_on_payer(self) -> Amount {
        self.on_payer
    }

    /// The charges deducted from the credit, in the currency of transfer.
    pub const fn charges_on_payee(self) -> Amount {
        self.on_payee
    }

    /// The total debit, for which funds are confirmed. Source: PIS-083.
    pub const fn amount(self) -> Amount {
        self.total_debit
    }

    /// The amount sent.
    pub const fn sent(self) -> Amount {
        self.sent
    }
}

/// A charge in the currency of its leg, converted if it is in the other one.
fn in_currency(
    charge: Amount,
    own: Currency,
    other: Currency,
    exchange: impl FnOnce(Amount) -> Result<Amount, ConversionError>,
) -> Result<Amount, ConversionError> {
    if charge.currency() == own {
        Ok(charge)
    } else if charge.currency() == other {
        exchange(charge)
    } else {
        Err(ConversionError::ThirdCurrency)
    }
}

/// The sum of two amounts of one currency.
fn sum(a: Amount, b: Amount) -> Result<Amount, ConversionError> {
    let minor = a.minor().checked_add(b.minor()).ok_or(ConversionError::TooLarge)?;
    Ok(Amount::from_minor(minor, a.currency()))
}
