//! The installation that a command is about.

use super::error::CommandError;
use crate::config::{Config, Sources};
use crate::server::{DatabaseCheck, EmbeddedCore, Preflight, check_installation};
use clap::Args;
use lombard_ports::clock::Clocks;
use std::path::PathBuf;

/// Which installation a command is about.
#[derive(Debug, Clone, Args)]
pub(super) struct InstallationArguments {
    /// The configuration file (TOML); without one, the defaults make a sandbox.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder for everything Lombard keeps in files.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

impl InstallationArguments {
    /// Its configuration.
    pub(super) fn load(&self) -> Result<Config, CommandError> {
        let config = Config::load(&Sources::of_process(self.config.clone()))?;
        Ok(Config { data_dir: self.data.clone(), ..config })
    }

    /// The installation, after everything that can be looked at before a start.
    pub(super) async fn check(&self, database: DatabaseCheck) -> Result<Preflight, CommandError> {
        let (sources, now) = (Sources::of_process(self.config.clone()), Clocks::system().wall_now());
        Ok(check_installation(&sources, self.data.clone(), now, database, EmbeddedCore::Absent).await?)
    }
}
