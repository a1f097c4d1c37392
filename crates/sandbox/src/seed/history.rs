//! Generates the history of a household or business day by day, up to the bank's current date.

use super::accounts::OpenedAccount;
use super::calendar::working_day_from;
use super::channel::Channel;
use super::habit::{HabitRow, SeededHousehold};
use super::habit_run::HabitRun;
use super::ledger::{SeedLedger, SeededHistory};
use super::money_event::MoneyEvent;
use super::progress::SeedProgress;
use super::random::SeededRandom;
use super::span::{self, HistorySpan};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use std::collections::BTreeMap;

/// Generates the history of a household. Progress advances once for each of [`span::FULL_MONTHS`].
pub(super) fn write(
    life: &SeededHousehold,
    accounts: &[OpenedAccount],
    seed: u64,
    span: &HistorySpan,
    progress: &dyn SeedProgress,
) -> SeededHistory {
    let mut books = SeedLedger::new(life.name, SeededRandom::named(seed, &format!("journals/{}", life.name)));
    let start = span::midnight(span.first_day());
    for (row, account) in life.accounts.iter().zip(accounts) {
        books.bring_forward(account.id(), row.brought_forward, row.currency, start);
    }
    let stream = |index| SeededRandom::named(seed, &format!("habit/{}/{index}", life.name));
    let mut streams: Vec<_> = (0..life.habits.len()).map(stream).collect();
    let mut waiting = ScheduledEvents::default();
    for day in span.days() {
        for (habit, chance) in life.habits.iter().zip(&mut streams) {
            live_a_day(habit, day, accounts, &mut books, chance, |event, books| {
                if event.starts_at() <= span.present() {
                    books.reserve(&event);
                    waiting.add(event);
                }
            });
        }
        let tomorrow = span::midnight(day.saturating_add(1.day()));
        waiting.book_before(tomorrow, span.present(), &mut books);
        if span.ends_full_month(day) {
            progress.advance(1);
        }
    }
    for event in waiting.money_events.into_values() {
        books.book_pending(event);
    }
    for (index, row) in life.future.iter().enumerate() {
        let mut chance = SeededRandom::named(seed, &format!("future/{}/{index}", life.name));
        let day = working_day_from(span::day_of(span.present()).saturating_add(row.days_ahead.days()));
        let at = span::moment(day, (6, 8), &mut chance);
        let books = &mut books;
        let Some(own) = accounts.iter().find(|account| account.role == row.on) else { continue };
        let mut run = HabitRun { accounts, books, chance: &mut chance, at };
        let event = run.with_party(own, row.to, Channel::Bacs, row.minor.saturating_neg(), row.text);
        books.book_future(event);
    }
    books.close()
}

fn live_a_day(
    habit: &HabitRow,
    day: Date,
    accounts: &[OpenedAccount],
    books: &mut SeedLedger,
    chance: &mut SeededRandom,
    mut done: impl FnMut(MoneyEvent, &mut SeedLedger),
) {
    for _ in 0..habit.when.times(day, chance) {
        let at = span::moment(day, habit.hours, chance);
        let event = HabitRun { accounts, books, chance, at }.act(habit);
        if let Some(event) = event {
            done(event, books);
        }
    }
}

/// Money events that are not booked yet. A number keeps events of the same time in the order of their creation.
#[derive(Debug, Default)]
struct ScheduledEvents {
    money_events: BTreeMap<(Timestamp, u64), MoneyEvent>,
    added: u64,
}

impl ScheduledEvents {
    fn add(&mut self, event: MoneyEvent) {
        self.added = self.added.saturating_add(1);
        self.money_events.insert((event.booked_at(), self.added), event);
    }

    /// Books the events due before a day begins, except those after the present.
    fn book_before(&mut self, day: Timestamp, present: Timestamp, books: &mut SeedLedger) {
        while let Some(first) = self.money_events.first_entry() {
            let (at, _) = *first.key();
            if at >= day || at > present {
                break;
            }
            books.book(first.remove());
        }
    }
}
