//! The additional stored data of an international order, and the rate of each of its payments. Values that were reported are
//! stored and not computed again.

use super::stored_text::StoredText;
use crate::market::ExchangeMarket;
use jiff::Timestamp;
use lombard_domain::account::{BankIdentification, CurrencyExchange, ExchangeRate};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::payment::exchange::{ConversionError, ConversionRate, CurrencyLegs, CurrencyPair, TotalDebit};
use lombard_domain::payment::transfer::{AgentCode, International, PayeeAgent};
use lombard_domain::payment::{Charge, ChargeBearer, ChargeType};
use lombard_ports::bank::PaymentOrder;
use serde::{Deserialize, Serialize};

/// An international payment or a payment in another currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CrossBorderPayment {
    /// The currency of the account that is debited.
    unit: Currency,
    /// The currency that is sent.
    transfer: Currency,
    /// The firm rate. Without a firm rate, the payment uses the bank's rate of the day on which the account is debited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<ConversionRate>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    charges: Vec<PaymentCharge>,
    /// Whether the account is debited at once although the payment settles on its execution date. Source: INT-022.
    #[serde(default)]
    pub(super) in_advance: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<BankIdentification>,
}

/// A charge for each payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct PaymentCharge {
    bearer: ChargeBearer,
    minor: u64,
    currency: Currency,
}

/// The exchange rate of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PricedPayment {
    pub(super) rate: ConversionRate,
    /// The bank's middle rate.
    pub(super) middle: ConversionRate,
    /// The time to which the rate applies.
    pub(super) at: StoredText<Timestamp>,
    /// The number of times the payment was repriced.
    #[serde(rename = "anew", default)]
    pub(super) repriced: u16,
}

impl CrossBorderPayment {
    /// The stored data of an order from an account in this currency.
    pub(super) fn new(order: &PaymentOrder, payment: &International, unit: Currency) -> Self {
        let (transfer, quote) = (&order.transfer, order.conditions.quote.as_ref());
        let levy =
            |it: &Charge| PaymentCharge { bearer: it.bearer, minor: it.amount.minor(), currency: it.amount.currency() };
        Self {
            unit,
            transfer: payment.transfer,
            rate: transfer.rate(unit, quote, None),
            charges: order.conditions.charges.iter().map(levy).collect(),
            in_advance: transfer.is_debited_in_advance(),
            agent: payment.agent.as_ref().and_then(named_bank),
        }
    }

    /// The currency of the debited account and the currency of transfer.
    pub(super) const fn pair(&self) -> CurrencyPair {
        CurrencyPair { unit: self.unit, transfer: self.transfer }
    }

    /// The payee's bank, with the identification that the order gave.
    pub(super) fn agent(&self) -> Option<BankIdentification> {
        self.agent.clone()
    }

    /// The rate of a payment debited at a time; `None` if the bank no longer trades the currencies.
    pub(super) fn priced(&self, market: &ExchangeMarket, at: Timestamp) -> Option<PricedPayment> {
        let price = || market.customer_rate(self.pair(), at);
        let rate = self.rate.or_else(price)?;
        let middle = market.middle(self.pair(), at).unwrap_or(rate);
        Some(PricedPayment { rate, middle, at: StoredText(at), repriced: 0 })
    }

    /// The total debit and the amount sent of a payment. Source: INT-023, PIS-083.
    ///
    /// # Errors
    /// [`ConversionError`].
    pub(super) fn total_debit(
        &self,
        instructed: Amount,
        priced: &PricedPayment,
    ) -> Result<TotalDebit, ConversionError> {
        // The total debit does not depend on the type of a charge.
        let charge = |it: &PaymentCharge| Charge {
            bearer: it.bearer,
            kind: ChargeType::SwiftOut,
            amount: Amount::from_minor(it.minor, it.currency),
        };
        let charges: Vec<_> = self.charges.iter().map(charge).collect();
        TotalDebit::new(CurrencyLegs::new(instructed, self.pair(), priced.rate)?, &charges, priced.rate)
    }

    /// The `CurrencyExchange` of the payer's entry; `None` if nothing is exchanged.
    pub(super) fn quoted_rate(&self, instructed: Amount, priced: &PricedPayment) -> Option<CurrencyExchange> {
        let CurrencyPair { unit, transfer } = self.pair();
        (unit != transfer).then(|| CurrencyExchange {
            source: unit,
            target: transfer,
            unit,
            rate: ExchangeRate(priced.rate.decimal()),
            quoted_at: Some(priced.at.0),
            instructed: Some(instructed),
        })
    }
}

/// The stored identification of the payee's bank, if any.
pub(super) fn named_bank(agent: &PayeeAgent) -> Option<BankIdentification> {
    let bic = match &agent.code {
        Some(AgentCode::Bic(bic)) => Some(bic.clone()),
        Some(AgentCode::Clearing { .. }) | None => None,
    };
    let it = BankIdentification { bic, name: agent.name.clone(), address: None, lei: agent.lei.clone() };
    (it.bic.is_some() || it.name.is_some()).then_some(it)
}

impl PricedPayment {
    /// Returns the later rate if it differs from this one, at which the money is reserved.
    pub(super) fn differing(&self, later: Option<Self>) -> Option<Self> {
        let later = later.filter(|later| later.rate != self.rate)?;
        Some(Self { repriced: self.repriced.saturating_add(1), ..later })
    }
}
