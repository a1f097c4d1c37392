//! What the bank writes down of a payment abroad beside what it writes down of every order, and of each of its payments: the
//! rate it is made at. Nothing that is told once is worked out again from what may have changed since.

use super::kept::Kept;
use crate::market::Market;
use jiff::Timestamp;
use lombard_domain::account::{Agent, CurrencyExchange, ExchangeRate};
use lombard_domain::exchange::{
    AgentCode, ConversionError, CurrencyLegs, International, Pair, PayeeAgent, Rate, TotalDebit,
};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{Charge, ChargeBearer, ChargeType};
use lombard_ports::bank::PaymentOrder;
use serde::{Deserialize, Serialize};

/// A payment abroad, or into another currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Abroad {
    /// The currency of the account that is debited.
    unit: Kept<Currency>,
    /// The currency that is sent.
    transfer: Kept<Currency>,
    /// The rate that was told and holds; without it, the bank's price of the day the account is debited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<Kept<Rate>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    charges: Vec<PaymentCharge>,
    /// Whether it is debited at once and settles on its day. Source: INT-022.
    #[serde(default)]
    pub(super) in_advance: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<PayeeBank>,
}

/// A charge for each payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct PaymentCharge {
    bearer: Kept<ChargeBearer>,
    minor: u64,
    currency: Kept<Currency>,
}

/// The payee's bank.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PayeeBank {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bic: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// The rate a payment is made at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Priced {
    pub(super) rate: Kept<Rate>,
    /// What the bank covers itself at.
    pub(super) middle: Kept<Rate>,
    /// When that was.
    pub(super) at: Kept<Timestamp>,
    /// How often it was priced anew before.
    #[serde(default)]
    pub(super) anew: u16,
}

impl Abroad {
    /// What is written down of an order that pays from an account in this currency.
    pub(super) fn of(order: &PaymentOrder, payment: &International, unit: Currency) -> Self {
        let (transfer, quote) = (&order.transfer, order.conditions.quote.as_ref());
        let levy = |it: &Charge| PaymentCharge {
            bearer: Kept(it.bearer),
            minor: it.amount.minor(),
            currency: Kept(it.amount.currency()),
        };
        Self {
            unit: Kept(unit),
            transfer: Kept(payment.transfer),
            rate: transfer.rate(unit, quote, None).map(Kept),
            charges: order.conditions.charges.iter().map(levy).collect(),
            in_advance: transfer.is_debited_in_advance(),
            agent: payment.agent.as_ref().and_then(PayeeBank::of),
        }
    }

    /// The currencies.
    pub(super) const fn pair(&self) -> Pair {
        Pair { unit: self.unit.0, transfer: self.transfer.0 }
    }

    /// The payee's bank, as far as it was named.
    pub(super) fn agent(&self) -> Option<Agent> {
        let agent = self.agent.as_ref()?;
        Some(Agent { bic: agent.bic.clone(), name: agent.name.clone(), address: None })
    }

    /// The rate of a payment that is debited at a time; none if the bank does not deal in the currencies any more.
    pub(super) fn priced(&self, market: &Market, at: Timestamp) -> Option<Priced> {
        let price = || market.price(self.pair(), at);
        let rate = self.rate.map(|told| told.0).or_else(price)?;
        let middle = market.middle(self.pair(), at).unwrap_or(rate);
        Some(Priced { rate: Kept(rate), middle: Kept(middle), at: Kept(at), anew: 0 })
    }

    /// What a payment takes and what it sends. Source: INT-023, PIS-083.
    ///
    /// # Errors
    /// [`ConversionError`].
    pub(super) fn outlay(&self, instructed: Amount, priced: &Priced) -> Result<TotalDebit, ConversionError> {
        // What it is for makes no difference to what it comes to.
        let charge = |it: &PaymentCharge| Charge {
            bearer: it.bearer.0,
            kind: ChargeType::SwiftOut,
            amount: Amount::from_minor(it.minor, it.currency.0),
        };
        let charges: Vec<_> = self.charges.iter().map(charge).collect();
        TotalDebit::new(CurrencyLegs::new(instructed, self.pair(), priced.rate.0)?, &charges, priced.rate.0)
    }

    /// The exchange, as the payer's entry tells it; none where there is nothing to exchange.
    pub(super) fn told(&self, instructed: Amount, priced: &Priced) -> Option<CurrencyExchange> {
        let Pair { unit, transfer } = self.pair();
        (unit != transfer).then(|| CurrencyExchange {
            source: unit,
            target: transfer,
            unit,
            rate: ExchangeRate(priced.rate.0.decimal()),
            quoted_at: Some(priced.at.0),
            instructed: Some(instructed),
        })
    }
}

impl PayeeBank {
    fn of(agent: &PayeeAgent) -> Option<Self> {
        let bic = match &agent.code {
            Some(AgentCode::Bic(bic)) => Some(bic.clone()),
            Some(AgentCode::Clearing { .. }) | None => None,
        };
        let it = Self { bic, name: agent.name.clone() };
        (it.bic.is_some() || it.name.is_some()).then_some(it)
    }
}

impl Priced {
    /// The rate of the same payment at a later price, if that differs. Its account is no longer what was reserved.
    pub(super) fn differing(&self, later: Option<Self>) -> Option<Self> {
        let later = later.filter(|later| later.rate != self.rate)?;
        Some(Self { anew: self.anew.saturating_add(1), ..later })
    }
}
