//! The contract tests of the server's tables, run on every engine: one function for each property.
#![allow(clippy::disallowed_methods, reason = "no bank is informed of the consents of these tests")]

mod audit;
mod backchannel;
mod clients;
mod consents;
mod events;
mod executions;
mod funds;
pub(crate) mod grants;
pub(crate) mod known_orders;
mod maintenance;
mod order_lists;
mod orders;
mod payment_files;
mod payments;
mod people;
mod properties_of_usage;
mod quarantine;
mod queues;
mod reset;
mod retention;
pub(crate) mod round_trips;
mod rows;
mod samples;
mod samples_of_instructions;
mod samples_of_payments;
mod support;
mod transactions;
mod vrp_usage;

use lombard_ports::store::{Store, StoreError};

lombard_database::keep_on_both_engines! { crate::SCHEMA, crate::on_database =>
    audit::a_record_is_kept_with_what_it_tells_of,
    audit::entries_read_back_and_are_found_by_what_they_tell,
    audit::chains_read_back_until_they_are_named,
    audit::transactions_that_seal_wait_for_each_other,
    backchannel::a_backchannel_request_is_known_by_its_hash,
    backchannel::a_grant_that_was_never_fetched_is_purged_with_its_request,
    backchannel::claimants_of_jobs_about_requests_are_disjoint,
    backchannel::jobs_of_one_client_leave_room_for_those_of_others,
    backchannel::live_backchannel_requests_are_found_and_counted,
    clients::active_clients_are_found_by_organisation_and_software,
    clients::clients_are_found_by_id_and_by_name,
    clients::clients_are_listed_page_by_page,
    clients::events_of_deleted_clients_are_dropped,
    clients::only_an_active_client_may_act,
    clients::registrations_at_once_never_pass_the_limit_of_their_software,
    clients::the_consents_of_a_client_are_found_page_by_page,
    retention::pis_026_unauthorised_consents_are_purged_after_their_time,
    retention::ended_consents_are_purged_with_what_belongs_to_them,
    retention::open_orders_and_customers_on_hold_are_not_purged,
    retention::files_of_ended_orders_are_purged_after_their_time,
    retention::an_export_has_the_rows_of_one_customer,
    retention::an_erasure_leaves_rows_under_a_pseudonym,
    clients::the_latest_key_set_of_an_address_is_kept,
    clients::what_operators_changed_is_what_was_stored_last,
    maintenance::a_notice_reads_back_and_is_replaced_by_its_id,
    maintenance::notices_that_are_over_are_listed_for_a_time,
    maintenance::windows_are_those_that_stop_the_service_in_a_period,
    maintenance::acts_on_notices_wait_for_each_other,
    consents::a_deleted_consent_is_absent,
    consents::undecided_consents_are_counted_by_client_and_age,
    consents::consents_are_found_by_the_account_they_share,
    consents::foreign_is_told_from_absent,
    consents::an_id_no_row_can_have_is_absent,
    consents::every_instant_of_a_consent_reads_back,
    consents::an_account_keeps_its_alias_and_an_alias_its_account,
    consents::customers_who_select_an_account_at_once_give_it_one_alias,
    consents::what_was_shown_before_decisions_is_kept_newest_first,
    consents::a_stale_consent_cannot_overwrite_a_newer_one,
    consents::the_accounts_of_a_consent_are_those_stored_last,
    consents::the_reason_for_a_status_is_stored_with_it,
    consents::what_a_core_sets_on_a_consent_reads_back,
    consents::the_event_of_an_expiry_is_recorded_once_for_each_end,
    orders::orders_are_read_with_what_they_stand_on,
    orders::what_a_core_sets_on_an_order_reads_back,
    consents::the_newest_consent_is_the_last_one_made,
    consents::a_vrp_consent_is_stored_in_the_form_of_a_newer_version,
    events::a_clients_events_are_listed_for_it_alone,
    events::a_report_is_noted_and_parks_only_at_a_limit,
    events::a_reported_event_waits_behind_those_reported_less,
    events::a_signature_is_kept_while_its_key_is_published,
    events::a_signature_is_kept_for_polls_that_need_its_typ,
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
    known_orders::a_consent_that_has_changed_is_found_by_whoever_knew_it_before,
    known_orders::a_key_in_use_is_found_by_whoever_took_it_for_free,
    known_orders::a_clock_that_has_moved_is_found_by_whoever_knew_it_before,
    known_orders::of_orders_at_once_under_one_consent_one_is_placed,
    known_orders::a_consent_is_created_once_by_a_key,
    grants::a_code_is_redeemed_once_under_concurrency,
    grants::a_grant_ends_the_earlier_ones_of_its_consent,
    grants::a_one_time_value_is_claimed_once,
    grants::a_one_time_value_is_spent_by_a_client_as_it_was_read,
    grants::of_many_one_time_values_each_is_judged_by_itself,
    grants::of_many_tokens_that_are_issued_at_once_each_is_judged_by_itself,
    grants::a_pushed_request_is_kept_until_it_ends,
    grants::a_token_is_found_with_all_it_stands_on,
    grants::a_token_without_its_client_is_absent,
    grants::epochs_move_with_every_revocation,
    grants::revoking_a_grant_ends_its_tokens_and_codes,
    grants::what_ended_is_purged_and_a_grant_with_its_last_token,
    order_lists::orders_are_listed_by_creation_and_by_when_they_were_due,
    order_lists::orders_that_wait_for_the_bank_are_counted_by_age,
    order_lists::the_number_of_applied_updates_can_be_set_back,
    order_lists::existing_orders_and_jobs_are_told_from_others,
    orders::a_consent_is_used_up_by_one_order,
    orders::orders_of_a_customer_are_listed_newest_first,
    orders::foreign_orders_are_told_from_absent,
    orders::status_updates_of_an_order_are_applied_once,
    orders::orders_lapse_when_their_time_is_over,
    orders::orders_of_a_reused_consent_are_listed_newest_first,
    orders::orders_under_concurrency_lose_no_update,
    orders::orders_wait_for_those_who_must_agree,
    payment_files::a_file_comes_back_piece_by_piece,
    payment_files::a_large_upload_is_removed_part_by_part,
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
    people::a_form_is_claimed_once_and_its_answer_kept_for_a_while,
    people::customers_added_at_once_never_exceed_a_clients_share,
    people::links_and_sessions_of_the_portal_are_known_by_their_secrets,
    people::sessions_of_staff_are_known_by_their_secrets,
    people::the_answer_of_a_provider_login_is_taken_once,
    support::orders_are_found_by_their_references,
    support::consents_are_found_by_their_customer,
    support::a_job_is_found_until_it_is_finished,
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
    transactions::a_transaction_nobody_waits_for_still_runs,
    transactions::concurrent_writers_lose_no_update,
    transactions::optimistic_writers_lose_no_update,
    transactions::rollback_leaves_no_event,
    transactions::one_query_is_one_query,
    transactions::writing_in_a_read_fails,
    vrp_usage::a_payment_that_was_given_up_counts_nothing,
    vrp_usage::payments_at_once_never_share_what_is_left,
    vrp_usage::what_was_never_counted_cannot_be_given_back,
    vrp_usage::what_was_paid_is_counted_by_consent_and_period,
}

/// Adds two events to a client's queue.
pub(crate) async fn append(store: &Store, client: &str) {
    let events = [format!("{client}-1"), format!("{client}-2")].map(|id| samples::event(&id, client, 1));
    samples::write(store, move |tx| tx.events_append(&events)).await;
}

/// Adds an event and rolls back.
pub(crate) async fn append_and_roll_back(store: &Store, client: &str) {
    let event = samples::event(client, client, 1);
    let outcome: Result<(), StoreError> = store
        .write(move |tx| {
            tx.events_append(std::slice::from_ref(&event))?;
            Err(StoreError::Contended)
        })
        .await;
    assert!(outcome.is_err());
}
