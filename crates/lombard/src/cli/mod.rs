//! The command line: one file per group of commands.

mod audit;
mod bank;
mod check;
mod columns;
mod command_target;
mod connector;
mod customer;
mod documentation;
mod ephemeral;
mod error;
mod events;
mod installation;
mod keys;
mod logs;
mod maintenance;
mod migrate;
mod operations;
mod progress;
mod quarantine;
mod reconcile;
mod registration;
mod sandbox;
mod seed;
mod serve;
mod signals;
mod support;
mod tls;
mod tpps;
mod vrp;

#[cfg(test)]
mod tests;

use crate::output::{print_error, print_line};
use crate::{reference, tour};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use error::CommandError;
use installation::InstallationArguments;
use lombard_domain::version::Version;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// The version of the program, with the commit that it was built from and the date of that commit, where they are known.
const VERSION: &str = env!("LOMBARD_VERSION");

/// A UK Open Banking account provider in one program.
#[derive(Debug, Parser)]
#[command(name = "lombard", version = VERSION, about, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::ServeArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server. This is the default command.
    Serve(serve::ServeArguments),
    /// Act as a TPP against the running server, step by step, and check every response.
    Tour {
        /// The data folder of the running server.
        #[arg(long, value_name = "DIR", default_value = "data")]
        data: PathBuf,
        /// The version of the standard that is called.
        #[arg(long, value_name = "VERSION", default_value = "v3.1", value_parser = version)]
        version: Version,
        /// Have a person authorise on the bank's pages instead of using the headless TPP.
        #[arg(long)]
        browser: bool,
        /// The authorisation code, or the whole redirect address, that the pages returned.
        #[arg(long, value_name = "CODE", requires = "browser")]
        code: Option<String>,
    },
    /// Check a core that speaks the core API.
    #[command(subcommand)]
    Connector(connector::ConnectorCommand),
    /// Run the built-in bank as a process of its own.
    #[command(subcommand)]
    Bank(bank::BankCommand),
    /// Create TPPs for the sandbox, and manage registered TPPs.
    #[command(subcommand)]
    Tpp(operations::TppCommand),
    /// Export the sandbox's customers and histories to a file, or import them from one.
    #[command(subcommand)]
    Seed(seed::SeedCommand),
    /// Save the running sandbox under a name, and return to it.
    #[command(subcommand)]
    Sandbox(sandbox::SandboxCommand),
    /// Check or show the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Announce, begin, end and list maintenance, and announce changes of the interface.
    #[command(subcommand)]
    Maintenance(maintenance::MaintenanceArguments),
    /// Verify, export and show the audit log.
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Migrate the database to this program's schema, while nodes serve.
    Migrate(migrate::MigrateCommand),
    /// Manage the signing keys.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Reload the TLS files of the running server.
    #[command(subcommand)]
    Tls(tls::TlsCommand),
    /// Inspect events.
    #[command(subcommand)]
    Events(events::EventsCommand),
    /// List the requests of TPPs that the running server recorded, and why it refused them.
    Logs(logs::LogsCommand),
    /// List quarantined work, and retry it.
    #[command(subcommand)]
    Quarantine(quarantine::QuarantineCommand),
    /// Show what happened to a payment order.
    #[command(subcommand)]
    Order(support::OrderCommand),
    /// Show what happened to a consent, and end its access.
    #[command(subcommand)]
    Consent(support::ConsentCommand),
    /// Show what a customer has agreed to, end all of it, and hold, export or erase the customer's records.
    #[command(subcommand)]
    Customer(support::CustomerCommand),
    /// Compare the orders with those that the core holds, after a restore or if orders do not progress. Differences whose cause
    /// is certain are corrected, the rest is listed. The status is 0 if nothing is left to do, 2 if something is listed, and 1 if
    /// the comparison failed.
    Reconcile(reconcile::ReconcileCommand),
    /// Migrate consents to variable recurring payments to a newer version of the standard.
    #[command(subcommand)]
    Vrp(vrp::VrpCommand),
    /// Write the completions of commands and options for a shell to standard output.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of all commands to a folder.
    #[command(hide = true)]
    ManPages {
        /// The folder, which must exist.
        folder: PathBuf,
    },
    /// Write a generated reference to standard output.
    #[command(hide = true)]
    Reference {
        /// The reference to write.
        page: reference::ReferenceDocument,
    },
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// List all faults of the settings and of the files they name.
    Check(check::CheckCommand),
    /// Print the effective configuration, without secrets.
    Show(InstallationArguments),
}

/// Runs the command that the process's arguments name.
pub fn run_command_line() -> ExitCode {
    run_command(std::env::args_os())
}

/// Runs a command. The first argument is the name of the program.
pub fn run_command(arguments: impl IntoIterator<Item: Into<OsString> + Clone>) -> ExitCode {
    let arguments = Arguments::try_parse_from(arguments).unwrap_or_else(|error| explained(error).exit());
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            error.exit_code()
        }
    }
}

/// Extends the error by the right place of an option that stands before the command.
fn explained(mut error: clap::Error) -> clap::Error {
    let command = error.get(ContextKind::InvalidSubcommand).filter(|_| error.kind() == ErrorKind::ArgumentConflict);
    if let Some(command) = command {
        let text = format!("write options after the command, such as lombard {command} --data DIR");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![text.into()]));
    }
    error
}

/// Parses the path segment of a version.
fn version(text: &str) -> Result<Version, String> {
    Version::from_segment(text).ok_or_else(|| "the versions are v3.1 and v4.0".to_owned())
}

fn run(arguments: Arguments) -> Result<(), CommandError> {
    let command = arguments.command.unwrap_or(Command::Serve(arguments.serve));
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(CommandError::Runtime);
    match command {
        Command::Serve(arguments) => runtime()?.block_on(serve::serve(arguments)),
        Command::Tour { data, version, browser, code } => {
            let options = tour::TourOptions { data_dir: data, version, browser, code };
            runtime()?.block_on(tour::run_tour(options))?;
            Ok(())
        }
        Command::Connector(command) => runtime()?.block_on(connector::run(command)),
        Command::Bank(command) => runtime()?.block_on(bank::bank(command)),
        Command::Tpp(command) => runtime()?.block_on(operations::tpp(command)),
        Command::Seed(command) => runtime()?.block_on(seed::seed(command)),
        Command::Sandbox(command) => runtime()?.block_on(sandbox::run(command)),
        Command::Config(ConfigCommand::Check(command)) => {
            print_line(&runtime()?.block_on(check::check(command))?);
            Ok(())
        }
        Command::Config(ConfigCommand::Show(place)) => {
            print_line(place.load()?.show().trim_end());
            Ok(())
        }
        Command::Maintenance(command) => runtime()?.block_on(maintenance::run(command)),
        Command::Audit(command) => runtime()?.block_on(audit::run(command)),
        Command::Migrate(command) => runtime()?.block_on(migrate::migrate(command)),
        Command::Keys(command) => runtime()?.block_on(keys::run(command)),
        Command::Tls(command) => runtime()?.block_on(tls::run(command)),
        Command::Events(command) => Ok(runtime()?.block_on(events::run(command))?),
        Command::Logs(command) => runtime()?.block_on(logs::run(command)),
        Command::Quarantine(command) => runtime()?.block_on(quarantine::run(command)),
        Command::Order(command) => runtime()?.block_on(support::order(command)),
        Command::Consent(command) => runtime()?.block_on(support::consent(command)),
        Command::Customer(command) => runtime()?.block_on(support::customer(command)),
        Command::Reconcile(command) => runtime()?.block_on(reconcile::run(command)),
        Command::Vrp(command) => runtime()?.block_on(vrp::run(command)),
        Command::Completions { shell } => {
            print_line(documentation::completions(Arguments::command(), shell).trim_end());
            Ok(())
        }
        Command::ManPages { folder } => documentation::write_man_pages(Arguments::command(), &folder)
            .map_err(|source| CommandError::File { path: folder, source }),
        Command::Reference { page } => {
            print_line(reference::write_reference(page).trim_end());
            Ok(())
        }
    }
}
