//! `lombard seed`: the sandbox's customers and histories as a file that a team keeps.

use super::command_target::CommandTarget;
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::progress::ProgressDisplay;
use crate::ops_client::{self, OpsError};
use crate::output::print_line;
use crate::server::{ImportFailure, NO_DATA_FILES};
use clap::{Args, Subcommand};
use lombard_ports::controls::ImportSummary;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the running server takes and gives data files.
const PATH: &str = "/sandbox/seed";

#[derive(Debug, Subcommand)]
pub(super) enum SeedCommand {
    /// Write all customers, accounts and histories into a file.
    Export(SeedExportArguments),
    /// Add the customers and accounts of a file, all or none; before the first start, instead of the usual ones.
    Import(SeedImport),
}

#[derive(Debug, Args)]
pub(super) struct SeedExportArguments {
    /// The file; what it held is replaced.
    file: PathBuf,
    #[command(flatten)]
    installation: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct SeedImport {
    /// The file.
    file: PathBuf,
    /// Move every time of the file by the same number of whole days, so that its history ends today.
    #[arg(long)]
    rebase: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn seed(command: SeedCommand) -> Result<(), CommandError> {
    match command {
        SeedCommand::Export(SeedExportArguments { file, installation: place }) => export(&file, &place).await,
        SeedCommand::Import(SeedImport { file, rebase, installation: place }) => import(&file, rebase, &place).await,
    }
}

async fn export(file: &Path, place: &InstallationArguments) -> Result<(), CommandError> {
    let bytes = match CommandTarget::on(place).await? {
        CommandTarget::RunningServer(ops) => {
            ops_client::fetch_file(&ops, PATH).await.map_err(refused_there)?.into_bytes()
        }
        CommandTarget::Local(operator) => operator.data_export().await?,
    };
    write_whole(file, &bytes).map_err(|source| CommandError::File { path: file.to_owned(), source })?;
    print_line(&format!("Written to {}", file.display()));
    Ok(())
}

async fn import(file: &Path, rebase: bool, place: &InstallationArguments) -> Result<(), CommandError> {
    let bytes = fs::read(file).map_err(|source| CommandError::File { path: file.to_owned(), source })?;
    let imported: ImportSummary = match CommandTarget::on(place).await? {
        CommandTarget::RunningServer(ops) => {
            let path = if rebase { format!("{PATH}?rebase=true") } else { PATH.to_owned() };
            serde_json::from_value(ops_client::send_file(&ops, &path, &bytes).await.map_err(refused_there)?)?
        }
        CommandTarget::Local(operator) => {
            let bar = Arc::new(ProgressDisplay::on_terminal("Bringing in entries"));
            operator.data_import(bytes, rebase, bar).await.map_err(faulty_here)?
        }
    };
    let ImportSummary { customers, accounts, statements, transactions } = imported;
    print_line(&format!(
        "Added {customers} customers, {accounts} accounts, {statements} statements and {transactions} transactions."
    ));
    Ok(())
}

fn refused_there(error: OpsError) -> CommandError {
    match error {
        OpsError::Faulty(faults) => CommandError::Faulty(faults),
        // Only a sandbox has these controls.
        OpsError::Absent => OpsError::Refused(NO_DATA_FILES.to_owned()).into(),
        other => other.into(),
    }
}

fn faulty_here(error: ImportFailure) -> CommandError {
    match error {
        ImportFailure::Faulty(faults) => CommandError::Faulty(faults),
        ImportFailure::Operation(error) => error.into(),
    }
}

/// Writes beside the file and puts it in place, so that nobody finds half of it.
fn write_whole(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = file.file_name().ok_or(std::io::ErrorKind::InvalidInput)?.to_owned();
    name.push(".new");
    let fresh = file.with_file_name(name);
    fs::write(&fresh, bytes)?;
    fs::rename(fresh, file)
}
