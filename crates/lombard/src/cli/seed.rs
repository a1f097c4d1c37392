//! `lombard seed`: exports and imports the sandbox's customers and histories as a data file.

use super::command_target::CommandTarget;
use super::error::CommandError;
use super::installation::InstallationArguments;
use super::progress::ProgressDisplay;
use crate::ops_client::{self, OpsError};
use crate::output::print_line;
use crate::server::{ImportFailure, NO_DATA_FILES};
use clap::{Args, Subcommand};
use lombard_files::{FileAccess, FileLifetime, write_file};
use lombard_ports::controls::ImportSummary;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The path of data files on the ops listener.
const PATH: &str = "/sandbox/seed";

#[derive(Debug, Subcommand)]
pub(super) enum SeedCommand {
    /// Export all customers, accounts and histories to a file.
    Export(SeedExportArguments),
    /// Import the customers and accounts of a file, all or none. Before the first start they replace the default ones.
    Import(SeedImport),
}

#[derive(Debug, Args)]
pub(super) struct SeedExportArguments {
    /// The file to write; an existing file is replaced.
    file: PathBuf,
    #[command(flatten)]
    installation: InstallationArguments,
}

#[derive(Debug, Args)]
pub(super) struct SeedImport {
    /// The file.
    file: PathBuf,
    /// Move all times of the file by the same number of whole days, so that its history ends today.
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
    let bytes = match CommandTarget::select(place).await? {
        CommandTarget::RunningServer(ops) => {
            ops_client::fetch_file(&ops, PATH).await.map_err(refused_there)?.into_bytes()
        }
        CommandTarget::Local(operator) => operator.data_export().await?,
    };
    let written = write_file(file, &bytes, FileAccess::Everyone, FileLifetime::Durable);
    written.map_err(|source| CommandError::File { path: file.to_owned(), source })?;
    print_line(&format!("Written to {}", file.display()));
    Ok(())
}

async fn import(file: &Path, rebase: bool, place: &InstallationArguments) -> Result<(), CommandError> {
    let bytes = fs::read(file).map_err(|source| CommandError::File { path: file.to_owned(), source })?;
    let imported: ImportSummary = match CommandTarget::select(place).await? {
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
        // A production server does not have this endpoint.
        OpsError::NoSuchOperation => OpsError::Refused(NO_DATA_FILES.to_owned()).into(),
        other => other.into(),
    }
}

fn faulty_here(error: ImportFailure) -> CommandError {
    match error {
        ImportFailure::Faulty(faults) => CommandError::Faulty(faults),
        ImportFailure::Operation(error) => error.into(),
    }
}
