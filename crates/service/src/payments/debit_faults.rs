//! The faults of a payment consent that follow from the amounts debited and sent.

use crate::{Context, Failure};
use lombard_domain::payment::ChargeBearer;
use lombard_domain::payment::exchange::{ConversionError, ExchangeFault, TotalDebit};
use lombard_domain::payment::offer::PaymentLimits;
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::payment::transfer::{PaymentConditions, Transfer};
use lombard_domain::refusal::{Fault, Field};

/// The fault of an international payment whose converted leg rounds to zero or exceeds the ceiling, or whose charges leave
/// nothing to send. The leg is checked as far as it is known before an account is selected. Source: INT-023, PIS-124.
///
/// # Errors
/// The bank's failure.
pub(super) async fn total_debit_fault(
    context: &Context,
    terms: &PaymentConsentRequest,
    conditions: &PaymentConditions,
) -> Result<Option<Fault>, Failure> {
    let Some(transfer) = terms.instruction.transfer().filter(|it| it.international_details().is_some()) else {
        return Ok(None);
    };
    let Some(quote) = conditions.quote.as_ref() else {
        return Ok(charges_fault(context, transfer, conditions).await?.map(Fault::from));
    };
    Ok(match transfer.total_debit(quote.pair.unit, conditions, quote.rate) {
        Ok(total_debit) => {
            is_above_ceiling(context, &total_debit).then(|| PaymentLimits::above_ceiling(Field::InstructedAmount))
        }
        // Another rule has already reported the third currency.
        Err(ConversionError::ThirdCurrency) => None,
        Err(why @ (ConversionError::TooLarge | ConversionError::TooSmall | ConversionError::ChargesTooHigh)) => {
            Some(ExchangeFault::from(why).into())
        }
    })
}

/// The fault of a payment without a quote whose charges, at the bank's price now, leave nothing to send. The price is requested
/// only if the payee bears charges. Source: PIS-101.
///
/// # Errors
/// The bank's failure.
async fn charges_fault(
    context: &Context,
    transfer: &Transfer,
    conditions: &PaymentConditions,
) -> Result<Option<ExchangeFault>, Failure> {
    if conditions.charges.iter().all(|charge| charge.bearer != ChargeBearer::Creditor) {
        return Ok(None);
    }
    let unit = transfer.implied_unit(conditions);
    let rate = match transfer.rate(unit, None, None) {
        Some(rate) => Some(rate),
        None => context.bank.quote_exchange_price(&context.call, transfer.pair(unit)).await?,
    };
    let why = rate.and_then(|rate| transfer.total_debit(unit, conditions, rate).err());
    Ok(why.filter(|why| *why == ConversionError::ChargesTooHigh).map(ExchangeFault::from))
}

/// Whether either currency leg exceeds the ceiling of a single payment; a third currency must not bypass the ceiling. Source: PIS-124.
pub(super) fn is_above_ceiling(context: &Context, total_debit: &TotalDebit) -> bool {
    let (limits, legs) = (&context.payments.limits, total_debit.legs());
    limits.is_above_ceiling(legs.debit()) || limits.is_above_ceiling(legs.credit())
}
