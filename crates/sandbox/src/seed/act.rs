//! From a habit to a deed: one function per thing that people do with money.

use super::accounts::{Opened, own_agent};
use super::books::Books;
use super::chance::Chance;
use super::channel::Channel;
use super::deed::{Deed, Line};
use super::entry;
use super::habit::{HabitRow, Party, Role, Sum, What};
use super::rates::{Quote, Side};
use jiff::Timestamp;
use lombard_corebank::statement::{cashback, month_of_interest};
use lombard_domain::account::OtherParty;

/// A habit's turn: who acts, at what time, and by what chance.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    pub(super) accounts: &'a [Opened],
    pub(super) books: &'a mut Books,
    pub(super) chance: &'a mut Chance,
    pub(super) at: Timestamp,
}

impl<'a> Turn<'a> {
    /// What the habit does now; `None` when there is nothing to do or no money to do it with.
    pub(super) fn act(&mut self, habit: &HabitRow) -> Option<Deed> {
        let own = self.account(habit.on)?;
        match habit.what {
            What::Receive { from, by, sum, text } => {
                let minor = self.draw(sum);
                Some(self.with_party(own, from, by, minor, text))
            }
            What::Pay { to, by, sum, text } => {
                let minor = self.draw(sum);
                // Only a collection takes money that is not there.
                let goes = by == Channel::DirectDebit || self.reaches(own, minor);
                goes.then(|| self.with_party(own, to, by, minor.saturating_neg(), text))
            }
            What::PayRest { to, by, keep, text } => {
                let rest = self.books.unreserved(own.id()).saturating_sub(keep);
                (rest > 0).then(|| self.with_party(own, to, by, rest.saturating_neg(), text))
            }
            What::Buy { at } => self.buy(own, at),
            What::Refused { at, why } => self.refused(own, at, why),
            What::Refund { at } => self.refund(own, at),
            What::Withdraw { at, sum } => self.withdraw(own, at, sum),
            What::Move { to, by, sum, text } => {
                let minor = self.draw(sum);
                self.transfer(own, to, by, minor, text)
            }
            What::SaveChange { to } => {
                let pence = self.books.take_change(own.role);
                self.transfer(own, to, Channel::Internal, pence, "ROUND UPS")
            }
            What::PayCard { card } => self.pay_card(own, card),
            What::Sell { to, sum } => self.sell(own, to, sum),
            What::EarnInterest { per_10k_a_year } => {
                let minor = month_of_interest(self.books.booked(own.id()), per_10k_a_year);
                (minor > 0).then(|| self.with_bank(own, Channel::Interest, minor, "interest", "Interest earned"))
            }
            What::OweInterest { per_10k_a_year } => {
                let minor = month_of_interest(self.books.booked(own.id()), per_10k_a_year);
                (minor < 0).then(|| self.with_bank(own, Channel::Interest, minor, "interest", "Interest charged"))
            }
            What::Cashback { per_10k } => {
                let minor = cashback(self.books.take_spent(own.id()), per_10k);
                let text = "Cashback on card purchases";
                (minor > 0).then(|| self.with_bank(own, Channel::Cashback, minor, "interest", text))
            }
            What::Fee { sum, text } => {
                let minor = self.draw(sum).saturating_neg();
                Some(self.with_bank(own, Channel::Fee, minor, "fees", text))
            }
            What::OverdraftFee { sum } => {
                let minor = self.draw(sum).saturating_neg();
                let overdrawn = self.books.booked(own.id()) < 0;
                overdrawn.then(|| self.with_bank(own, Channel::Fee, minor, "fees", "Overdraft usage fee"))
            }
        }
    }

    pub(super) fn account(&self, role: Role) -> Option<&'a Opened> {
        self.accounts.iter().find(|account| account.role == role)
    }

    pub(super) fn draw(&mut self, sum: Sum) -> i64 {
        match sum {
            Sum::Exactly(minor) => minor,
            Sum::Between(low, high) => self.chance.between(low, high),
        }
    }

    /// Whether so many minor units may leave the account, its credit line used if need be.
    pub(super) fn reaches(&self, own: &Opened, minor: i64) -> bool {
        self.books.unreserved(own.id()).saturating_add(own.record.credit_limit) >= minor
    }

    /// Money to or from somebody outside.
    fn with_party(&mut self, own: &Opened, party: &Party, by: Channel, minor: i64, text: &str) -> Deed {
        let reference = text.replace('#', &self.chance.digits(5));
        let mut seen = entry::new(self, own, minor, by);
        seen.information = Some(format!("{} {reference}", party.name));
        seen.reference = Some(reference);
        seen.other_party = Some(entry::other_party(party));
        let theirs = Line::outside(party.key, minor.saturating_neg(), own.currency());
        Deed::Booking { at: self.at, lines: vec![Line::seen(seen), theirs] }
    }

    /// Money to or from the bank itself.
    fn with_bank(&mut self, own: &Opened, by: Channel, minor: i64, ledger: &str, text: &str) -> Deed {
        let mut seen = entry::new(self, own, minor, by);
        seen.information = Some(text.to_owned());
        let bank = Line::outside(&format!("bank:{ledger}"), minor.saturating_neg(), own.currency());
        Deed::Booking { at: self.at, lines: vec![Line::seen(seen), bank] }
    }

    /// Money to another account of the same life, if it is there without borrowing. One journal, two entries.
    fn transfer(&mut self, own: &Opened, to: Role, by: Channel, minor: i64, text: &str) -> Option<Deed> {
        let other = self.account(to)?;
        let affordable = minor > 0 && self.books.unreserved(own.id()) >= minor;
        affordable.then(|| self.both_sides(own, other, by, minor, text))
    }

    /// The whole debt of the card, however low the payer's account gets: collections do not ask.
    fn pay_card(&mut self, own: &Opened, card: Role) -> Option<Deed> {
        let card = self.account(card)?;
        let debt = self.books.booked(card.id()).saturating_neg();
        (debt > 0).then(|| self.both_sides(own, card, Channel::DirectDebit, debt, "CREDIT CARD PAYMENT"))
    }

    fn both_sides(&mut self, from: &Opened, to: &Opened, by: Channel, minor: i64, text: &str) -> Deed {
        let mut out = entry::new(self, from, minor.saturating_neg(), by);
        let mut into = entry::new(self, to, minor, by);
        for (seen, way, other) in [(&mut out, "to", to), (&mut into, "from", from)] {
            seen.reference = Some(text.to_owned());
            seen.information = Some(format!("{text} {way} {}", other.nickname()));
            seen.other_party = Some(own_party(other));
        }
        Deed::Booking { at: self.at, lines: vec![Line::seen(out), Line::seen(into)] }
    }

    /// Foreign money to the bank for pounds: each currency balances against the bank's position in it.
    fn sell(&mut self, own: &Opened, to: Role, sum: Sum) -> Option<Deed> {
        let other = self.account(to)?;
        let foreign = self.draw(sum);
        let quote = Quote::new(own.currency(), Side::BankBuys, self.at, self.chance)?;
        if self.books.unreserved(own.id()) < foreign {
            return None;
        }
        let pounds = quote.pounds(foreign);
        let mut out = entry::new(self, own, foreign.saturating_neg(), Channel::Internal);
        let mut into = entry::new(self, other, pounds, Channel::Internal);
        for (seen, party) in [(&mut out, other), (&mut into, own)] {
            seen.reference = Some("CURRENCY EXCHANGE".to_owned());
            seen.information = Some(format!("Sold {} to the bank", own.currency()));
            seen.exchange = Some(quote.exchange(foreign));
            seen.other_party = Some(own_party(party));
        }
        let positions = [
            Line::outside("exchange", foreign, own.currency()),
            Line::outside("exchange", pounds.saturating_neg(), other.currency()),
        ];
        let lines = [Line::seen(out), Line::seen(into)].into_iter().chain(positions).collect();
        Some(Deed::Booking { at: self.at, lines })
    }
}

fn own_party(account: &Opened) -> OtherParty {
    OtherParty { agent: Some(own_agent()), account: account.outward().cloned() }
}
