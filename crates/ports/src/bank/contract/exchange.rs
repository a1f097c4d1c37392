//! The contract of foreign exchange.

use super::facts::ExchangeFacts;
use super::promise::{BankContractViolation, Promise, ensure, promises};
use crate::bank::{Bank, CallContext};
use lombard_domain::payment::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, ExchangeRateType, RequestedRate,
};

/// The promises of foreign exchange.
pub(super) const PROMISES: &[Promise] = promises! {
    Exchange, Reads:
    "a quote answers what was asked", "A quote has the currencies and the kind of the request; only an actual rate expires."
        => a_quote_answers_what_was_asked;
    "only what was agreed is quoted as agreed", "No other rate, contract or pair of currencies is quoted as agreed."
        => only_what_was_agreed_is_quoted_as_agreed;
    "exchanging money forth and back yields no profit", "The quoted rate is the present price, and never better both ways."
        => a_price_is_what_is_quoted_and_never_better_both_ways;
};

/// A quote has the currencies and the kind of the request; only an actual rate expires (INT-021, INT-024).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn a_quote_answers_what_was_asked(
    bank: &dyn Bank,
    facts: &ExchangeFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "a quote answers what was asked";
    for basis in [RequestedRate::Actual, RequestedRate::Indicative, RequestedRate::Agreed(facts.deal.clone())] {
        let rate_request = ExchangeRateRequest { unit: facts.pair.unit, basis };
        let quote = bank.quote_rate(&CallContext::default(), &rate_request, facts.pair.transfer).await?;
        let fits = quote.as_ref().is_some_and(|it| it.pair == facts.pair && it.kind() == rate_request.kind());
        ensure(fits, PROMISE, &quote)?;
        let ends = quote.as_ref().is_some_and(|it| it.expires_at().is_some());
        ensure(ends == (rate_request.kind() == ExchangeRateType::Actual), "only an actual rate ends", &quote)?;
    }
    for basis in [RequestedRate::Actual, RequestedRate::Indicative] {
        let quote = bank
            .quote_rate(
                &CallContext::default(),
                &ExchangeRateRequest { unit: facts.unknown.unit, basis },
                facts.unknown.transfer,
            )
            .await?;
        ensure(quote.is_none(), "there is no rate for unsupported currencies", &quote)?;
    }
    let price = bank.quote_exchange_price(&CallContext::default(), facts.unknown).await?;
    ensure(price.is_none(), "there is no price for unsupported currencies", price)
}

/// An agreed rate is quoted as agreed; no other rate, contract or pair of currencies is (INT-013).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn only_what_was_agreed_is_quoted_as_agreed(
    bank: &dyn Bank,
    facts: &ExchangeFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "only what was agreed is quoted as agreed";
    let CurrencyPair { unit, transfer } = facts.pair;
    let agreed = |rate: ConversionRate, contract: &str| {
        RequestedRate::Agreed(AgreedRate { rate, contract: contract.to_owned() })
    };
    let AgreedRate { rate, contract } = &facts.deal;
    let quote = bank
        .quote_rate(&CallContext::default(), &ExchangeRateRequest { unit, basis: agreed(*rate, contract) }, transfer)
        .await?;
    let told = quote.as_ref().map(|it| (it.rate, it.contract()));
    ensure(told == Some((*rate, Some(contract.as_str()))), PROMISE, &quote)?;
    let better = rate.decimal().checked_mul(rate.decimal()).and_then(|it| ConversionRate::from_nearest(it).ok());
    let better = better.filter(|it| it != rate).unwrap_or(ConversionRate::ONE);
    for (basis, unit, transfer) in [
        (agreed(better, contract), unit, transfer),
        (agreed(*rate, &format!("not {contract}")), unit, transfer),
        (agreed(*rate, contract), transfer, unit),
    ] {
        let quote = bank.quote_rate(&CallContext::default(), &ExchangeRateRequest { unit, basis }, transfer).await?;
        ensure(quote.is_none(), PROMISE, &quote)?;
    }
    Ok(())
}

/// The quoted rate is the present price, and exchanging forth and back yields no profit. A single currency has the rate
/// of one (INT-002).
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn a_price_is_what_is_quoted_and_never_better_both_ways(
    bank: &dyn Bank,
    facts: &ExchangeFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "exchanging money forth and back yields no profit";
    let CurrencyPair { unit, transfer } = facts.pair;
    let there = bank.quote_exchange_price(&CallContext::default(), facts.pair).await?;
    let quote = bank
        .quote_rate(&CallContext::default(), &ExchangeRateRequest { unit, basis: RequestedRate::Actual }, transfer)
        .await?;
    let is_price = there.is_some() && quote.as_ref().map(|it| it.rate) == there;
    ensure(is_price, "what is quoted is the price", (&quote, there))?;
    let back =
        bank.quote_exchange_price(&CallContext::default(), CurrencyPair { unit: transfer, transfer: unit }).await?;
    let both = there.zip(back).and_then(|(there, back)| there.decimal().checked_mul(back.decimal()));
    ensure(both.is_some_and(|both| both <= ConversionRate::ONE.decimal()), PROMISE, (there, back))?;
    let same = bank.quote_exchange_price(&CallContext::default(), CurrencyPair { unit, transfer: unit }).await?;
    ensure(same == Some(ConversionRate::ONE), "a single currency has the rate of one", same)
}
