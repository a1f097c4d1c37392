//! What is wrong with an exchange that was asked for, in domain words.

use crate::refusal::{Fault, FaultCode, Field};

/// The fields that the rules of this module speak of; each version of the wire has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExchangeField {
    /// The amount of the payment.
    InstructedAmount,
    /// Its currency.
    InstructedCurrency,
    /// The currency that is sent.
    TransferCurrency,
    /// The payer's currency, as the TPP names it.
    UnitCurrency,
    /// What kind of rate is asked for.
    RateType,
    /// The rate that was agreed.
    Rate,
    /// The contract it was agreed in.
    Contract,
    /// When the bank's quote ends, as the bank told it.
    QuoteExpiry,
    /// Who is to pay the charges.
    ChargeBearer,
    /// The payee's bank.
    CreditorAgent,
    /// The code of the payee's bank.
    AgentIdentification,
}

/// A fault of an exchange at one of its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeFault {
    /// What kind of fault it is.
    pub code: FaultCode,
    /// Where it is.
    pub at: ExchangeField,
    /// A sentence that helps. Never echoes a value from the request.
    pub message: &'static str,
}

impl ExchangeFault {
    /// A fault at a field.
    pub const fn new(code: FaultCode, at: ExchangeField, message: &'static str) -> Self {
        Self { code, at, message }
    }

    /// The fault of an agreed rate the bank knows no contract for. Source: INT-013.
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
