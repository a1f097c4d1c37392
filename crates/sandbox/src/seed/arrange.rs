//! What the holders of a life's accounts have arranged, told from their habits and agreeing with their history: mandates,
//! standing orders, payees, scheduled payments, offers, and the routines that carry habits on.

use super::accounts::{BANK_BIC, BANK_NAME, Opened};
use super::calendar::{When, working_day_from};
use super::chance::Chance;
use super::channel::Channel;
use super::entry;
use super::habit::{Habit, Life, Party, Place, Sum, What};
use super::numbers;
use super::span::{self, Span};
use crate::bank::names::outside;
use crate::bank::plan::{Payee, Plan, Regular, Rhythm, Roll, Scheme};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use lombard_domain::account::{
    Agent, ArrangementStatus, Beneficiary, BeneficiaryType, DirectDebit, DirectDebitFrequency, EntryStatus,
    Identification, Instalment, Offer, ScheduledPayment, StandingOrder, Transaction,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::ids::RecordId;
use lombard_domain::money::Amount;
use lombard_ports::store::{Arrangement, Routine};

/// How long before the history a habit is taken to have begun, months.
const BEGUN_BEFORE: i32 = 5;

/// Everything arranged in a life.
pub(super) fn write(
    life: &Life,
    accounts: &[Opened],
    entries: &[Transaction],
    seed: u64,
    span: &Span,
) -> Vec<Arrangement> {
    let mut scribe = Scribe { life, accounts, entries, seed, span, done: Vec::new() };
    for (index, habit) in life.habits.iter().enumerate() {
        scribe.habit(index, habit);
    }
    scribe.payees();
    scribe.cancelled();
    scribe.scheduled();
    scribe.offers();
    scribe.done
}

struct Scribe<'a> {
    life: &'a Life,
    accounts: &'a [Opened],
    entries: &'a [Transaction],
    seed: u64,
    span: &'a Span,
    done: Vec<Arrangement>,
}

/// Whom a payment goes to: their bank and their account.
type Recipient = (Option<Agent>, Identification);

impl<'a> Scribe<'a> {
    fn account(&self, role: super::habit::Role) -> Option<&'a Opened> {
        self.accounts.iter().find(|account| account.role == role)
    }

    /// A stream of chance of its own, so that a row more changes nobody else's ids.
    fn chance(&self, what: &str, index: usize) -> Chance {
        Chance::named(self.seed, &format!("{what}/{}/{index}", self.life.name))
    }

    fn habit(&mut self, index: usize, habit: &Habit) {
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
            _ => {}
        }
    }

    /// The routine that carries a habit on, if it has a rhythm.
    #[allow(clippy::too_many_arguments, reason = "the columns of a habit, given once")]
    fn regular(
        &mut self,
        index: usize,
        habit: &Habit,
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
            keep: match habit.what {
                What::PayRest { keep, .. } => Some(keep),
                _ => None,
            },
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
        habit: &Habit,
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

    fn card_payment(&mut self, index: usize, habit: &Habit, own: &Opened, card: super::habit::Role) {
        let Some(card) = self.account(card) else { return };
        let name = format!("{BANK_NAME} {}", card.record.account.description.as_deref().unwrap_or_default());
        let Some(mandate) = self.mandate(index, habit, own, &name, None) else { return };
        let Some((rhythm, due_at)) = self.rhythm(habit, own, None, Channel::DirectDebit) else { return };
        self.routine(index, own, due_at, &Plan::PayCard { rhythm, card: card.id().clone(), mandate });
    }

    fn standing_order(
        &mut self,
        index: usize,
        habit: &Habit,
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
        let from = self.from_day(habit, last).saturating_sub(1.day());
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

    /// Everybody the accounts pay by order, once for each account.
    fn payees(&mut self) {
        let mut known = std::collections::BTreeSet::new();
        for (index, habit) in self.life.habits.iter().enumerate() {
            let Some(own) = self.account(habit.on) else { continue };
            let (by, text, recipient) = match habit.what {
                What::Pay { to, by, text, .. } | What::PayRest { to, by, text, .. } => (by, text, recipient(to)),
                What::Move { to, by, text, .. } => match self.account(to).and_then(own_recipient) {
                    Some(recipient) => (by, text, recipient),
                    None => continue,
                },
                _ => continue,
            };
            let (agent, payee) = recipient;
            if by == Channel::DirectDebit || !known.insert((own.role, payee.number.clone())) {
                continue;
            }
            let trusted = matches!(by, Channel::StandingOrder | Channel::Salary | Channel::Internal);
            let kind = if trusted { BeneficiaryType::Trusted } else { BeneficiaryType::Ordinary };
            self.done.push(Arrangement::Beneficiary(Beneficiary {
                id: self.chance("beneficiary", index).id().into(),
                account: own.id().clone(),
                kind: Some(kind),
                reference: Some(text.replace('#', "").trim().to_owned()),
                agent,
                payee,
            }));
        }
    }

    /// Mandates that ended before the history begins.
    fn cancelled(&mut self) {
        for (index, row) in self.life.cancelled.iter().enumerate() {
            let Some(own) = self.account(row.on) else { continue };
            let mut chance = self.chance("cancelled", index);
            let day = self.span.first_day().saturating_sub(row.months_before.months()).saturating_add(11.days());
            let amount = Amount::from_minor(row.minor.unsigned_abs(), own.currency());
            self.done.push(Arrangement::DirectDebit(DirectDebit {
                id: chance.id().into(),
                account: own.id().clone(),
                mandate: mandate_reference(row.name, &mut chance),
                status: ArrangementStatus::Inactive,
                name: row.name.to_owned(),
                frequency: DirectDebitFrequency::Monthly,
                previous: Some((span::midnight(working_day_from(day)), amount)),
            }));
        }
    }

    fn scheduled(&mut self) {
        for (index, row) in self.life.scheduled.iter().enumerate() {
            let Some(own) = self.account(row.on) else { continue };
            let day = working_day_from(span::day_of(self.span.present()).saturating_add(row.days_ahead.days()));
            let (agent, payee) = recipient(row.to);
            self.done.push(Arrangement::ScheduledPayment(ScheduledPayment {
                id: self.chance("scheduled-payment", index).id().into(),
                account: own.id().clone(),
                at: span::midnight(day),
                kind: row.kind,
                reference: Some(row.reference.to_owned()),
                debtor_reference: Some(row.own_reference.to_owned()),
                amount: Amount::from_minor(row.minor.unsigned_abs(), own.currency()),
                agent,
                payee,
            }));
        }
    }

    fn offers(&mut self) {
        for (index, row) in self.life.offers.iter().enumerate() {
            let Some(own) = self.account(row.on) else { continue };
            let (first, last) = (self.span.this_month(), self.span.this_month().saturating_add(3.months()));
            let amount = |minor: i64| (minor > 0).then(|| Amount::from_minor(minor.unsigned_abs(), own.currency()));
            self.done.push(Arrangement::Offer(Offer {
                id: self.chance("offer", index).id().into(),
                account: own.id().clone(),
                kind: row.kind,
                description: Some(row.description.to_owned()),
                from: Some(span::midnight(first)),
                until: Some(span::midnight(last)),
                rate: row.rate_per_10k.map(|rate| rust_decimal::Decimal::new(rate, 2)),
                value: row.months,
                term: row.months.map(|months| format!("{months} months from the day it is taken up")),
                url: Some(format!("https://sandbox.lombard.example/offers/{}", row.slug)),
                amount: amount(row.amount),
                fee: amount(row.fee),
            }));
        }
    }

    /// The last entry of a habit: with a party, or with an account of one's own.
    fn last(&self, own: &Opened, party: Option<&Party>, channel: Channel) -> Option<&'a Transaction> {
        let number = party.and_then(|party| entry::other_party(party).account).map(|account| account.number);
        let is_it = |entry: &&Transaction| {
            let other = entry.other_party.as_ref().and_then(|other| other.account.as_ref());
            is_of(entry, own, channel)
                && match &number {
                    Some(number) => other.is_some_and(|account| account.number == *number),
                    None => self.accounts.iter().any(|mine| mine.outward() == other) || other.is_none(),
                }
        };
        self.entries.iter().filter(is_it).max_by_key(|entry| entry.booked_at)
    }

    /// The first day on which a habit may happen next: today if it has not had its turn today, tomorrow if it has.
    fn from_day(&self, habit: &Habit, last: Option<&Transaction>) -> Date {
        let today = span::day_of(self.span.present());
        let turn_ends = span::moment_of(today, habit.hours.1);
        let had_turn = self.span.present() >= turn_ends || last.is_some_and(|it| span::day_of(it.booked_at) >= today);
        if had_turn { today.saturating_add(1.day()) } else { today }
    }

    /// The rhythm of a habit and when it is due next.
    fn rhythm(
        &self,
        habit: &Habit,
        own: &Opened,
        party: Option<&Party>,
        channel: Channel,
    ) -> Option<(Rhythm, Timestamp)> {
        let from = self.from_day(habit, self.last(own, party, channel));
        if let When::Weekly(weekday) = habit.when {
            let day = from.saturating_sub(1.day()).nth_weekday(1, weekday).ok()?;
            return Some((Rhythm::Weekly, span::moment_of(day, habit.hours.0)));
        }
        // A month earlier, because what rolls forward may still be to come.
        let begun = from.first_of_month().saturating_sub(1.month());
        let (day, months, roll) = habit.when.monthly()?;
        let (year, month) = (begun.year(), begun.month());
        let mut rhythm = Rhythm::Monthly { day, months: months.to_vec(), roll, year, month };
        let in_season = months.is_empty() || months.contains(&month);
        let mut due = if in_season { rhythm.due_at()? } else { rhythm.move_on(Timestamp::UNIX_EPOCH)? };
        while span::day_of(due) < from {
            due = rhythm.move_on(due)?;
        }
        Some((rhythm, due))
    }
}

impl When {
    /// The day of the month it is about, if it is about one.
    pub(super) const fn day_of_month(self) -> Option<i8> {
        match self {
            Self::Monthly(day) | Self::Collected(day) | Self::Paid(day) | Self::CollectedIn(_, day) => Some(day),
            Self::MonthEnd | Self::Weekly(_) | Self::Daily | Self::About(_) | Self::Workday(_) => None,
        }
    }

    const fn monthly(self) -> Option<(i8, &'static [i8], Roll)> {
        match self {
            Self::Monthly(day) => Some((day, &[], Roll::Stays)),
            Self::Collected(day) => Some((day, &[], Roll::Next)),
            Self::Paid(day) => Some((day, &[], Roll::Before)),
            Self::CollectedIn(months, day) => Some((day, months, Roll::Next)),
            Self::MonthEnd => Some((31, &[], Roll::Stays)),
            Self::Weekly(_) | Self::Daily | Self::About(_) | Self::Workday(_) => None,
        }
    }

    /// How often a mandate is collected.
    const fn collected(self) -> DirectDebitFrequency {
        match self {
            Self::CollectedIn(months, _) => match months.len() {
                1 => DirectDebitFrequency::Annual,
                2 => DirectDebitFrequency::HalfYearly,
                4 => DirectDebitFrequency::Quarterly,
                _ => DirectDebitFrequency::Monthly,
            },
            Self::Weekly(_) => DirectDebitFrequency::Weekly,
            Self::Daily => DirectDebitFrequency::Daily,
            Self::Monthly(_) | Self::Collected(_) | Self::Paid(_) | Self::MonthEnd => DirectDebitFrequency::Monthly,
            Self::About(_) | Self::Workday(_) => DirectDebitFrequency::NotKnown,
        }
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
    let bank = Agent { bic: Some(BANK_BIC.to_owned()), name: Some(BANK_NAME.to_owned()), address: None };
    Some((Some(bank), account.outward()?.clone()))
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
