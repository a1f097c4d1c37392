//! Faults of a requested exchange, in domain terms.

use super::ConversionError;
use crate::refusal::{ExchangeField, Fault, FaultCode, Field};

/// A fault of an exchange at one of its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeFault {
    /// The error code.
    pub code: FaultCode,
    /// The field.
    pub at: ExchangeField,
    /// The message. It never echoes a value of the request.
    pub message: &'static str,
}

impl ExchangeFault {
    /// A fault at a field.
    pub const fn new(code: FaultCode, at: ExchangeField, message: &'static str) -> Self {
        Self { code, at, message }
    }

    /// The fault of an agreed rate for which the bank has no contract. Source: INT-013.
    pub const fn unknown_deal() -> Self {
        Self::new(
            FaultCode::FieldInvalid,
            ExchangeField::Contract,
            "No rate was agreed for these currencies under this contract.",
        )
    }
}

impl From<ExchangeFault> for Fault {
    fn from(it: ExchangeFault) -> Self {
        Self::field(it.code, Field::Exchange(it.at), it.message)
    }
}

impl From<ConversionError> for ExchangeFault {
    /// The error as a fault of the request. Source: INT-023.
    fn from(why: ConversionError) -> Self {
        match why {
            ConversionError::ThirdCurrency => Self::new(
                FaultCode::UnsupportedCurrency,
                ExchangeField::InstructedCurrency,
                "The amount must be in the payer's currency or in the currency of transfer.",
            ),
            ConversionError::TooLarge => Self::new(
                FaultCode::FieldInvalid,
                ExchangeField::InstructedAmount,
                "The amount is too large to be exchanged.",
            ),
            ConversionError::TooSmall => Self::new(
                FaultCode::FieldInvalid,
                ExchangeField::InstructedAmount,
                "The amount is too small to be exchanged.",
            ),
            ConversionError::ChargesTooHigh => Self::new(
                FaultCode::FieldInvalid,
                ExchangeField::InstructedAmount,
                "The amount must be more than the charges that the payee bears.",
            ),
        }
    }
}
