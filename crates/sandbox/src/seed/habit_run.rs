//! Turns habits into money events: one function per kind of action.

use super::accounts::{BANK_NAME, OpenedAccount, own_agent};
use super::channel::Channel;
use super::habit::{AmountRange, HabitAction, HabitRow, HouseholdAccount, OutsideAccount, iso_code};
use super::ledger::SeedLedger;
use super::money_event::{JournalLine, MoneyEvent};
use super::random::SeededRandom;
use super::rates::{HistoricPrice, TradeSide};
use jiff::Timestamp;
use lombard_corebank::entry;
use lombard_corebank::statement::{cashback, month_of_interest};
use lombard_domain::account::{
    BankIdentification, EntryPayment, ExtendedCode, IntermediaryAgent, OtherParty, Transaction, UltimateParty,
};
use lombard_domain::ids::TransactionId;
use lombard_domain::money::SignedAmount;

/// One execution of a habit: the accounts, the ledger, the random stream and the time.
#[derive(Debug)]
pub(super) struct HabitRun<'a> {
    pub(super) accounts: &'a [OpenedAccount],
    pub(super) books: &'a mut SeedLedger,
    pub(super) chance: &'a mut SeededRandom,
    pub(super) at: Timestamp,
}

impl<'a> HabitRun<'a> {
    /// Generates the money event of a habit; `None` if there is nothing to do or funds are insufficient.
    pub(super) fn act(&mut self, habit: &HabitRow) -> Option<MoneyEvent> {
        let own = self.account(habit.on)?;
        match habit.what {
            HabitAction::Receive { from, by, sum, text } => {
                let minor = self.draw(sum);
                Some(self.with_party(own, from, by, minor, text))
            }
            HabitAction::Pay { to, by, sum, text } => {
                let minor = self.draw(sum);
                // Only a direct debit is collected with insufficient funds.
                let goes = by == Channel::DirectDebit || self.has_funds(own, minor);
                goes.then(|| self.with_party(own, to, by, minor.saturating_neg(), text))
            }
            HabitAction::PayRest { to, by, keep, text } => {
                let rest = self.books.unreserved(own.id()).saturating_sub(keep);
                (rest > 0).then(|| self.with_party(own, to, by, rest.saturating_neg(), text))
            }
            HabitAction::Buy { at } => self.buy(own, at),
            HabitAction::Refused { at, why } => self.refused(own, at, why),
            HabitAction::CardCheck { at } => self.card_check(own, at),
            HabitAction::Refund { at } => self.refund(own, at),
            HabitAction::Withdraw { at, sum } => self.withdraw(own, at, sum),
            HabitAction::Move { to, by, sum, text } => {
                let minor = self.draw(sum);
                self.transfer(own, to, by, minor, text)
            }
            HabitAction::SaveChange { to } => {
                let pence = self.books.take_change(own.role);
                self.transfer(own, to, Channel::Internal, pence, "ROUND UPS")
            }
            HabitAction::PayCard { card } => self.pay_card(own, card),
            HabitAction::Sell { to, sum } => self.sell(own, to, sum),
            HabitAction::EarnInterest { per_10k_a_year } => {
                let minor = month_of_interest(self.books.booked(own.id()), per_10k_a_year);
                (minor > 0).then(|| self.with_bank(own, Channel::Interest, minor, "interest", "Interest earned"))
            }
            HabitAction::OweInterest { per_10k_a_year } => {
                let minor = month_of_interest(self.books.booked(own.id()), per_10k_a_year);
                (minor < 0).then(|| self.with_bank(own, Channel::Interest, minor, "interest", "Interest charged"))
            }
            HabitAction::Cashback { per_10k } => {
                let minor = cashback(self.books.take_spent(own.id()), per_10k);
                let text = "Cashback on card purchases";
                (minor > 0).then(|| self.with_bank(own, Channel::Cashback, minor, "interest", text))
            }
            HabitAction::Fee { sum, text } => {
                let minor = self.draw(sum).saturating_neg();
                Some(self.with_bank(own, Channel::Fee, minor, "fees", text))
            }
            HabitAction::OverdraftFee { sum } => {
                let minor = self.draw(sum).saturating_neg();
                let overdrawn = self.books.booked(own.id()) < 0;
                overdrawn.then(|| self.with_bank(own, Channel::Fee, minor, "fees", "Overdraft usage fee"))
            }
        }
    }

    pub(super) fn account(&self, role: HouseholdAccount) -> Option<&'a OpenedAccount> {
        self.accounts.iter().find(|account| account.role == role)
    }

    pub(super) fn draw(&mut self, sum: AmountRange) -> i64 {
        match sum {
            AmountRange::Exactly(minor) => minor,
            AmountRange::Between(low, high) => self.chance.between(low, high),
        }
    }

    /// Whether the amount in minor units can be debited, using the credit line if necessary.
    pub(super) fn has_funds(&self, own: &OpenedAccount, minor: i64) -> bool {
        self.books.unreserved(own.id()).saturating_add(own.record.credit_limit) >= minor
    }

    /// A new entry of `minor` units on an account at the current time, with the codes of its channel.
    pub(super) fn entry(&mut self, own: &OpenedAccount, minor: i64, channel: Channel) -> Transaction {
        let id = TransactionId::new(self.chance.id_at(self.at));
        entry::new(own.id(), id, self.at, SignedAmount::from_minor(minor, own.currency()), channel)
    }

    /// Generates a payment to or from an external party.
    pub(super) fn with_party(
        &mut self,
        own: &OpenedAccount,
        party: &OutsideAccount,
        by: Channel,
        minor: i64,
        text: &str,
    ) -> MoneyEvent {
        let reference = text.replace('#', &self.chance.digits(5));
        let mut seen = self.entry(own, minor, by);
        seen.information = Some(format!("{} {reference}", party.name));
        seen.reference = Some(reference);
        seen.other_party = Some(party.other_party());
        seen.payment = payment(party, by, minor).map(Box::new);
        let theirs = JournalLine::external_party(party.key, minor.saturating_neg(), own.currency());
        MoneyEvent::Booking { at: self.at, lines: vec![JournalLine::with_entry(seen), theirs] }
    }

    /// Generates a payment to or from the bank.
    fn with_bank(&mut self, own: &OpenedAccount, by: Channel, minor: i64, ledger: &str, text: &str) -> MoneyEvent {
        let mut seen = self.entry(own, minor, by);
        seen.information = Some(text.to_owned());
        let bank = JournalLine::external_party(&format!("bank:{ledger}"), minor.saturating_neg(), own.currency());
        MoneyEvent::Booking { at: self.at, lines: vec![JournalLine::with_entry(seen), bank] }
    }

    /// Generates a transfer to another account of the household, if the balance suffices without the credit line. The transfer is one
    /// journal with two entries.
    fn transfer(
        &mut self,
        own: &OpenedAccount,
        to: HouseholdAccount,
        by: Channel,
        minor: i64,
        text: &str,
    ) -> Option<MoneyEvent> {
        let other = self.account(to)?;
        let affordable = minor > 0 && self.books.unreserved(own.id()) >= minor;
        affordable.then(|| self.both_sides(own, other, by, minor, text))
    }

    /// Generates a collection of the card's whole balance, without a check of the payer's funds.
    fn pay_card(&mut self, own: &OpenedAccount, card: HouseholdAccount) -> Option<MoneyEvent> {
        let card = self.account(card)?;
        let debt = self.books.booked(card.id()).saturating_neg();
        (debt > 0).then(|| self.both_sides(own, card, Channel::DirectDebit, debt, "CREDIT CARD PAYMENT"))
    }

    fn both_sides(
        &mut self,
        from: &OpenedAccount,
        to: &OpenedAccount,
        by: Channel,
        minor: i64,
        text: &str,
    ) -> MoneyEvent {
        let mut out = self.entry(from, minor.saturating_neg(), by);
        let mut into = self.entry(to, minor, by);
        for (seen, way, other) in [(&mut out, "to", to), (&mut into, "from", from)] {
            seen.reference = Some(text.to_owned());
            seen.information = Some(format!("{text} {way} {}", other.nickname()));
            seen.other_party = Some(own_party(other));
        }
        MoneyEvent::Booking { at: self.at, lines: vec![JournalLine::with_entry(out), JournalLine::with_entry(into)] }
    }

    /// Generates a sale of foreign currency to the bank for pounds. The bank's position in each currency balances the sale.
    fn sell(&mut self, own: &OpenedAccount, to: HouseholdAccount, sum: AmountRange) -> Option<MoneyEvent> {
        let other = self.account(to)?;
        let foreign = self.draw(sum);
        let quote = HistoricPrice::new(own.currency(), TradeSide::BankBuys, self.at, self.chance)?;
        if self.books.unreserved(own.id()) < foreign {
            return None;
        }
        let pounds = quote.pounds(foreign);
        let mut out = self.entry(own, foreign.saturating_neg(), Channel::Internal);
        let mut into = self.entry(other, pounds, Channel::Internal);
        for (seen, party) in [(&mut out, other), (&mut into, own)] {
            seen.reference = Some("CURRENCY EXCHANGE".to_owned());
            seen.information = Some(format!("Sold {} to the bank", own.currency()));
            seen.exchange = Some(quote.exchange(foreign));
            seen.other_party = Some(own_party(party));
        }
        let positions = [
            JournalLine::external_party("exchange", foreign, own.currency()),
            JournalLine::external_party("exchange", pounds.saturating_neg(), other.currency()),
        ];
        let lines =
            [JournalLine::with_entry(out), JournalLine::with_entry(into)].into_iter().chain(positions).collect();
        Some(MoneyEvent::Booking { at: self.at, lines })
    }
}

/// The bank's data about a payment to or from a party by this channel. Source: AIS-128, AIS-132.
fn payment(party: &OutsideAccount, by: Channel, minor: i64) -> Option<EntryPayment> {
    match by {
        Channel::Salary => {
            let salary = iso_code("SALA");
            Some(EntryPayment { category_purpose: salary, purpose: salary, ..EntryPayment::default() })
        }
        Channel::CrossBorder => {
            let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let ultimate = UltimateParty { name: text(party.name), lei: text(party.lei), ..UltimateParty::default() };
            let (ultimate_creditor, ultimate_debtor) =
                if minor < 0 { (Some(ultimate), None) } else { (None, Some(ultimate)) };
            let correspondent = BankIdentification {
                bic: Some("THMSGB2LXXX".to_owned()),
                name: Some("Thames Correspondent Bank".to_owned()),
                address: None,
                lei: Some("9845THMS00CRRSPN0585".to_owned()),
            };
            Some(EntryPayment {
                category_purpose: iso_code("SUPP"),
                purpose: iso_code("SUPP"),
                extended_codes: vec![ExtendedCode {
                    code: "INT-GPI".to_owned(),
                    issuer: Some(BANK_NAME.to_owned()),
                    description: Some("Payment abroad through a correspondent bank".to_owned()),
                }],
                ultimate_creditor,
                ultimate_debtor,
                intermediaries: vec![IntermediaryAgent { agent: correspondent, status: iso_code("ACSC") }],
            })
        }
        Channel::FasterPayment
        | Channel::Bacs
        | Channel::Chaps
        | Channel::CardTransfer
        | Channel::DirectDebit
        | Channel::StandingOrder
        | Channel::Internal
        | Channel::DebitCard
        | Channel::CreditCard
        | Channel::CashMachine
        | Channel::Interest
        | Channel::Fee
        | Channel::Cashback => None,
    }
}

fn own_party(account: &OpenedAccount) -> OtherParty {
    OtherParty { agent: Some(own_agent()), account: account.outward().cloned() }
}
