//! What cards do: purchases at home and abroad, refusals, refunds and cash.

use super::accounts::Opened;
use super::act::Turn;
use super::calendar;
use super::channel::Channel;
use super::deed::{Deed, Line};
use super::entry;
use super::habit::{Shop, Sum};
use super::rates::{Quote, Side};
use super::span;
use jiff::{Timestamp, ToSpan};
use lombard_domain::account::{CardAuthorisation, EntryStatus, Merchant, Mutability, Transaction};
use lombard_domain::money::{Amount, Currency};

/// What the bank adds to a purchase in foreign money, in hundredths of a per cent.
pub(super) const FOREIGN_FEE_PER_10K: i64 = 275;

/// Above this, minor units, a card asks for its secret number.
const CONTACTLESS_MAX: i64 = 10_000;

/// Days between a purchase and its booking, rolled to a working day.
const SETTLEMENT_DAYS: i64 = 2;

/// What a purchase costs on the account of the card. Minor units of the account's currency.
struct PurchasePrice {
    goods: i64,
    fee: i64,
    /// The goods in the shop's currency, when that is another one.
    foreign: Option<(i64, Quote)>,
}

impl PurchasePrice {
    const fn total(&self) -> i64 {
        self.goods.saturating_add(self.fee)
    }
}

impl Turn<'_> {
    /// A purchase; refused when the money does not reach.
    pub(super) fn buy(&mut self, own: &Opened, shops: &[Shop]) -> Option<Deed> {
        let shop = self.chance.pick(shops)?;
        let price = self.price(own, shop)?;
        if !self.reaches(own, price.total()) {
            return Some(self.refusal(own, shop, &price, "insufficient funds"));
        }
        if price.foreign.is_none() {
            self.books.keep_change(own.role, price.goods);
        }
        let mut seen = self.at_shop(own, shop, price.total().saturating_neg());
        seen.information = Some(format!("Card purchase at {}", shop.name));
        if let Some((foreign, quote)) = price.foreign {
            let paid = Amount::from_minor(foreign.unsigned_abs(), shop.currency);
            seen.information = Some(format!("Card purchase at {}, {paid:?}, foreign fee included", shop.name));
            seen.charge = Some(Amount::from_minor(price.fee.unsigned_abs(), own.currency()));
            seen.exchange = Some(quote.exchange(foreign));
        }
        let lines = [Line::seen(seen)].into_iter().chain(settlement(own.currency(), shop, &price)).collect();
        Some(Deed::Purchase { made_at: self.at, at: self.settled_at(), lines })
    }

    /// A purchase that the bank refuses for another reason than money.
    pub(super) fn refused(&mut self, own: &Opened, shops: &[Shop], why: &str) -> Option<Deed> {
        let shop = self.chance.pick(shops)?;
        let price = self.price(own, shop)?;
        Some(self.refusal(own, shop, &price, why))
    }

    /// Goods brought back.
    pub(super) fn refund(&mut self, own: &Opened, shops: &[Shop]) -> Option<Deed> {
        let shop = self.chance.pick(shops).filter(|shop| shop.currency == own.currency())?;
        let minor = self.draw(Sum::Between(shop.spend.0, shop.spend.1));
        let mut seen = self.at_shop(own, shop, minor);
        seen.information = Some(format!("Refund from {}", shop.name));
        let theirs = Line::outside(shop.key, minor.saturating_neg(), own.currency());
        Some(Deed::Booking { at: self.at, lines: vec![Line::seen(seen), theirs] })
    }

    /// Cash, in whole tens.
    pub(super) fn withdraw(&mut self, own: &Opened, machines: &[&str], sum: Sum) -> Option<Deed> {
        let wanted = self.draw(sum);
        let minor = wanted.saturating_sub(wanted.rem_euclid(1_000));
        if minor <= 0 || !self.reaches(own, minor) {
            return None;
        }
        let mut seen = entry::new(self, own, minor.saturating_neg(), Channel::CashMachine);
        seen.reference = Some(self.chance.digits(12));
        seen.information = Some("Cash withdrawal".to_owned());
        seen.address_line = self.chance.pick(machines).map(|place| (*place).to_owned());
        seen.card.clone_from(&own.card);
        if let Some(card) = &mut seen.card {
            card.authorisation = Some(CardAuthorisation::Pin);
        }
        let machine = Line::outside("cash", minor, own.currency());
        Some(Deed::Booking { at: self.at, lines: vec![Line::seen(seen), machine] })
    }

    /// The price of something at a shop; `None` when the bank does not convert the shop's currency into the account's.
    fn price(&mut self, own: &Opened, shop: &Shop) -> Option<PurchasePrice> {
        let spent = self.draw(Sum::Between(shop.spend.0, shop.spend.1));
        if shop.currency == own.currency() {
            return Some(PurchasePrice { goods: spent, fee: 0, foreign: None });
        }
        if own.currency() != Currency::GBP {
            return None;
        }
        let quote = Quote::new(shop.currency, Side::BankSells, self.at, self.chance)?;
        let goods = quote.pounds(spent);
        let fee = goods.saturating_mul(FOREIGN_FEE_PER_10K).checked_div(10_000)?;
        Some(PurchasePrice { goods, fee, foreign: Some((spent, quote)) })
    }

    fn refusal(&mut self, own: &Opened, shop: &Shop, price: &PurchasePrice, why: &str) -> Deed {
        let mut seen = self.at_shop(own, shop, price.goods.saturating_neg());
        seen.status = EntryStatus::Rejected;
        seen.mutability = Mutability::Immutable;
        seen.information = Some(format!("Declined at {}: {why}", shop.name));
        if let Some((foreign, quote)) = price.foreign {
            seen.exchange = Some(quote.exchange(foreign));
        }
        Deed::Refusal { entry: Box::new(seen) }
    }

    /// An entry of the account's card at a shop.
    fn at_shop(&mut self, own: &Opened, shop: &Shop, minor: i64) -> Transaction {
        let channel = if own.is_credit_card() { Channel::CreditCard } else { Channel::DebitCard };
        let mut seen = entry::new(self, own, minor, channel);
        seen.reference = Some(self.chance.digits(12));
        seen.address_line = Some(shop.address.to_owned());
        seen.merchant = Some(Merchant { name: shop.name.to_owned(), category: Some(shop.category.to_owned()) });
        seen.card.clone_from(&own.card);
        if let Some(card) = &mut seen.card {
            card.authorisation = Some(self.authorisation(minor));
        }
        seen
    }

    fn authorisation(&mut self, minor: i64) -> CardAuthorisation {
        if minor.saturating_neg() > CONTACTLESS_MAX {
            return CardAuthorisation::Pin;
        }
        let by_phone = self.chance.per_mille(400);
        if by_phone { CardAuthorisation::ConsumerDevice } else { CardAuthorisation::Contactless }
    }

    /// Early in the morning of the settlement day.
    fn settled_at(&mut self) -> Timestamp {
        let day = span::day_of(self.at).saturating_add(SETTLEMENT_DAYS.days());
        span::moment(calendar::working_day_from(day), (3, 5), self.chance)
    }
}

/// Where the money of a purchase goes: to the shop in its own currency, through the bank's positions when that is
/// another one, and the fee to the bank.
fn settlement(own: Currency, shop: &Shop, price: &PurchasePrice) -> Vec<Line> {
    let Some((foreign, _)) = price.foreign else {
        return vec![Line::outside(shop.key, price.goods, own)];
    };
    vec![
        Line::outside("exchange", price.goods, own),
        Line::outside("bank:fees", price.fee, own),
        Line::outside("exchange", foreign.saturating_neg(), shop.currency),
        Line::outside(shop.key, foreign, shop.currency),
    ]
}
