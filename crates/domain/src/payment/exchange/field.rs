//! The fields of foreign exchange, independent of the JSON of a version.

/// The fields to which the exchange rules refer; each wire version has a path for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExchangeField {
    /// The amount of the payment.
    InstructedAmount,
    /// Its currency.
    InstructedCurrency,
    /// The currency of transfer.
    TransferCurrency,
    /// The unit currency: the debtor's currency as the TPP names it.
    UnitCurrency,
    /// The kind of rate requested.
    RateType,
    /// The agreed rate.
    Rate,
    /// The contract of the agreed rate.
    Contract,
    /// The expiry of the bank's quote.
    QuoteExpiry,
    /// The charge bearer.
    ChargeBearer,
    /// The payee's bank.
    CreditorAgent,
    /// The code of the payee's bank.
    AgentIdentification,
}
