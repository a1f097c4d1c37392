//! Chooses the process that executes a command. If a server runs on the same data, the command is sent to its ops listener.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::config::Config;
use crate::server::{Endpoints, Operator, Overrides, open_operator};

/// The process that executes a command.
pub(super) enum CommandTarget {
    /// The running server, called on its ops listener.
    RunningServer(String),
    /// This process, because no server runs.
    Local(Box<Operator>),
}

impl CommandTarget {
    /// Returns the running server of the installation, or this process if no server runs.
    pub(super) async fn select(place: &InstallationArguments) -> Result<Self, CommandError> {
        let config: Config = place.load()?;
        Ok(match Endpoints::of_running(&config.data_dir).await {
            Some(endpoints) => Self::RunningServer(endpoints.ops),
            None => Self::Local(Box::new(open_operator(&config, Overrides::system()).await?)),
        })
    }
}
