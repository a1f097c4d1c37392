//! The errors of the client of the ops listener.

use lombard_ports::controls::DataFileFault;
use std::io;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum OpsError {
    /// The server cannot be reached.
    #[error("the running server cannot be reached at {ops}")]
    Unreachable {
        /// The address of the server's ops listener.
        ops: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The identity of the person who calls cannot be read.
    #[error("{setting}: {reason}")]
    Identity {
        /// The setting, or the file, that names the identity.
        setting: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The server refused the operation for this reason.
    #[error("{0}")]
    Refused(String),
    /// The server does not have this operation; operations of a sandbox are absent in production.
    #[error("the running server does not offer this operation")]
    NoSuchOperation,
    /// The data file has faults.
    #[error("the file has faults; nothing of it was stored")]
    Faulty(Vec<DataFileFault>),
}
