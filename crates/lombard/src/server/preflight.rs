//! What is looked at before a server starts: the settings, the files they name and, where asked for, the database.
//!
//! `lombard serve` and `lombard config check` share it: a configuration that the one refuses for what is looked at here,
//! the other refuses too. Nothing is changed.

use super::core;
use super::core_services::{require_migrated, store_options};
use super::error::NO_CORE;
use crate::config::{BankKind, Config, Problem, Problems, Sources};
use crate::output::with_causes;
use jiff::Timestamp;
use lombard_ports::store::StoreError;
use std::error::Error;
use std::path::PathBuf;

/// When the database is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseCheck {
    /// Never: the network is not used.
    Never,
    /// If this is production: a sandbox makes its database when it starts.
    InProduction,
    /// In both modes.
    Always,
}

/// Whether the program that starts the server brings a core of its own, which `bank.kind = "embedded"` needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddedCore {
    /// It does not, as the plain `lombard`.
    Absent,
    /// It does, in [`Overrides::core`](super::Overrides).
    Present,
}

/// An installation that a server can start on.
#[derive(Debug)]
pub struct Preflight {
    /// Its configuration.
    pub config: Config,
    /// The migrations that its database lacks, if that was looked at. Production lacks none.
    pub pending_migrations: Option<Vec<String>>,
}

/// Reads the configuration of an installation in this folder and looks at the files and, if so asked, at the database that
/// it names.
///
/// # Errors
/// Everything that is wrong, at once.
pub async fn check_installation(
    sources: &Sources,
    data_dir: PathBuf,
    now: Timestamp,
    database: DatabaseCheck,
    core: EmbeddedCore,
) -> Result<Preflight, Problems> {
    let (config, mut problems) = Config::examine(sources, data_dir, now)?;
    if config.bank.kind == BankKind::Embedded && core == EmbeddedCore::Absent {
        problems.push(Problem::new("bank.kind", NO_CORE));
    }
    let is_looked_at = match database {
        DatabaseCheck::Never => false,
        DatabaseCheck::InProduction => !config.is_sandbox(),
        DatabaseCheck::Always => true,
    };
    let pending_migrations =
        if is_looked_at && names_database(&config) { look_at_database(&config, &mut problems).await } else { None };
    if problems.is_empty() { Ok(Preflight { config, pending_migrations }) } else { Err(Problems::new(problems)) }
}

/// Whether there is a database to look at: in production none is taken for granted.
fn names_database(config: &Config) -> bool {
    config.is_sandbox() || config.database.url.is_some() || config.database.url_file.is_some()
}

/// The migrations that the database lacks, if it can be used.
async fn look_at_database(config: &Config, problems: &mut Vec<Problem>) -> Option<Vec<String>> {
    let setting = if config.database.url_file.is_some() { "database.url_file" } else { "database.url" };
    // A file that holds no URL was found before.
    let options = store_options(config).ok()?;
    match lombard_database::pending_migrations(&options, &core::schemas(config)).await {
        Ok(pending) => {
            if !config.is_sandbox()
                && let Err(error) = require_migrated(&pending)
            {
                problems.push(Problem::new(setting, error.to_string()));
            }
            Some(pending)
        }
        Err(error) => {
            problems.push(Problem::new(setting, unusable(&error)));
            None
        }
    }
}

/// Why the database cannot be used, with the words of the engine.
fn unusable(error: &StoreError) -> String {
    let cause = error.source().map_or_else(|| error.to_string(), with_causes);
    format!("the database cannot be used; see that it runs and that this is its address: {cause}")
}
