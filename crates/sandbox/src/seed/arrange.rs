//! What the holders of a life's accounts have arranged, told from their habits and agreeing with their history: mandates,
//! standing orders, payees, scheduled payments, offers, and the routines that carry habits on.

mod lists;
mod turns;

use super::accounts::{BANK_NAME, Opened, own_agent};
use super::calendar::working_day_from;
use super::chance::Chance;
use super::channel::Channel;
use super::entry;
use super::habit::{HabitRow, Party, Place, SeededHousehold, Sum, What};
use super::numbers;
use super::span::{self, Span};
use jiff::{Timestamp, ToSpan};
use lombard_corebank::names::outside;
use lombard_corebank::plan::{Payee, Plan, Regular, Scheme};
use lombard_corebank::storage::{Arrangement, Routine};
use lombard_domain::account::{
    Agent, ArrangementStatus, DirectDebit, EntryStatus, Identification, Instalment, StandingOrder, Transaction,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::ids::RecordId;
use lombard_domain::money::Amount;

/// How long before the history a habit is taken to have begun, months.
const BEGUN_BEFORE: i32 = 5;

/// Everything arranged in a life.
pub(super) fn write(
    life: &SeededHousehold,
    accounts: &[Opened],
    entries: &[Transaction],
    seed: u64,
    span: &Span,
) -> Vec<Arrangement> {
    let mut scribe = ArrangementWriter { life, accounts, entries, seed, span, done: Vec::new() };
    for (index, habit) in life.habits.iter().enumerate() {
        scribe.habit(index, habit);
    }
    scribe.payees();
    scribe.cancelled();
    scribe.scheduled();
    scribe.offers();
    scribe.done
}

struct ArrangementWriter<'a> {
    life: &'a SeededHousehold,
    accounts: &'a [Opened],
    entries: &'a [Transaction],
    seed: u64,
    span: &'a Span,
    done: Vec<Arrangement>,
}

/// Whom a payment goes to: their bank and their account.
type Recipient = (Option<Agent>, Identification);

impl<'a> ArrangementWriter<'a> {
    fn account(&self, role: super::habit::Role) -> Option<&'a Opened> {
        self.accounts.iter().find(|account| account.role == role)
    }

    /// A stream of chance of its own, so that a row more changes nobody else's ids.
    fn chance(&self, what: &str, index: usize) -> Chance {
        Chance::named(self.seed, &format!("{what}/{}/{index}", self.life.name))
    }

    fn habit(&mut self, index: usize, habit: &HabitRow) {
        let Some(own) = self.account(habit.on) else { return };
        match habit.what {
            What::Receive { from, by, sum, text } => {
                self.regular(index, habit, own, (sum, 1), by, Some(from), text, None);
            }
            What::Pay { to, by: Channel::DirectDebit, sum, text } => {
                let mandate = self.mandate(index, habit, own, to.name, Some(to));
                self.regular(index, habit, own, (sum, -1), Channel::DirectDebit, Some(to), text, mandate);
            }
            What::Pay { to, by: Channel::StandingOrder, sum: Sum::Exactly(minor), text } => {
                self.standing_order(index, habit, own, recipient(to), minor, text);
            }
            What::Pay { to, by, sum, text } => {
                self.regular(index, habit, own, (sum, -1), by, Some(to), text, None);
            }
            What::PayRest { to, by, text, .. } => {
                self.regular(index, habit, own, (Sum::Exactly(0), -1), by, Some(to), text, None);
            }
            What::Move { to, by: Channel::StandingOrder, sum: Sum::Exactly(minor), text } => {
                if let Some(recipient) = self.account(to).and_then(own_recipient) {
                    self.standing_order(index, habit, own, recipient, minor, text);
                }
            }
            What::PayCard { card } => self.card_payment(index, habit, own, card),
            What::Fee { sum, text } => self.regular(index, habit, own, (sum, -1), Channel::Fee, None, text, None),
            What::OverdraftFee { sum } => {
                self.regular(index, habit, own, (sum, -1), Channel::Fee, None, "Overdraft usage fee", None);
            }
            // What follows no rhythm, and what belongs to the end of a period.
            What::Buy { .. }
            | What::Refused { .. }
            | What::Refund { .. }
            | What::Withdraw { .. }
            | What::Move { .. }
            | What::SaveChange { .. }
            | What::Sell { .. }
            | What::EarnInterest { .. }
            | What::OweInterest { .. }
            | What::Cashback { .. } => {}
        }
    }

    /// The routine that carries a habit on, if it has a rhythm.
    #[allow(clippy::too_many_arguments, reason = "the columns of a habit, given once")]
    fn regular(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &Opened,
        (sum, sign): (Sum, i64),
        channel: Channel,
        party: Option<&Party>,
        text: &str,
        mandate: Option<RecordId>,
    ) {
        let Some((rhythm, due_at)) = self.rhythm(habit, own, party, channel) else { return };
        let (low, high) = match sum {
            Sum::Exactly(minor) => (minor, minor),
            Sum::Between(low, high) => (low, high),
        };
        let ledger = party.map_or("bank:fees", |party| party.key);
        let plan = Plan::Regular(Regular {
            rhythm,
            between: (low.saturating_mul(sign), high.saturating_mul(sign)),
            channel,
            counterparty: outside(ledger, own.currency()),
            party: party.map(payee),
            text: text.to_owned(),
            mandate,
            overdrawn_only: matches!(habit.what, What::OverdraftFee { .. }),
            keep: if let What::PayRest { keep, .. } = habit.what { Some(keep) } else { None },
        });
        self.routine(index, own, due_at, &plan);
    }

    fn routine(&mut self, index: usize, own: &Opened, due_at: Timestamp, plan: &Plan) {
        let id = self.chance("routine", index).id().into();
        let routine = Routine { id, account: own.id().clone(), due_at: Some(due_at), plan: plan.write() };
        self.done.push(routine.into());
    }

    /// The mandate of a habit that is collected; its last collection is the last in the history.
    fn mandate(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &Opened,
        name: &str,
        party: Option<&Party>,
    ) -> Option<RecordId> {
        let mut chance = self.chance("mandate", index);
        let id: RecordId = chance.id().into();
        let last = self.last(own, party, Channel::DirectDebit);
        self.done.push(Arrangement::DirectDebit(DirectDebit {
            id: id.clone(),
            account: own.id().clone(),
            mandate: mandate_reference(name, &mut chance),
            status: ArrangementStatus::Active,
            name: name.to_owned(),
            frequency: habit.when.collected(),
            previous: last.map(|entry| (entry.booked_at, entry.sum.amount())),
        }));
        Some(id)
    }

    fn card_payment(&mut self, index: usize, habit: &HabitRow, own: &Opened, card: super::habit::Role) {
        let Some(card) = self.account(card) else { return };
        let name = format!("{BANK_NAME} {}", card.record.account.description.as_deref().unwrap_or_default());
        let Some(mandate) = self.mandate(index, habit, own, &name, None) else { return };
        let Some((rhythm, due_at)) = self.rhythm(habit, own, None, Channel::DirectDebit) else { return };
        self.routine(index, own, due_at, &Plan::PayCard { rhythm, card: card.id().clone(), mandate });
    }

    fn standing_order(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &Opened,
        (agent, payee): Recipient,
        minor: i64,
        text: &str,
    ) {
        let Some(day) = habit.when.day_of_month() else { return };
        let amount = Amount::from_minor(minor.unsigned_abs(), own.currency());
        let begun = self.span.first_day().saturating_sub(BEGUN_BEFORE.months());
        let anchor = begun.with().day(day).build().unwrap_or_else(|_| begun.last_of_month());
        let frequency = Frequency::IntervalMonthDay(1, day);
        let instalment = |day| Instalment { at: span::midnight(day), amount };
        let is_it = |entry: &&Transaction| {
            is_of(entry, own, Channel::StandingOrder) && entry.reference.as_deref() == Some(text)
        };
        let last = self.entries.iter().filter(is_it).max_by_key(|entry| entry.booked_at);
        let from = self.first_turn(habit, last).saturating_sub(1.day());
        let due = frequency.days_after(anchor).map(working_day_from).find(|day| *day > from);
        self.done.push(Arrangement::StandingOrder(StandingOrder {
            id: self.chance("standing-order", index).id().into(),
            account: own.id().clone(),
            frequency,
            reference: Some(text.to_owned()),
            first: Some(instalment(anchor)),
            next: due.map(instalment),
            last: last.map(|entry| Instalment { at: entry.booked_at, amount: entry.sum.amount() }),
            end: None,
            payments: None,
            status: ArrangementStatus::Active,
            agent,
            payee,
        }));
    }
}

fn is_of(entry: &Transaction, own: &Opened, channel: Channel) -> bool {
    entry.account == *own.id()
        && entry.status == EntryStatus::Booked
        && entry.proprietary_code.as_ref() == Some(&channel.own_code())
}

fn recipient(party: &Party) -> Recipient {
    let other = entry::other_party(party);
    let unknown = || Identification {
        scheme: lombard_domain::account::AccountScheme::Bban,
        number: String::new(),
        name: None,
        secondary: None,
    };
    (other.agent, other.account.unwrap_or_else(unknown))
}

fn own_recipient(account: &Opened) -> Option<Recipient> {
    Some((Some(own_agent()), account.outward()?.clone()))
}

fn payee(party: &Party) -> Payee {
    let (scheme, number, bic) = match party.place {
        Place::Uk { number, bic } => (Scheme::SortCode, number.to_owned(), bic),
        Place::Iban { country, bban, bic } => (Scheme::Iban, numbers::iban(country, bban), bic),
        Place::Bban { number, bic } => (Scheme::Bban, number.to_owned(), bic),
    };
    Payee { name: party.name.to_owned(), scheme, number, bic: bic.to_owned() }
}

/// The first letters of who collects, and digits.
fn mandate_reference(name: &str, chance: &mut Chance) -> String {
    let letters: String =
        name.split(' ').filter_map(|word| word.chars().next()).filter(char::is_ascii_alphabetic).take(4).collect();
    format!("{}-{}", letters.to_ascii_uppercase(), chance.digits(9))
}
