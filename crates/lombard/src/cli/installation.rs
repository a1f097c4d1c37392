//! Selects and loads the installation on which a command works.

use super::ephemeral::ephemeral_sources;
use super::error::CommandError;
use crate::config::{Config, Mode, Sources};
use crate::server::{DatabaseCheck, EmbeddedCore, Preflight, check_installation};
use clap::Args;
use lombard_ports::clock::Clocks;
use std::path::{Path, PathBuf};

/// The arguments that select an installation.
#[derive(Debug, Clone, Args)]
pub(super) struct InstallationArguments {
    /// The configuration file (TOML). Without one, the default settings give a sandbox.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder for all files of Lombard.
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,
}

/// The `--data` option that a printed command needs for this data folder: empty for the default folder.
pub(super) fn data_option(folder: &Path) -> String {
    if folder.as_os_str() == "data" { String::new() } else { format!(" --data {}", folder.display()) }
}

impl InstallationArguments {
    /// The `--data` option that a printed command needs for this installation.
    pub(super) fn data_option(&self) -> String {
        data_option(&self.data)
    }

    /// Loads the configuration of the installation.
    pub(super) fn load(&self) -> Result<Config, CommandError> {
        let config = Config::load(&Sources::of_process(self.config.clone()))?;
        Ok(Config { data_dir: self.data.clone(), ..config })
    }

    /// Runs the checks before a start and returns the installation.
    pub(super) async fn check(&self, database: DatabaseCheck) -> Result<Preflight, CommandError> {
        check_sources(&Sources::of_process(self.config.clone()), &self.data, database).await
    }

    /// Runs the checks for an ephemeral sandbox in this folder.
    pub(super) async fn check_ephemeral(&self, folder: &Path) -> Result<Preflight, CommandError> {
        let sources = ephemeral_sources(Sources::of_process(self.config.clone()));
        // Production would refuse the database of an ephemeral sandbox, which no setting can change.
        if Config::read_mode(&sources)? == Mode::Production {
            return Err(CommandError::EphemeralProduction);
        }
        check_sources(&sources, folder, DatabaseCheck::Never).await
    }
}

async fn check_sources(sources: &Sources, data: &Path, database: DatabaseCheck) -> Result<Preflight, CommandError> {
    let now = Clocks::system().wall_now();
    Ok(check_installation(sources, data.to_owned(), now, database, EmbeddedCore::Absent).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::testing::write_secret;

    #[tokio::test]
    async fn an_ephemeral_production_is_refused_for_its_mode_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lombard.toml");
        write_secret(&file, "mode = \"production\"\n");
        let installation = InstallationArguments { config: Some(file), data: folder.path().to_owned() };
        let refused = installation.check_ephemeral(folder.path()).await;
        assert!(matches!(refused, Err(CommandError::EphemeralProduction)), "{refused:?}");
    }
}
