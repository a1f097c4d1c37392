//! Creates the statements of a history: one for every full month of every account.

use super::accounts::OpenedAccount;
use super::habit::{HabitAction, HabitRow, SeededHousehold};
use super::span::{self, HistorySpan};
use jiff::civil::Date;
use lombard_corebank::account_terms::AccountTerms;
use lombard_corebank::routine_plan::RoutinePlan;
use lombard_corebank::statement::{StatementPeriod, end_of_month, next_period_start};
use lombard_corebank::storage::ScheduledRoutine;
use lombard_domain::account::{EntryStatus, Statement, Transaction};

/// Creates the statements of an account, oldest first, and the routine that closes the current period.
pub(super) fn write(
    life: &SeededHousehold,
    account: &OpenedAccount,
    brought_forward: i64,
    entries: &[Transaction],
    span: &HistorySpan,
) -> (Vec<Statement>, ScheduledRoutine) {
    let own = |entry: &&Transaction| entry.account == *account.id() && entry.status == EntryStatus::Booked;
    let mut entries: Vec<_> = entries.iter().filter(own).cloned().collect();
    entries.sort_by(|a, b| (a.booked_at, &a.id).cmp(&(b.booked_at, &b.id)));
    let mut terms = terms(life, account, brought_forward, span.first_day());
    let mut statements = Vec::new();
    let mut from = 0_usize;
    let mut ends_at = end_of_month(span.first_day());
    while span::day_of(ends_at) < span.this_month() {
        let until = entries.partition_point(|entry| entry.booked_at <= ends_at);
        let in_period = entries.get(from..until).unwrap_or_default();
        let period = StatementPeriod {
            account: &account.record.account,
            credit_limit: account.record.credit_limit,
            terms: &terms,
            ends_at,
            entries: in_period,
        };
        let statement = period.build_statement();
        let closing = period.closing_balance();
        statements.push(statement);
        let next_starts_at = next_period_start(ends_at);
        terms.open_next(next_starts_at, closing);
        from = until;
        ends_at = end_of_month(span::day_of(next_starts_at));
    }
    let plan = RoutinePlan::Close(terms).write();
    (statements, ScheduledRoutine { id: "close".into(), account: account.id().clone(), due_at: Some(ends_at), plan })
}

/// The terms of an account, derived from its habits.
fn terms(life: &SeededHousehold, account: &OpenedAccount, opening: i64, first_day: Date) -> AccountTerms {
    let opened_on = account.record.account.opened_on.unwrap_or(first_day);
    let months = |day: Date| i64::from(day.year()).saturating_mul(12).saturating_add(i64::from(day.month()));
    let earlier = months(first_day).saturating_sub(months(opened_on));
    let mut terms = AccountTerms {
        credit_interest_per_10k: 0,
        debit_interest_per_10k: if account.is_credit_card() { CARD_PER_10K } else { 0 },
        cashback_per_10k: 0,
        collected_on: None,
        starts_at: span::midnight(first_day).as_microsecond(),
        opening,
        next_statement_number: u32::try_from(earlier).unwrap_or(0).saturating_add(1),
    };
    for habit in life.habits.iter().filter(|habit| habit.on == account.role) {
        if let HabitAction::EarnInterest { per_10k_a_year } = habit.what {
            terms.credit_interest_per_10k = per_10k_a_year;
        }
        if let HabitAction::OweInterest { per_10k_a_year } = habit.what {
            terms.debit_interest_per_10k = per_10k_a_year;
        }
        if let HabitAction::Cashback { per_10k } = habit.what {
            terms.cashback_per_10k = per_10k;
        }
    }
    let pays = |habit: &&HabitRow| matches!(habit.what, HabitAction::PayCard { card } if card == account.role);
    terms.collected_on = life.habits.iter().find(pays).and_then(|habit| habit.when.day_of_month());
    terms
}

/// The annual interest rate of a card balance that is not paid in time, in hundredths of a per cent.
const CARD_PER_10K: i64 = 2_190;
