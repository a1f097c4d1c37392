//! The checks before a server starts: the settings, the files they name and, on request, the database, the security module and the
//! directories.
//!
//! `lombard serve` and `lombard config check` run the same checks, so both refuse the same configurations. The checks change nothing.

mod connections;
mod machine;

pub(crate) use machine::raise_descriptor_limit;

use super::core;
use super::core_services::{DatabaseFile, require_migrated, store_options};
use super::error::NO_CORE;
use crate::config::{BankKind, Config, Problem, Problems, Sources};
use crate::output::with_causes;
use jiff::Timestamp;
use lombard_ports::store::StoreError;
use std::error::Error;
use std::path::PathBuf;

/// The modes in which the database is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseCheck {
    /// The database is never checked, and the network is not used.
    Never,
    /// The database is checked in production only, because a sandbox creates its database at the start.
    InProduction,
    /// The database is checked in both modes, and everything else that the settings refer to is tried too.
    Always,
}

/// Whether the program embeds its own core, which `bank.kind = "embedded"` requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbeddedCore {
    /// The program embeds no core, like the `lombard` program itself.
    Absent,
    /// The program passes a core in [`Overrides::core`](super::Overrides).
    Present,
}

/// An installation that passed the checks.
#[derive(Debug)]
pub struct Preflight {
    /// The configuration of the installation.
    pub config: Config,
    /// The migrations that the database lacks, if it was checked. In production none may be missing.
    pub pending_migrations: Option<Vec<String>>,
    /// What an operator should know, each with its setting: the installation can be used in spite of it.
    pub advice: Vec<Problem>,
}

/// Reads the configuration of an installation in this folder and checks its files and, on request, its database.
///
/// # Errors
/// All faults that were found.
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
    // Not at a start: a node starts while a directory or the security module is away, and a wrong PIN that is tried at each restart would
    // lock the module.
    if database == DatabaseCheck::Always && problems.is_empty() {
        connections::check(&config, pending_migrations.as_deref(), &mut problems).await;
    }
    if !problems.is_empty() {
        return Err(Problems::new(problems));
    }
    // A database that was not looked at is not asked how many connections it admits either.
    let admitted = if pending_migrations.is_some() && !config.is_sandbox() {
        machine::admitted_connections(&config).await
    } else {
        None
    };
    let mut advice = config.advice();
    advice.extend(machine::advice(&config, admitted));
    Ok(Preflight { config, pending_migrations, advice })
}

/// Whether the configuration names a database. Production has no default database.
fn names_database(config: &Config) -> bool {
    config.is_sandbox() || config.database.url.is_some() || config.database.url_file.is_some()
}

/// Checks the database and returns the migrations that it lacks, if it is usable.
async fn look_at_database(config: &Config, problems: &mut Vec<Problem>) -> Option<Vec<String>> {
    let setting = if config.database.url_file.is_some() { "database.url_file" } else { "database.url" };
    // A file without a valid URL was reported before.
    let options = store_options(config, DatabaseFile::Server).ok()?;
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

/// The message for an unusable database, with the engine's error.
fn unusable(error: &StoreError) -> String {
    let cause = error.source().map_or_else(|| error.to_string(), with_causes);
    format!("the database cannot be used; see that it runs and that this is its address: {cause}")
}
