//! `lombard bank`: runs the built-in bank without a server.

use super::error::CommandError;
use super::installation::InstallationArguments;
use super::progress::ProgressDisplay;
use super::signals::{INTERRUPTED, SignalStreams};
use crate::output::print_line;
use crate::server::{BankProcess, DatabaseCheck, Overrides, Preflight};
use crate::telemetry;
use clap::{Args, Subcommand};
use std::process::exit;

/// The default port of the bank's listener.
const PORT: u16 = 8446;

#[derive(Debug, Subcommand)]
pub(super) enum BankCommand {
    /// Serve the built-in bank over the core API, for servers with `bank.kind = "http"`. It writes core.json into its data
    /// folder, which bank.core_file of a server names. For sandboxes.
    Serve(BankServe),
}

#[derive(Debug, Args)]
pub(super) struct BankServe {
    /// The port to listen on; 0 picks a free one.
    #[arg(long, value_name = "PORT", default_value_t = PORT)]
    port: u16,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn bank(command: BankCommand) -> Result<(), CommandError> {
    let BankCommand::Serve(BankServe { port, installation }) = command;
    let Preflight { config, .. } = installation.check(DatabaseCheck::Never).await?;
    telemetry::start_logging(&config.telemetry)?;
    telemetry::start_traces(&config.telemetry)?;
    let mut told = SignalStreams::new().map_err(CommandError::Signals)?;
    // The next start completes or repeats what an interrupted start left unfinished.
    let bar = ProgressDisplay::on_terminal("Creating customers and their histories");
    let bank = tokio::select! {
        started = BankProcess::start(config, Overrides::system(), port, &bar) => started?,
        () = told.until_stop() => return Ok(()),
    };
    print_line(&welcome(&bank));
    told.until_stop().await;
    print_line("Stopping after the requests in progress. Interrupt again to stop at once.");
    // On a second interrupt the bank is dropped, which removes `core.json`.
    let is_stopped = tokio::select! {
        () = bank.stop_bank() => true,
        () = told.until_stop() => false,
    };
    if is_stopped { Ok(()) } else { exit(INTERRUPTED) }
}

fn welcome(bank: &BankProcess) -> String {
    let url = bank.url();
    let file = bank.core_file();
    let program = std::env::args().next().unwrap_or_else(|| "lombard".to_owned());
    format!(
        "\nThe built-in bank of {} is open at {url}   (asks for a client certificate)\n\n\
         Start a server in front of it, in another terminal:\n\n  \
         LOMBARD__BANK__KIND=http LOMBARD__BANK__CORE_FILE={} {program} --data server\n\n\
         Press Ctrl-C to stop.\n",
        bank.config().bank.name,
        file.display(),
    )
}
