#![doc = include_str!("../README.md")]

mod copies;
mod database;
pub mod document;
mod driver;
mod effects;
mod engine;
mod exported;
mod metrics;
mod migrations;
mod options;
mod plan;
mod postgres;
pub mod quarantine;
pub mod readable;
mod retry;
pub mod session;
pub mod settings;
mod sql_text;
mod sqlite;
pub mod statement;
mod stored_data;
#[cfg(feature = "testing")]
pub mod testing;
mod traffic;
pub mod value;

pub use copies::TableCopies;
pub use database::{Database, admitted_connections, is_temporary, migrate_store, pending_migrations, plan_migrations};
pub use effects::TableLock;
pub use engine::{PoolUse, SingleStatements};
pub use exported::read_exported;
pub use migrations::{EarlierHistory, Migration, Schema};
pub use options::{StoreOptions, StoreTimeouts};
pub use plan::{MigrationPlan, PlannedDuration, PlannedLock, PlannedMigration, PlannedStep};
pub use postgres::{PostgresUrl, UrlFault};
pub use session::{Query, SqlTransaction, Work};
pub use stored_data::{Erasure, Personal, StoredData};
pub use traffic::DatabaseTraffic;

/// Re-exports for the code that this crate's macros generate in other crates.
#[doc(hidden)]
pub mod ports {
    pub use jiff::Timestamp;
    pub use lombard_ports::store::{
        FailedWork, QuarantineStore, QuarantinedWork, SettingStore, Source, StoreError, WorkKind,
    };
}
