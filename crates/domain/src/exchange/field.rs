//! The fields of foreign exchange, named without the JSON of a version.

/// Fields that the rules of foreign exchange speak of; each version of the wire has a path for each.
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
