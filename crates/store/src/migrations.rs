//! The schema's history: the same numbers and names on both engines, in files of their own, embedded in the program.
//!
//! Which of them a database has is kept in its table `schema_migrations`. Nothing here touches a database; the engines do.

use lombard_ports::store::StoreError;

/// One step of the schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    pub(crate) number: i64,
    pub(crate) name: &'static str,
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

macro_rules! migrations {
    ($($number:literal $name:literal,)+) => {
        &[$(Migration {
            number: $number,
            name: $name,
            sqlite: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        },)+]
    };
}

/// Every migration, oldest first. A published migration never changes; add one instead.
pub(crate) const MIGRATIONS: &[Migration] = migrations! {
    1 "0001_clients_and_consents",
    2 "0002_grants_and_journeys",
    3 "0003_keys_events_and_jobs",
    4 "0004_ledger",
    5 "0005_pushed_requests",
    6 "0006_attempts_and_sessions",
    7 "0007_client_jwks_url",
    8 "0008_event_queue",
    9 "0009_arrangements_and_statements",
    10 "0010_bank_diary",
    11 "0011_payment_orders",
    12 "0012_bank_orders",
    13 "0013_account_authorisers",
    14 "0014_funds_confirmations",
    15 "0015_files_and_recurring_payments",
    16 "0016_entries_booked_by_time",
    17 "0017_address_attempts",
    18 "0018_funds_questions",
    19 "0019_upload_quotas",
    20 "0020_events_by_report",
    21 "0021_causes_of_orders",
    22 "0022_quarantine",
};

/// A migration a database says it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) number: i64,
    pub(crate) checksum: String,
}

/// Recognises an edited file. It guards against mistakes, not against malice.
pub(crate) fn checksum(text: &str) -> String {
    // FNV-1a, 64 bits.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// What is still to be applied to a database that has these migrations.
///
/// # Errors
/// [`StoreError::Unavailable`] with a sentence for the operator when the database is newer than this program, or was
/// built from other files.
pub(crate) fn pending(
    applied: &[Applied],
    text: impl Fn(&Migration) -> &'static str,
) -> Result<Vec<Migration>, StoreError> {
    for have in applied {
        let Some(known) = MIGRATIONS.iter().find(|known| known.number == have.number) else {
            return Err(refusal(format!(
                "the database has migration {} but this program knows only {}: it was used by a newer version of \
                 Lombard. Start that version, or restore a copy of the database made before the upgrade.",
                have.number,
                MIGRATIONS.len(),
            )));
        };
        if checksum(text(known)) != have.checksum {
            return Err(refusal(format!(
                "migration {} of the database is not the one of this program. Was a published migration edited?",
                known.name,
            )));
        }
    }
    let missing = |known: &&Migration| !applied.iter().any(|have| have.number == known.number);
    Ok(MIGRATIONS.iter().filter(missing).copied().collect())
}

/// What operators know migrations by.
pub(crate) fn names(migrations: &[Migration]) -> Vec<String> {
    migrations.iter().map(|migration| migration.name.to_owned()).collect()
}

/// Checks that a database has every migration of this program.
///
/// # Errors
/// As [`pending`], and when something is still to be applied.
pub(crate) fn require_all(applied: &[Applied], text: impl Fn(&Migration) -> &'static str) -> Result<(), StoreError> {
    match pending(applied, text)?.first() {
        None => Ok(()),
        Some(first) => Err(refusal(format!("the database lacks migration {}: run `lombard migrate`.", first.name))),
    }
}

fn refusal(message: String) -> StoreError {
    StoreError::Unavailable(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Applied> {
        MIGRATIONS.iter().map(|it| Applied { number: it.number, checksum: checksum(it.sqlite) }).collect()
    }

    #[test]
    fn numbers_count_up_and_names_carry_them() {
        for (number, migration) in (1..).zip(MIGRATIONS) {
            assert_eq!(migration.number, number);
            assert!(migration.name.starts_with(&format!("{number:04}_")), "{}", migration.name);
        }
    }

    #[test]
    fn only_what_is_missing_is_pending() {
        assert_eq!(pending(&[], |it| it.sqlite).unwrap().len(), MIGRATIONS.len());
        assert_eq!(pending(&all()[..1], |it| it.sqlite).unwrap()[0].number, 2);
        assert!(require_all(&all(), |it| it.sqlite).is_ok());
        assert!(require_all(&all()[..1], |it| it.sqlite).is_err());
    }

    #[test]
    fn a_newer_database_and_an_edited_file_are_refused() {
        let mut newer = all();
        newer.push(Applied { number: 9_999, checksum: String::new() });
        assert!(pending(&newer, |it| it.sqlite).is_err());
        let mut edited = all();
        edited[0].checksum.push('x');
        assert!(pending(&edited, |it| it.sqlite).is_err());
    }
}
