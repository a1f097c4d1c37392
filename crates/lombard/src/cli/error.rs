//! The errors of commands.

use super::events::VerifyError;
use crate::config::Problems;
use crate::ops_client::OpsError;
use crate::server::StartError;
use crate::telemetry::TracesError;
use crate::tour::TourError;
use lombard_connector::ConnectorError;
use lombard_ops::OperationError;
use lombard_ports::controls::DataFileFault;
use lombard_tpp::TppError;
use std::fmt::Write;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use tracing_subscriber::util::TryInitError;

/// The exit status of a comparison that has listed something.
const LISTED: u8 = 2;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error(transparent)]
    Config(#[from] Problems),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Ops(#[from] OpsError),
    #[error(transparent)]
    Operation(#[from] OperationError),
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    #[error("{}", faults_of_file(.0))]
    Faulty(Vec<DataFileFault>),
    #[error(transparent)]
    Tour(#[from] TourError),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error("no server runs on the data in {}: the log of requests is in the memory of a running server", .0.display())]
    NoServer(PathBuf),
    #[error("no server runs on the data in {}: a sandbox is saved and loaded while it runs", .0.display())]
    NoSandbox(PathBuf),
    #[error("no server runs on the data in {}: access is ended by a running server, which tells the TPP", .0.display())]
    NoServerToRevoke(PathBuf),
    #[error("no recorded request has this x-fapi-interaction-id, and no recorded error this Id")]
    NoRecordedRequest,
    #[error("the runtime cannot be started")]
    Runtime(#[source] io::Error),
    #[error("signals cannot be received")]
    Signals(#[source] io::Error),
    #[error("the running server's answer cannot be read")]
    Answer(#[from] serde_json::Error),
    #[error("{}: {}", .0.display(), .1)]
    CoreFile(PathBuf, String),
    #[error(transparent)]
    Connector(#[from] ConnectorError),
    #[error("{0} difference(s) are left to do")]
    NotReconciled(usize),
    #[error("the audit log is not sound: {0} fault(s)")]
    AuditFaulty(usize),
    #[error("the core breaks {0} promises")]
    BrokenPromises(usize),
    #[error(transparent)]
    Tpp(#[from] TppError),
    #[error("no temporary folder can be made")]
    TemporaryFolder(#[source] io::Error),
    #[error("an ephemeral server is a sandbox, but mode is production")]
    EphemeralProduction,
    #[error("log lines cannot be written")]
    Logging(#[from] TryInitError),
    #[error(transparent)]
    Traces(#[from] TracesError),
}

impl CommandError {
    /// The exit status: 2 if a comparison of orders has listed something, or entries of the audit log have faults, so that scripts can tell it
    /// from a failure.
    pub(super) fn exit_code(&self) -> ExitCode {
        if matches!(self, Self::NotReconciled(_) | Self::AuditFaulty(_)) {
            ExitCode::from(LISTED)
        } else {
            ExitCode::FAILURE
        }
    }
}

/// Formats the faults of a data file, one per line.
fn faults_of_file(faults: &[DataFileFault]) -> String {
    let mut text = "nothing was stored, because the file has faults:".to_owned();
    for fault in faults {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n  {fault}");
    }
    text
}
