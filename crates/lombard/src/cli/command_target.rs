//! Chooses the process that executes a command. If a server runs on the same data, the command is sent to its ops listener.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::config::Config;
use crate::ops_client::OpsClient;
use crate::server::{Endpoints, Operator, Overrides, command_act, open_operator};
use crate::telemetry;
use lombard_domain::operator_changes::{ChangeReason, REASON_CHARS_MAX};
use lombard_domain::staff::StaffAct;
use lombard_ops::OperationError;

/// The process that executes a command.
pub(super) enum CommandTarget {
    /// The running server, called on its ops listener.
    RunningServer(OpsClient),
    /// This process, because no server runs.
    Local(Box<Operator>),
}

impl CommandTarget {
    /// Returns the running server of the installation, or this process if no server runs.
    pub(super) async fn select(place: &InstallationArguments) -> Result<Self, CommandError> {
        let config: Config = place.load()?;
        Ok(match Endpoints::of_running(&config.data_dir).await {
            Some(endpoints) => Self::RunningServer(OpsClient::of_installation(&config, &endpoints.ops)?),
            None => Self::Local(Box::new(open_operator(&config, Overrides::system()).await?)),
        })
    }
}

/// The act that a command on the database is. This process writes its audit line, so logging starts.
pub(super) fn local_act(place: &InstallationArguments, reason: Option<&str>) -> Result<StaffAct, CommandError> {
    let reason = reason.map(|text| {
        let fault = || OperationError::Refused(format!("A reason is one line of 1 to {REASON_CHARS_MAX} characters."));
        ChangeReason::parse(text).ok_or_else(fault)
    });
    // Another command of this process may already have started logging.
    let _ = telemetry::start_logging(&place.load()?.telemetry);
    Ok(command_act(reason.transpose()?))
}
