//! Generates card transactions: purchases at home and abroad, refusals, refunds and cash withdrawals.

use super::accounts::OpenedAccount;
use super::calendar;
use super::channel::Channel;
use super::habit::{AmountRange, MerchantRow};
use super::habit_run::HabitRun;
use super::money_event::{JournalLine, MoneyEvent};
use super::rates::{HistoricPrice, TradeSide};
use super::span;
use jiff::{Timestamp, ToSpan};
use lombard_domain::account::{CardAuthorisation, EntryStatus, Merchant, Mutability, Transaction};
use lombard_domain::money::{Amount, Currency};

/// The bank's fee for a purchase in a foreign currency, in hundredths of a per cent.
pub(super) const FOREIGN_FEE_PER_10K: i64 = 275;

/// The contactless limit in minor units; larger purchases require the PIN.
const CONTACTLESS_MAX: i64 = 10_000;

/// The days between a purchase and its booking, rolled to a working day.
const SETTLEMENT_DAYS: i64 = 2;

/// The price of a purchase in minor units of the account's currency.
struct PurchasePrice {
    goods: i64,
    fee: i64,
    /// The amount in the shop's currency and its rate, if the currency differs.
    foreign: Option<(i64, HistoricPrice)>,
}

/// The amount that a shop uses for checking a card, in minor units.
const CHECKED: i64 = 100;

impl PurchasePrice {
    const fn total(&self) -> i64 {
        self.goods.saturating_add(self.fee)
    }
}

impl HabitRun<'_> {
    /// Generates a purchase; the purchase is refused if the available funds are insufficient.
    pub(super) fn buy(&mut self, own: &OpenedAccount, shops: &[MerchantRow]) -> Option<MoneyEvent> {
        let shop = self.chance.pick(shops)?;
        let price = self.price(own, shop)?;
        if !self.has_funds(own, price.total()) {
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
        let lines =
            [JournalLine::with_entry(seen)].into_iter().chain(settlement(own.currency(), shop, &price)).collect();
        Some(MoneyEvent::Purchase { made_at: self.at, at: self.settled_at(), lines })
    }

    /// Generates a purchase that is refused for another reason than insufficient funds.
    pub(super) fn refused(&mut self, own: &OpenedAccount, shops: &[MerchantRow], why: &str) -> Option<MoneyEvent> {
        let shop = self.chance.pick(shops)?;
        let price = self.price(own, shop)?;
        Some(self.refusal(own, shop, &price, why))
    }

    /// Generates an information entry about a check of the card. Source: AIS-121.
    pub(super) fn card_check(&mut self, own: &OpenedAccount, shops: &[MerchantRow]) -> Option<MoneyEvent> {
        let shop = self.chance.pick(shops).filter(|shop| shop.currency == own.currency())?;
        let mut seen = self.at_shop(own, shop, CHECKED.saturating_neg());
        seen.status = EntryStatus::Information;
        seen.mutability = Mutability::Immutable;
        seen.information = Some(format!("Card checked by {}; nothing is taken", shop.name));
        Some(MoneyEvent::Refusal { entry: Box::new(seen) })
    }

    /// Generates a refund.
    pub(super) fn refund(&mut self, own: &OpenedAccount, shops: &[MerchantRow]) -> Option<MoneyEvent> {
        let shop = self.chance.pick(shops).filter(|shop| shop.currency == own.currency())?;
        let minor = self.draw(AmountRange::Between(shop.spend.0, shop.spend.1));
        let mut seen = self.at_shop(own, shop, minor);
        seen.information = Some(format!("Refund from {}", shop.name));
        let theirs = JournalLine::external_party(shop.key, minor.saturating_neg(), own.currency());
        Some(MoneyEvent::Booking { at: self.at, lines: vec![JournalLine::with_entry(seen), theirs] })
    }

    /// Generates a cash withdrawal in multiples of ten.
    pub(super) fn withdraw(&mut self, own: &OpenedAccount, machines: &[&str], sum: AmountRange) -> Option<MoneyEvent> {
        let wanted = self.draw(sum);
        let minor = wanted.saturating_sub(wanted.rem_euclid(1_000));
        if minor <= 0 || !self.has_funds(own, minor) {
            return None;
        }
        let mut seen = self.entry(own, minor.saturating_neg(), Channel::CashMachine);
        seen.reference = Some(self.chance.digits(12));
        seen.information = Some("Cash withdrawal".to_owned());
        seen.address_line = self.chance.pick(machines).map(|place| (*place).to_owned());
        seen.card.clone_from(&own.card);
        if let Some(card) = &mut seen.card {
            card.authorisation = Some(CardAuthorisation::Pin);
        }
        let machine = JournalLine::external_party("cash", minor, own.currency());
        Some(MoneyEvent::Booking { at: self.at, lines: vec![JournalLine::with_entry(seen), machine] })
    }

    /// A random price at a shop; `None` if the bank does not convert the shop's currency to the account's.
    fn price(&mut self, own: &OpenedAccount, shop: &MerchantRow) -> Option<PurchasePrice> {
        let spent = self.draw(AmountRange::Between(shop.spend.0, shop.spend.1));
        if shop.currency == own.currency() {
            return Some(PurchasePrice { goods: spent, fee: 0, foreign: None });
        }
        if own.currency() != Currency::GBP {
            return None;
        }
        let quote = HistoricPrice::new(shop.currency, TradeSide::BankSells, self.at, self.chance)?;
        let goods = quote.pounds(spent);
        let fee = goods.saturating_mul(FOREIGN_FEE_PER_10K).checked_div(10_000)?;
        Some(PurchasePrice { goods, fee, foreign: Some((spent, quote)) })
    }

    fn refusal(&mut self, own: &OpenedAccount, shop: &MerchantRow, price: &PurchasePrice, why: &str) -> MoneyEvent {
        let mut seen = self.at_shop(own, shop, price.goods.saturating_neg());
        seen.status = EntryStatus::Rejected;
        seen.mutability = Mutability::Immutable;
        seen.information = Some(format!("Declined at {}: {why}", shop.name));
        if let Some((foreign, quote)) = price.foreign {
            seen.exchange = Some(quote.exchange(foreign));
        }
        MoneyEvent::Refusal { entry: Box::new(seen) }
    }

    /// Creates an entry of the account's card at a shop.
    fn at_shop(&mut self, own: &OpenedAccount, shop: &MerchantRow, minor: i64) -> Transaction {
        let channel = if own.is_credit_card() { Channel::CreditCard } else { Channel::DebitCard };
        let mut seen = self.entry(own, minor, channel);
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

    /// A time early in the morning of the settlement day.
    fn settled_at(&mut self) -> Timestamp {
        let day = span::day_of(self.at).saturating_add(SETTLEMENT_DAYS.days());
        span::moment(calendar::working_day_from(day), (3, 5), self.chance)
    }
}

/// The journal lines of a purchase: the amount to the shop in its currency and the fee to the bank. If the currencies differ, the amount
/// goes through the bank's currency positions.
fn settlement(own: Currency, shop: &MerchantRow, price: &PurchasePrice) -> Vec<JournalLine> {
    let Some((foreign, _)) = price.foreign else {
        return vec![JournalLine::external_party(shop.key, price.goods, own)];
    };
    vec![
        JournalLine::external_party("exchange", price.goods, own),
        JournalLine::external_party("bank:fees", price.fee, own),
        JournalLine::external_party("exchange", foreign.saturating_neg(), shop.currency),
        JournalLine::external_party(shop.key, foreign, shop.currency),
    ]
}
