//! Why a server does not start: each names the setting and how to mend it.

use lombard_auth::keys::KeysError;
use lombard_http::listener::tls::TlsError;
use lombard_ports::store::StoreError;
use lombard_sandbox::seed::SeedError;
use lombard_sandbox::trust::TrustError;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// What a program without a core says of a configuration that asks for one.
pub(super) const NO_CORE: &str = "is `embedded`, but this program brings no core: set bank.kind and identity.kind to `builtin` in a \
    sandbox, or start the server from the program that has the core";

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory cannot be used.
    #[error("{path} cannot be used: give another folder with --data, or its owner's rights to this one")]
    Folder {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Another server runs on the same data.
    #[error("a server (process {pid}) is running on {path}: stop it, or give another folder with --data")]
    Running {
        /// The data directory.
        path: PathBuf,
        /// Its process.
        pid: u32,
    },
    /// A port is taken.
    #[error("{address} cannot be listened on: set {setting} to a free port, or to 0 to have one picked")]
    Bind {
        /// The setting.
        setting: &'static str,
        /// The address.
        address: SocketAddr,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// A bound socket has no address.
    #[error("a listener's address cannot be read")]
    Socket(#[source] io::Error),
    /// The configuration asks for a core that this program does not bring.
    #[error("bank.kind {}", NO_CORE)]
    NoCore,
    /// A file named by a setting cannot be used.
    #[error("{setting}: {path} {reason}")]
    File {
        /// The setting.
        setting: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The database cannot be used.
    #[error("the database cannot be used: see database.url (lombard config show)")]
    Store(#[from] StoreError),
    /// The database is not at this program's schema, and production does not migrate by itself.
    #[error(
        "the database is not migrated: it lacks {count} of this program's migrations, the first of them {first}; run \
         `lombard migrate` with this configuration first"
    )]
    NotMigrated {
        /// How many migrations it lacks.
        count: usize,
        /// The oldest of them.
        first: String,
    },
    /// What is sealed in the database was sealed with another key.
    #[error(
        "the database was sealed with another key: point signing.key_encryption_key_file to the one it was made with \
         (in a sandbox: private/key-encryption.key of the data folder it was made with)"
    )]
    Sealed,
    /// The signing keys cannot be used.
    #[error(transparent)]
    Keys(#[from] KeysError),
    /// A key could not be made.
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
    /// What production does not allow, all of it.
    #[error("production does not start on this data:\n  {}", .0.join("\n  "))]
    NotForProduction(Vec<String>),
    /// A sandbox must not touch a bank's data.
    #[error("the database belongs to a bank in production: a sandbox does not start on it; see database.url and mode")]
    NotForSandbox,
    /// Metrics cannot be collected.
    #[error("metrics cannot be collected")]
    Metrics(#[source] metrics_exporter_prometheus::BuildError),
    /// A thread that worked for the start ended before its time.
    #[error("starting was interrupted")]
    Interrupted,
}

impl StartError {
    /// A file that a setting names cannot be used.
    pub(super) fn unusable_file(setting: &'static str, path: &Path, reason: impl Into<String>) -> Self {
        Self::File { setting, path: path.to_owned(), reason: reason.into() }
    }
}
