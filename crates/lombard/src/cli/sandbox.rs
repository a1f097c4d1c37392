//! `lombard sandbox`: saves the running sandbox under a name, and restores a saved sandbox.

use super::columns::in_columns;
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::tpps::segment;
use crate::ops_client::{self, OpsClient, OpsError, OpsMethod};
use crate::output::print_line;
use crate::server::Endpoints;
use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::Value;

/// The path of snapshots on the ops listener.
const PATH: &str = "/sandbox/snapshots";

#[derive(Debug, Subcommand)]
pub(super) enum SandboxCommand {
    /// Save customers, accounts, consents, orders, events and the bank's clock under a name.
    Save(NamedSnapshot),
    /// Return the sandbox to what was saved under a name. What happened since is lost.
    Load(NamedSnapshot),
    /// List what was saved.
    List(InstallationArguments),
    /// Remove what was saved under a name.
    Delete(NamedSnapshot),
}

#[derive(Debug, Args)]
pub(super) struct NamedSnapshot {
    /// The name: 1 to 40 lower-case letters, digits and hyphens.
    name: String,
    #[command(flatten)]
    installation: InstallationArguments,
}

/// A snapshot as the ops listener shows it.
#[derive(Debug, Deserialize)]
struct ShownSnapshot {
    name: String,
    saved_at: String,
    clock: String,
}

#[derive(Debug, Deserialize)]
struct ShownSnapshots {
    snapshots: Vec<ShownSnapshot>,
}

pub(super) async fn run(command: SandboxCommand) -> Result<(), CommandError> {
    let (method, end, NamedSnapshot { name, installation }) = match command {
        SandboxCommand::List(place) => return list(&place).await,
        SandboxCommand::Save(named) => (OpsMethod::Put, "", named),
        SandboxCommand::Load(named) => (OpsMethod::Post, "/load", named),
        SandboxCommand::Delete(named) => (OpsMethod::Delete, "", named),
    };
    let path = format!("{PATH}/{}{end}", segment(&name));
    let answer = ops_client::send_operation(&running(&installation).await?, method, &path, &Value::Null).await;
    let ShownSnapshot { name, clock, .. } = serde_json::from_value(answer.map_err(only_in_a_sandbox)?)?;
    print_line(&match method {
        OpsMethod::Put => format!("Saved as {name}."),
        OpsMethod::Post => format!("Loaded {name}; the bank's clock shows {clock}."),
        OpsMethod::Delete => format!("Removed {name}."),
    });
    Ok(())
}

async fn list(place: &InstallationArguments) -> Result<(), CommandError> {
    let answer = ops_client::fetch_from_ops(&running(place).await?, PATH).await.map_err(only_in_a_sandbox)?;
    let ShownSnapshots { snapshots } = serde_json::from_value(answer)?;
    if snapshots.is_empty() {
        print_line("Nothing is saved.");
        return Ok(());
    }
    let heading = ["NAME", "SAVED AT", "BANK'S CLOCK"].map(str::to_owned);
    let rows = snapshots.into_iter().map(|ShownSnapshot { name, saved_at, clock }| [name, saved_at, clock]);
    print_line(in_columns(&std::iter::once(heading).chain(rows).collect::<Vec<_>>()).trim_end());
    Ok(())
}

/// Returns the client of the running server's ops listener.
async fn running(place: &InstallationArguments) -> Result<OpsClient, CommandError> {
    let config = place.load()?;
    let running = Endpoints::of_running(&config.data_dir).await;
    let endpoints = running.ok_or_else(|| CommandError::NoSandbox(config.data_dir.clone()))?;
    Ok(OpsClient::of_installation(&config, &endpoints.ops)?)
}

fn only_in_a_sandbox(error: OpsError) -> OpsError {
    match error {
        // A production server does not have this endpoint.
        OpsError::NoSuchOperation => OpsError::Refused("only a sandbox is saved and loaded".to_owned()),
        other => other,
    }
}
