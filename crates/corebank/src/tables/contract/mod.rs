//! The contract tests of the bank's tables, run on every engine: one function for each property.
#![allow(clippy::arithmetic_side_effects, reason = "the numbers of samples are small")]

pub(super) mod bank_orders;

mod account_changes;
mod arrangements;
mod ledger;
pub(super) mod pages;
mod properties;
mod quarantine;
mod reset;
mod rows;
mod samples;
mod samples_of_banking;
mod schedule;
mod transactions;

use crate::storage::BankStore;
use crate::tables::{SCHEMA, open_bank_store};
use lombard_database::testing::temporary_with;

lombard_database::keep_on_both_engines! { crate::tables::SCHEMA, crate::tables::open_bank_store =>
    account_changes::account_changes_are_kept_until_they_are_dropped,
    account_changes::account_changes_are_numbered_without_gaps,
    arrangements::a_period_is_closed_once,
    arrangements::a_statement_takes_the_entries_booked_until_its_end,
    arrangements::arrangements_are_kept_by_kind,
    arrangements::arrangements_page_by_account_and_id,
    arrangements::entries_of_a_statement_page,
    arrangements::every_change_of_an_entry_draws_a_version_for_its_account,
    arrangements::statements_come_newest_first_and_wholly_inside,
    bank_orders::a_consent_has_its_last_plan,
    bank_orders::acknowledged_updates_are_gone,
    bank_orders::orders_are_found_by_id_and_by_the_time_of_their_receipt,
    bank_orders::the_first_update_that_waits_is_told_of_each_order,
    bank_orders::status_updates_have_no_gaps_under_concurrency,
    bank_orders::status_updates_never_overtake_those_of_their_order,
    bank_orders::status_updates_say_what_happened,
    bank_orders::the_bank_takes_an_order_once,
    bank_orders::the_banks_orders_lose_no_update,
    bank_orders::what_the_bank_has_to_do_comes_earliest_first,
    schedule::a_pending_entry_is_settled_once,
    schedule::an_account_is_found_by_its_number,
    schedule::postings_aside_are_those_of_the_entrys_journal,
    schedule::what_is_due_comes_earliest_first,
    ledger::a_cause_is_posted_once,
    ledger::accounts_come_in_the_order_asked_for,
    ledger::an_unbalanced_journal_is_refused,
    ledger::journals_under_concurrency_lose_nothing,
    ledger::ledger_totals_stay_zero,
    ledger::postings_need_an_account_of_their_currency,
    pages::a_list_leaves_out_accounts_that_are_not_open,
    pages::an_entry_arriving_between_pages_is_neither_skipped_nor_repeated,
    pages::backward_pages_mirror_forward_pages,
    pages::bounds_are_inclusive_and_sides_are_told_apart,
    pages::equal_times_are_ordered_by_id,
    pages::spans_reach_from_the_first_to_the_last_entry,
    quarantine::quarantined_work_is_left_out_until_it_is_let_go,
    quarantine::work_is_quarantined_once_and_numbered_for_ever,
    reset::a_new_beginning_is_whole_or_not_at_all,
    reset::what_happened_is_forgotten_and_can_happen_again,
    reset::writers_come_before_or_after_a_new_beginning,
    rows::what_is_stored_is_what_is_read,
    rows::changes_of_a_customer_lose_none,
    rows::changes_of_an_account_lose_none,
    rows::a_duplicate_is_told_by_its_table,
    transactions::one_query_is_one_query,
    transactions::writing_in_a_read_fails,
    transactions::rollback_leaves_nothing,
}

/// A separate store on SQLite.
fn temporary() -> BankStore {
    open_bank_store(temporary_with(&[&SCHEMA], "").unwrap())
}
