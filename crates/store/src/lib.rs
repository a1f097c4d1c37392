#![doc = include_str!("../README.md")]

mod attempts;
mod audit;
mod backchannel;
mod clients;
mod connections;
mod consents;
#[cfg(test)]
mod contract;
mod customer_records;
mod decision_evidence;
mod direct_writes;
mod events;
mod file_lines;
mod form_answers;
mod funds;
mod grant_rows;
mod grants;
mod idempotency;
mod in_list;
mod interactions;
mod jobs;
mod key_sets;
mod keys;
mod maintenance;
mod operator_changes;
mod order_lists;
mod order_payments;
mod order_rows;
mod orders;
mod payment_files;
mod portal;
mod provider_logins;
mod purge;
mod pushed;
mod records;
mod replays;
mod reset;
mod retention;
mod rows;
mod sessions;
mod staff;
mod stored_data;
mod support;
#[cfg(test)]
mod tests;
mod tokens;
mod vrp_usage;

pub use rows::{Rows, on_database, on_database_of_node};
pub use stored_data::STORED_DATA;

use lombard_database::Schema;

/// The server's quarantined work.
mod quarantine {
    lombard_database::quarantine! { "quarantined_work", crate::Rows<'_, '_> }
}

/// Settings of the installation that all nodes share.
mod settings {
    lombard_database::settings_table! { "settings", crate::Rows<'_, '_> }
}

/// The server's tables and their history.
pub static SCHEMA: Schema = Schema {
    history: "schema_migrations",
    // The missing numbers are migrations that now belong to the built-in bank's schema.
    migrations: lombard_database::migrations! {
        1 "0001_clients_and_consents",
        2 "0002_grants_and_journeys",
        3 "0003_keys_events_and_jobs",
        5 "0005_pushed_requests",
        6 "0006_attempts_and_sessions",
        7 "0007_client_jwks_url",
        8 "0008_event_queue",
        11 "0011_payment_orders",
        14 "0014_funds_confirmations",
        15 "0015_files_and_recurring_payments",
        17 "0017_address_attempts",
        18 "0018_funds_questions",
        19 "0019_upload_quotas",
        20 "0020_events_by_report",
        21 "0021_causes_of_orders",
        22 "0022_quarantine",
        23 "0023_consent_status_reasons",
        24 "0024_authentication",
        25 "0025_provider_logins",
        26 "0026_core_states",
        27 "0027_backchannel_requests",
        28 "0028_operator_changes",
        29 "0029_registrations",
        30 "0030_security_profiles",
        31 "0031_key_origins",
        32 "0032_portal",
        33 "0033_orders_by_psu",
        34 "0034_decision_evidence",
        35 "0035_clients_by_organisation",
        36 "0036_form_answers",
        37 "0037_clients_directory",
        38 "0038_pending_registrations",
        39 "0039_signed_messages",
        40 "0040_undecided_consents_by_client",
        41 "0041_typ_of_signatures",
        42 "0042_expiry_events",
        43 "0043_unsettled_orders",
        44 "0044_unsettled_orders_filled",
        45 "0045_orders_by_due_and_creation",
        46 "0046_staff_sessions",
        47 "0047_maintenance_notices",
        48 "0048_audit",
        49 "0049_orders_by_references",
        50 "0050_customer_privacy",
        51 "0051_erased_orders",
        52 "0052_retention_indexes",
    },
    expands_after: 42,
    before: None,
};

/// Opens a temporary, migrated store on SQLite for the tests of other crates. It is removed with its last handle.
///
/// # Errors
/// [`StoreError::Unavailable`](lombard_ports::store::StoreError::Unavailable) if no temporary folder can be created.
#[cfg(any(test, feature = "testing"))]
pub async fn open_temporary_store() -> Result<lombard_ports::store::Store, lombard_ports::store::StoreError> {
    let options = lombard_database::StoreOptions::new("sqlite::memory:");
    Ok(on_database(lombard_database::Database::open(&options, &[&SCHEMA]).await?))
}
