//! `lombard serve`: starts the server, and prints its addresses and the first steps. The command reloads the TLS files on SIGHUP and stops
//! on a stop signal. `--ephemeral` prints one line of JSON instead.

use super::ephemeral::temporary_folder;
use super::error::CommandError;
use super::installation::{InstallationArguments, data_option};
use super::progress::ProgressDisplay;
use super::signals::{INTERRUPTED, SignalStreams};
use crate::config::{Config, Problem, StaffKind};
use crate::entropy::SystemEntropy;
use crate::operator_file::OperatorFile;
use crate::output::print_line;
use crate::server::{DatabaseCheck, Endpoints, Overrides, Preflight, Server, raise_descriptor_limit};
use crate::telemetry;
use clap::Args;
use lombard_ports::entropy::Entropy;
use serde::Serialize;
use std::path::Path;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a server is started.
#[derive(Debug, Clone, Args)]
pub(super) struct ServeArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    /// Run a sandbox that keeps nothing, on free ports, and print one line of JSON as soon as it can be reached: its addresses and its folder.
    /// For tests of other programs.
    #[arg(long, conflicts_with = "data")]
    ephemeral: bool,
}

pub(super) async fn serve(arguments: ServeArguments) -> Result<(), CommandError> {
    raise_descriptor_limit();
    let ServeArguments { installation, ephemeral } = arguments;
    if !ephemeral {
        let Preflight { config, advice, .. } = installation.check(DatabaseCheck::InProduction).await?;
        return Box::pin(serve_installation(config, &advice)).await;
    }
    // The random number generator needs tens of milliseconds to initialise; without this call, every key would wait for it.
    drop(tokio::task::spawn_blocking(|| SystemEntropy.fill_random(&mut [0])));
    let folder = temporary_folder()?;
    let Preflight { config, .. } = installation.check_ephemeral(folder.path()).await?;
    Box::pin(serve_ephemeral(config)).await
}

/// The line that is printed for an ephemeral server: the members of `endpoints.json`, and its folder.
#[derive(Debug, Serialize)]
struct EphemeralServer<'a> {
    #[serde(flatten)]
    endpoints: &'a Endpoints,
    /// The folder with the certificates and the TPPs.
    data_dir: &'a Path,
}

/// Serves until a stop signal, then finishes the requests in progress.
async fn serve_installation(config: Config, advice: &[Problem]) -> Result<(), CommandError> {
    telemetry::start_logging(&config.telemetry)?;
    telemetry::start_traces(&config.telemetry)?;
    for advice in advice {
        tracing::warn!(setting = advice.at, "{}", advice.message);
    }
    let mut told = SignalStreams::new().map_err(CommandError::Signals)?;
    // The next start completes or repeats what an interrupted start left unfinished.
    let bar = ProgressDisplay::on_terminal("Creating customers and their histories");
    let server = tokio::select! {
        started = Server::start_with_progress(config, Overrides::system(), &bar) => started?,
        () = told.until_stop() => return Ok(()),
    };
    print_line(&welcome(&server));
    serve_until_stop(&mut told, &server).await;
    print_line("Stopping after the requests in progress. Interrupt again to stop at once.");
    // On a second interrupt the server is dropped, which removes `endpoints.json`.
    let is_stopped = tokio::select! {
        () = server.stop_server() => true,
        () = told.until_stop() => false,
    };
    if is_stopped { Ok(()) } else { exit(INTERRUPTED) }
}

/// Serves until a stop signal, then ends at once, because no data is kept.
async fn serve_ephemeral(config: Config) -> Result<(), CommandError> {
    telemetry::start_logging(&config.telemetry)?;
    telemetry::start_traces(&config.telemetry)?;
    let mut told = SignalStreams::new().map_err(CommandError::Signals)?;
    let data_dir = config.data_dir.clone();
    let is_stopped = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&is_stopped);
    let reachable = move |endpoints: &Endpoints| {
        // Another thread writes the files and may be the last to finish.
        if stopped.load(Ordering::Acquire) {
            return;
        }
        let ready = EphemeralServer { endpoints, data_dir: &data_dir };
        match serde_json::to_string(&ready) {
            Ok(line) => print_line(&line),
            // Without this error, the caller would wait for a line that is never printed.
            Err(error) => tracing::error!(error = &error as &dyn std::error::Error, "the addresses cannot be written"),
        }
    };
    let started = tokio::select! {
        started = Server::start_reachable(config, Overrides::system(), reachable) => Some(started),
        () = told.until_stop() => None,
    };
    if let Some(Ok(server)) = &started {
        serve_until_stop(&mut told, server).await;
    } else {
        is_stopped.store(true, Ordering::Release);
    }
    started.map_or(Ok(()), |started| started.map(drop).map_err(CommandError::from))
}

async fn serve_until_stop(told: &mut SignalStreams, server: &Server) {
    told.until_stop_reloading(async || {
        // A failed reload is already logged, and the former files stay in use.
        let _ = server.reload_tls().await;
    })
    .await;
}

fn welcome(server: &Server) -> String {
    let endpoints = server.endpoints();
    let mut text = format!(
        "\n{} is open.\n\n  \
         For everybody      {}\n  \
         For TPPs           {}   (asks for a client certificate)\n  \
         For operators      {}   (health, metrics, operations{})\n",
        server.config().bank.name,
        endpoints.public,
        endpoints.mtls,
        endpoints.ops,
        if server.config().server.ops_bind.is_loopback() { "; this machine only" } else { "" },
    );
    if server.config().is_sandbox() {
        text.push_str(&sandbox_hints(server));
    }
    text
}

fn sandbox_hints(server: &Server) -> String {
    let endpoints = server.endpoints();
    let data = server.data_dir().display();
    let public = &endpoints.public;
    let mtls = &endpoints.mtls;
    let well_known = &endpoints.well_known;
    let at_data = data_option(server.data_dir());
    let program = std::env::args().next().unwrap_or_else(|| "lombard".to_owned());
    let client_id = tpp_client_id(server, "rival").unwrap_or_else(|| "CLIENT_ID".to_owned());
    let login = operator_login(server);
    format!(
        "{login}\nThis is a sandbox: its certificates, TPPs and customers are made up. They are in {data},\n\
         with these addresses in {data}/endpoints.json.\n\n  \
         For developers     {public}/portal\n  \
         Guides             {public}/portal/docs\n  \
         API reference      {public}/openapi\n\
         \nTry next, in another terminal:\n\n  \
         See a TPP at work, step by step:\n    {program} tour{at_data}\n\n  \
         Look at what the bank offers:\n    curl --cacert {data}/ca.pem {well_known}\n\n  \
         Get a token as the TPP rival:\n    curl --cacert {data}/ca.pem --cert {data}/tpps/rival/transport.pem \
         --key {data}/tpps/rival/transport.key \\\n      -d grant_type=client_credentials -d scope=accounts -d client_id={client_id} {mtls}/token\n\n  \
         Give consent yourself, in a browser:\n    {program} tour --browser{at_data}\n\n\
         Press Ctrl-C to stop.\n"
    )
}

/// The line with the login of a sandbox's operator; empty where staff log in without a password.
fn operator_login(server: &Server) -> String {
    let file = OperatorFile::read(server.data_dir()).ok().flatten();
    let file = file.filter(|_| server.config().staff_kind() == Some(StaffKind::Password));
    let line = |file: OperatorFile| {
        let OperatorFile { user, password, .. } = file;
        let data = server.data_dir().display();
        format!("  Operator login     {user}, password {password}   (token for programs: {data}/operator.json)\n")
    };
    file.map(line).unwrap_or_default()
}

/// Reads the client id from a TPP's folder.
fn tpp_client_id(server: &Server, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(server.data_dir().join("tpps").join(name).join("tpp.json")).ok()?;
    let card: serde_json::Value = serde_json::from_str(&text).ok()?;
    Some(card.get("client_id")?.as_str()?.to_owned())
}
