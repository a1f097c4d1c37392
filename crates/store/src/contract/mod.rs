//! The promises every storage engine keeps, one function each. A broken promise panics, as in any test.
//!
//! [`store_contract!`](crate::store_contract) hands the list of promises to a macro of the caller, which decides what
//! store each one runs on: a fresh, migrated, empty one.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    reason = "these are tests that other crates may run"
)]

pub mod arrangements;
pub mod bank_orders;
pub mod consents;
pub mod diary;
pub mod events;
pub mod executions;
pub mod funds;
pub mod grants;
pub mod ledger;
pub mod orders;
pub mod pages;
pub mod payment_files;
pub mod payments;
pub mod people;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod properties_of_usage;
pub mod quarantine;
pub mod queues;
pub mod reset;
pub mod rows;
mod samples;
mod samples_of_banking;
mod samples_of_instructions;
mod samples_of_payments;
pub mod transactions;
pub mod vrp_usage;

/// Calls `$run! { group::promise, … }` with every promise of [`contract`](crate::contract).
#[macro_export]
macro_rules! store_contract {
    ($run:ident) => {
        $run! {
            arrangements::a_period_is_closed_once,
            arrangements::a_statement_takes_the_entries_booked_until_its_end,
            arrangements::arrangements_are_kept_by_kind,
            arrangements::arrangements_page_by_account_and_id,
            arrangements::entries_of_a_statement_page,
            arrangements::statements_come_newest_first_and_wholly_inside,
            bank_orders::heard_news_are_gone,
            bank_orders::news_have_no_gaps_under_concurrency,
            bank_orders::news_never_overtake_those_of_their_order,
            bank_orders::news_say_what_happened,
            bank_orders::the_bank_takes_an_order_once,
            bank_orders::the_banks_orders_lose_no_update,
            bank_orders::what_the_bank_has_to_do_comes_earliest_first,
            consents::a_deleted_consent_is_absent,
            consents::consents_are_found_by_the_account_they_share,
            consents::foreign_is_told_from_absent,
            consents::an_id_no_row_can_have_is_absent,
            consents::every_instant_of_a_consent_reads_back,
            consents::an_account_keeps_its_alias_and_an_alias_its_account,
            consents::a_stale_consent_cannot_overwrite_a_newer_one,
            consents::the_accounts_of_a_consent_are_those_stored_last,
            consents::the_newest_consent_is_the_last_one_made,
            events::a_report_is_noted_and_parks_only_at_a_limit,
            events::a_reported_event_waits_behind_those_reported_less,
            events::a_signature_is_kept_while_its_key_is_published,
            events::a_signature_made_before_a_report_is_not_kept,
            events::an_acknowledged_event_is_gone_and_remembered,
            events::deliveries_may_be_limited,
            events::events_are_offered_by_turn_and_age,
            events::events_wait_without_end_unless_they_are_dropped,
            events::queues_are_measured_each_by_itself,
            events::events_of_others_are_as_unknown,
            events::old_events_are_dropped_a_batch_at_a_time,
            events::parked_events_can_be_offered_again,
            events::queues_can_be_trimmed_to_the_newest,
            events::scopes_can_narrow_a_queue,
            executions::payments_of_an_order_are_there_once,
            executions::payments_of_an_order_come_by_number,
            funds::a_reference_is_used_once_under_a_consent,
            funds::questions_at_once_count_each_up_to_the_most,
            funds::a_consent_to_ask_about_funds_survives_storage,
            diary::a_pending_entry_is_settled_once,
            diary::an_account_is_found_by_its_number,
            diary::postings_aside_are_those_of_the_entrys_journal,
            diary::what_is_due_comes_earliest_first,
            grants::a_code_is_redeemed_once_under_concurrency,
            grants::a_grant_ends_the_earlier_ones_of_its_consent,
            grants::a_one_time_value_is_claimed_once,
            grants::a_pushed_request_is_kept_until_it_ends,
            grants::a_token_without_its_client_is_absent,
            grants::epochs_move_with_every_revocation,
            grants::revoking_a_grant_ends_its_tokens_and_codes,
            grants::what_ended_is_purged_and_a_grant_with_its_last_token,
            ledger::a_cause_is_posted_once,
            ledger::accounts_come_in_the_order_asked_for,
            ledger::an_unbalanced_journal_is_refused,
            ledger::journals_under_concurrency_lose_nothing,
            ledger::ledger_totals_stay_zero,
            ledger::postings_need_an_account_of_their_currency,
            orders::a_consent_is_used_up_by_one_order,
            orders::foreign_orders_are_told_from_absent,
            orders::news_of_an_order_are_heard_once,
            orders::orders_lapse_when_their_time_is_over,
            orders::orders_under_concurrency_lose_no_update,
            orders::orders_wait_for_those_who_must_agree,
            pages::an_entry_arriving_between_pages_is_neither_skipped_nor_repeated,
            pages::backward_pages_mirror_forward_pages,
            pages::bounds_are_inclusive_and_sides_are_told_apart,
            pages::equal_times_are_ordered_by_id,
            pages::spans_reach_from_the_first_to_the_last_entry,
            payment_files::a_file_comes_back_piece_by_piece,
            payment_files::an_upload_is_kept_or_removed_and_never_half_of_it,
            payment_files::only_uploads_that_no_consent_took_are_removed,
            payment_files::payments_of_a_file_come_by_number,
            payment_files::uploads_at_once_never_share_what_is_left,
            payment_files::uploads_count_until_they_are_authorised,
            payment_files::uploads_of_consents_that_ended_are_found,
            payments::every_payment_consent_is_found_while_undecided,
            payments::payment_consents_are_found_while_undecided,
            payments::payments_survive_storage,
            people::a_session_is_known_by_its_secret_until_removed,
            people::an_address_is_known_for_the_users_it_failed_to_be,
            people::attempts_at_once_count_each,
            people::connections_are_the_psus_own,
            people::the_latest_use_is_kept,
            quarantine::quarantined_work_is_left_out_until_it_is_let_go,
            quarantine::work_is_quarantined_once_and_numbered_for_ever,
            queues::a_busy_key_makes_the_second_claimant_wait,
            queues::a_key_claimed_anew_survives_its_purge,
            queues::a_key_is_free_again_after_its_window,
            queues::a_key_replays_its_first_order,
            queues::a_key_with_another_body_is_a_mismatch,
            queues::a_lease_that_ended_is_claimed_again,
            queues::old_keys_are_purged_a_batch_at_a_time,
            queues::two_claimants_get_disjoint_jobs,
            reset::a_new_beginning_is_whole_or_not_at_all,
            reset::what_happened_is_forgotten_and_can_happen_again,
            reset::writers_come_before_or_after_a_new_beginning,
            rows::a_duplicate_is_told_by_its_table,
            rows::what_is_stored_is_what_is_read,
            transactions::a_failure_that_is_swallowed_commits_nothing,
            transactions::a_panicking_closure_harms_nobody,
            transactions::a_transaction_nobody_waits_for_still_runs,
            transactions::concurrent_writers_lose_no_update,
            transactions::optimistic_writers_lose_no_update,
            transactions::reads_see_a_snapshot,
            transactions::rollback_leaves_no_event,
            transactions::writing_in_a_read_fails,
            vrp_usage::a_payment_that_was_given_up_counts_nothing,
            vrp_usage::payments_at_once_never_share_what_is_left,
            vrp_usage::what_was_never_counted_cannot_be_given_back,
            vrp_usage::what_was_paid_is_counted_by_consent_and_period,
        }
    };
}

/// A journal written behind the port's back, to try to edit it there.
#[cfg(test)]
pub(crate) const POSTINGS: &str = "
    INSERT INTO ledger_accounts (id, currency, booked, pending) VALUES ('a', 'GBP', -5, 0), ('b', 'GBP', 5, 0);
    INSERT INTO journals (id, cause, booked_at) VALUES ('j', 'c', 0);
    INSERT INTO postings (journal_id, line, account_id, currency, layer, minor)
    VALUES ('j', 0, 'a', 'GBP', 'booked', -5), ('j', 1, 'b', 'GBP', 'booked', 5)";

/// Adds two events to a client's queue.
#[cfg(test)]
pub(crate) async fn append(store: &lombard_ports::store::Store, client: &str) {
    let events = [format!("{client}-1"), format!("{client}-2")].map(|id| samples::event(&id, client, 1));
    samples::write(store, move |tx| tx.events_append(&events)).await;
}

/// Adds an event and changes its mind.
#[cfg(test)]
pub(crate) async fn append_and_roll_back(store: &lombard_ports::store::Store, client: &str) {
    let event = samples::event(client, client, 1);
    let outcome: Result<(), lombard_ports::store::StoreError> = store
        .write(move |tx| {
            tx.events_append(std::slice::from_ref(&event))?;
            Err(lombard_ports::store::StoreError::Contended)
        })
        .await;
    assert!(outcome.is_err());
}
