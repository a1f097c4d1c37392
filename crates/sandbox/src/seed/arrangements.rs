//! Derives the arrangements of a household's accounts from its habits, consistent with the history: direct debit mandates, standing
//! orders, payees, scheduled payments, offers, and the routines that continue habits.

mod due_dates;
mod lists;

use super::accounts::{BANK_NAME, OpenedAccount, own_agent};
use super::calendar::working_day_from;
use super::channel::Channel;
use super::habit::{
    AmountRange, HabitAction, HabitRow, OutsideAccount, OutsideAccountNumber, SeededHousehold, iso_code,
};
use super::numbers;
use super::random::SeededRandom;
use super::span::{self, HistorySpan};
use jiff::{Timestamp, ToSpan};
use lombard_corebank::names::external_account;
use lombard_corebank::routine_plan::{ExternalParty, OutsideScheme, RegularPayment, RoutinePlan};
use lombard_corebank::storage::{Arrangement, ScheduledRoutine};
use lombard_domain::account::{
    AccountIdentification, ArrangementStatus, BankIdentification, DirectDebit, EntryStatus, Instalment, IsoCode,
    MandateTerms, StandingOrder, Transaction,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::ids::RecordId;
use lombard_domain::money::Amount;

/// The number of months before the history at which a habit is assumed to have begun.
const BEGUN_BEFORE: i32 = 5;

/// Creates all arrangements of a household.
pub(super) fn write(
    life: &SeededHousehold,
    accounts: &[OpenedAccount],
    entries: &[Transaction],
    seed: u64,
    span: &HistorySpan,
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
    accounts: &'a [OpenedAccount],
    entries: &'a [Transaction],
    seed: u64,
    span: &'a HistorySpan,
    done: Vec<Arrangement>,
}

/// The recipient of a payment: bank and account.
type Recipient = (Option<BankIdentification>, AccountIdentification);

impl<'a> ArrangementWriter<'a> {
    fn account(&self, role: super::habit::HouseholdAccount) -> Option<&'a OpenedAccount> {
        self.accounts.iter().find(|account| account.role == role)
    }

    /// A separate random stream, so that an additional row does not change other ids.
    fn chance(&self, what: &str, index: usize) -> SeededRandom {
        SeededRandom::named(self.seed, &format!("{what}/{}/{index}", self.life.name))
    }

    fn habit(&mut self, index: usize, habit: &HabitRow) {
        let Some(own) = self.account(habit.on) else { return };
        match habit.what {
            HabitAction::Receive { from, by, sum, text } => {
                self.regular(index, habit, own, (sum, 1), by, Some(from), text, None);
            }
            HabitAction::Pay { to, by: Channel::DirectDebit, sum, text } => {
                let mandate = self.mandate(index, habit, own, to.name, Some(to));
                self.regular(index, habit, own, (sum, -1), Channel::DirectDebit, Some(to), text, mandate);
            }
            HabitAction::Pay { to, by: Channel::StandingOrder, sum: AmountRange::Exactly(minor), text } => {
                self.standing_order(index, habit, own, recipient(to), minor, text);
            }
            HabitAction::Pay { to, by, sum, text } => {
                self.regular(index, habit, own, (sum, -1), by, Some(to), text, None);
            }
            HabitAction::PayRest { to, by, text, .. } => {
                self.regular(index, habit, own, (AmountRange::Exactly(0), -1), by, Some(to), text, None);
            }
            HabitAction::Move { to, by: Channel::StandingOrder, sum: AmountRange::Exactly(minor), text } => {
                if let Some(recipient) = self.account(to).and_then(own_recipient) {
                    self.standing_order(index, habit, own, recipient, minor, text);
                }
            }
            HabitAction::PayCard { card } => self.card_payment(index, habit, own, card),
            HabitAction::Fee { sum, text } => {
                self.regular(index, habit, own, (sum, -1), Channel::Fee, None, text, None)
            }
            HabitAction::OverdraftFee { sum } => {
                self.regular(index, habit, own, (sum, -1), Channel::Fee, None, "Overdraft usage fee", None);
            }
            // Habits without a recurrence, and habits at the end of a statement period, have no routine of their own.
            HabitAction::Buy { .. }
            | HabitAction::Refused { .. }
            | HabitAction::CardCheck { .. }
            | HabitAction::Refund { .. }
            | HabitAction::Withdraw { .. }
            | HabitAction::Move { .. }
            | HabitAction::SaveChange { .. }
            | HabitAction::Sell { .. }
            | HabitAction::EarnInterest { .. }
            | HabitAction::OweInterest { .. }
            | HabitAction::Cashback { .. } => {}
        }
    }

    /// The routine that continues a habit, if it recurs.
    #[allow(clippy::too_many_arguments, reason = "the columns of a habit, given once")]
    fn regular(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &OpenedAccount,
        (sum, sign): (AmountRange, i64),
        channel: Channel,
        party: Option<&OutsideAccount>,
        text: &str,
        mandate: Option<RecordId>,
    ) {
        let Some((rhythm, due_at)) = self.rhythm(habit, own, party, channel) else { return };
        let (low, high) = match sum {
            AmountRange::Exactly(minor) => (minor, minor),
            AmountRange::Between(low, high) => (low, high),
        };
        let ledger = party.map_or("bank:fees", |party| party.key);
        let plan = RoutinePlan::Regular(RegularPayment {
            recurrence: rhythm,
            amount_range: (low.saturating_mul(sign), high.saturating_mul(sign)),
            channel,
            counterparty: external_account(ledger, own.currency()),
            party: party.map(payee),
            text: text.to_owned(),
            mandate,
            overdrawn_only: matches!(habit.what, HabitAction::OverdraftFee { .. }),
            keep: if let HabitAction::PayRest { keep, .. } = habit.what { Some(keep) } else { None },
        });
        self.routine(index, own, due_at, &plan);
    }

    fn routine(&mut self, index: usize, own: &OpenedAccount, due_at: Timestamp, plan: &RoutinePlan) {
        let id = self.chance("routine", index).id().into();
        let routine = ScheduledRoutine { id, account: own.id().clone(), due_at: Some(due_at), plan: plan.write() };
        self.done.push(routine.into());
    }

    /// The direct debit mandate of a collected habit, with the last collection of the history.
    fn mandate(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &OpenedAccount,
        name: &str,
        party: Option<&OutsideAccount>,
    ) -> Option<RecordId> {
        let mut chance = self.chance("mandate", index);
        let id: RecordId = chance.id().into();
        let last = self.last(own, party, Channel::DirectDebit);
        let fixed = matches!(habit.what, HabitAction::Pay { sum: AmountRange::Exactly(_), .. });
        let classification = iso_code(if fixed { "FIXE" } else { "VARI" });
        self.done.push(Arrangement::DirectDebit(DirectDebit {
            id: id.clone(),
            account: own.id().clone(),
            mandate: mandate_reference(name, &mut chance),
            status: ArrangementStatus::Active,
            name: name.to_owned(),
            frequency: habit.when.collected(),
            previous: last.map(|entry| (entry.booked_at, entry.sum.amount())),
            terms: Some(Box::new(MandateTerms {
                classification,
                category_purpose: category_of(habit, name),
                ..MandateTerms::default()
            })),
        }));
        Some(id)
    }

    fn card_payment(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &OpenedAccount,
        card: super::habit::HouseholdAccount,
    ) {
        let Some(card) = self.account(card) else { return };
        let name = format!("{BANK_NAME} {}", card.record.account.description.as_deref().unwrap_or_default());
        let Some(mandate) = self.mandate(index, habit, own, &name, None) else { return };
        let Some((rhythm, due_at)) = self.rhythm(habit, own, None, Channel::DirectDebit) else { return };
        self.routine(index, own, due_at, &RoutinePlan::PayCard { rhythm, card: card.id().clone(), mandate });
    }

    fn standing_order(
        &mut self,
        index: usize,
        habit: &HabitRow,
        own: &OpenedAccount,
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
        let mut chance = self.chance("standing-order", index);
        self.done.push(Arrangement::StandingOrder(StandingOrder {
            id: chance.id().into(),
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
            terms: Some(Box::new(MandateTerms {
                identification: Some(format!("SO-{}", chance.digits(9))),
                classification: iso_code("FIXE"),
                category_purpose: None,
                reason: Some(text.to_owned()),
            })),
        }));
    }
}

/// The purpose that a mandate states for its payments: the debt of a card, or tax. Source: AIS-170.
fn category_of(habit: &HabitRow, collector: &str) -> Option<IsoCode> {
    if matches!(habit.what, HabitAction::PayCard { .. }) {
        return iso_code("CCRD");
    }
    let is_tax = collector.ends_with("Council") || collector == "HMRC";
    if is_tax { iso_code("TAXS") } else { None }
}

fn is_of(entry: &Transaction, own: &OpenedAccount, channel: Channel) -> bool {
    entry.account == *own.id()
        && entry.status == EntryStatus::Booked
        && entry.proprietary_code.as_ref() == Some(&channel.own_code())
}

fn recipient(party: &OutsideAccount) -> Recipient {
    let other = party.other_party();
    let unknown = || AccountIdentification::new(lombard_domain::account::AccountScheme::Bban, String::new());
    (other.agent, other.account.unwrap_or_else(unknown))
}

fn own_recipient(account: &OpenedAccount) -> Option<Recipient> {
    Some((Some(own_agent()), account.outward()?.clone()))
}

fn payee(party: &OutsideAccount) -> ExternalParty {
    let (scheme, number, bic) = match party.place {
        OutsideAccountNumber::Uk { number, bic } => (OutsideScheme::SortCode, number.to_owned(), bic),
        OutsideAccountNumber::Iban { country, bban, bic } => (OutsideScheme::Iban, numbers::iban(country, bban), bic),
        OutsideAccountNumber::Bban { number, bic } => (OutsideScheme::Bban, number.to_owned(), bic),
    };
    ExternalParty { name: party.name.to_owned(), scheme, number, bic: bic.to_owned() }
}

/// Builds a mandate reference from the first letters of the collector's name and some digits.
fn mandate_reference(name: &str, chance: &mut SeededRandom) -> String {
    let letters: String =
        name.split(' ').filter_map(|word| word.chars().next()).filter(char::is_ascii_alphabetic).take(4).collect();
    format!("{}-{}", letters.to_ascii_uppercase(), chance.digits(9))
}
