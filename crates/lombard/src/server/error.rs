//! Start errors. Each names the setting and the remedy.

use lombard_auth::keys::KeysError;
use lombard_edge::listener::tls::TlsError;
use lombard_ports::controls::ControlError;
use lombard_ports::store::StoreError;
use lombard_sandbox::seed::SeedError;
use lombard_sandbox::trust::TrustError;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The message for a configured embedded core in a program without one.
pub(super) const NO_CORE: &str = "is `embedded`, but this program brings no core: set bank.kind and identity.kind to `builtin` in a \
    sandbox, or start the server from the program that has the core";

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory cannot be used.
    #[error("{path} cannot be used: give another folder with --data, or its owner's rights to this one")]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// Another server is running on the same data.
    #[error("a server (process {pid}) is running on {path}: stop it, or give another folder with --data")]
    Running {
        /// The data directory.
        path: PathBuf,
        /// The process id of that server.
        pid: u32,
    },
    /// Another process of the built-in bank is running on the same data.
    #[error("a bank is running on {path} at {url}: stop it, or give another folder with --data")]
    BankRunning {
        /// The data directory.
        path: PathBuf,
        /// The URL of that bank.
        url: String,
    },
    /// A port is in use.
    #[error(
        "{address} cannot be listened on: set {setting} (or the variable {}) to a free port, or to 0 to have one picked",
        crate::config::variable_of(.setting)
    )]
    Bind {
        /// The setting.
        setting: &'static str,
        /// The address.
        address: SocketAddr,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// A Unix socket cannot be listened on.
    #[error("{path} cannot be listened on: set {setting} to a path in a folder of this process where nothing else is")]
    BindUnix {
        /// The setting.
        setting: &'static str,
        /// The path.
        path: PathBuf,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// A bound socket has no address.
    #[error("a listener's address cannot be read")]
    Socket(#[source] io::Error),
    /// The configuration requires an embedded core, which this program does not have.
    #[error("bank.kind {}", NO_CORE)]
    NoCore,
    /// The connection to the core cannot be used.
    #[error("the connection to the core cannot be used: see bank.core_file, or the files that bank.url goes with")]
    Core(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file named by a setting cannot be used.
    #[error("{setting}: {path} {reason}")]
    File {
        /// The setting.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        reason: String,
    },
    /// The database cannot be used.
    #[error("the database cannot be used: see database.url or database.url_file (lombard config show)")]
    Store(#[from] StoreError),
    /// The database lacks migrations, and production does not migrate at start.
    #[error(
        "the database is not migrated: it lacks {count} of this program's migrations, the first of them {first}; run \
         `lombard migrate` with this configuration first"
    )]
    NotMigrated {
        /// The number of missing migrations.
        count: usize,
        /// The oldest missing migration.
        first: String,
    },
    /// The secrets in the database were encrypted with another key.
    #[error(
        "the database was sealed with another key: point signing.key_encryption_key_file, or \
         signing.other_key_encryption_key_files, to the one it was sealed with (in a sandbox: private/key-encryption.key of the data folder it was made with)"
    )]
    Sealed,
    /// The signing keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// A key could not be generated.
    #[error("a signing key could not be made")]
    Key(#[from] lombard_jose::KeyError),
    /// The sandbox's certificates cannot be used.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: see the settings of [tls]")]
    Tls(#[source] TlsError),
    /// Seeding failed.
    #[error("the sandbox's customers could not be made")]
    Seed(#[from] SeedError),
    /// The data contains objects that production does not allow; all are listed.
    #[error("production does not start on this data:\n  {}", .0.join("\n  "))]
    NotForProduction(Vec<String>),
    /// A sandbox must not use a production database.
    #[error(
        "the database belongs to a bank in production: a sandbox does not start on it; see mode, and database.url or database.url_file"
    )]
    NotForSandbox,
    /// The bank's clock cannot be read.
    #[error("the bank's clock cannot be read")]
    Clock(#[from] ControlError),
    /// Metrics cannot be collected.
    #[error("metrics cannot be collected")]
    Metrics(#[source] metrics_exporter_prometheus::BuildError),
    /// A thread of the start ended unexpectedly.
    #[error("starting was interrupted")]
    Interrupted,
}

impl StartError {
    /// The error for an unusable file named by a setting.
    pub(super) fn unusable_file(setting: &'static str, path: &Path, reason: impl Into<String>) -> Self {
        Self::File { setting, path: path.to_owned(), reason: reason.into() }
    }
}
