//! Every test of the workspace, with what it needs: a PostgreSQL of its own, a browser, two proxies, a security module, axe, other JOSE libraries, another
//! OpenID provider; found or installed.

mod axe;
mod cluster;
mod interop;
mod programs;

pub(crate) use cluster::{Cluster, guard as guard_cluster};
pub(crate) use programs::{find_postgres, find_softhsm};

use crate::command::{self, cargo, run, workspace};
use crate::error::TaskError;
use crate::output;
use cargo_metadata::{Artifact, Message};
use interop::InstallPolicy;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Where the integration tests record answers for `cargo xtask conformance`, from the workspace's folder.
pub(crate) const EXCHANGES_DIR: &str = "target/exchanges";

/// Where the browser tests leave a picture of every page in every state, from the workspace's folder.
const SCREENSHOTS_DIR: &str = "target/screenshots";

/// Runs them. With `install`, what is missing is installed first; with `interop`, the libraries and the provider
/// that others wrote must be there.
pub(crate) fn test(install: bool, interop: bool, rest: &[String]) -> Result<(), TaskError> {
    let programs = programs::find(install)?;
    let axe = axe::find()?;
    let libraries = interop::find(match (interop, install) {
        (true, _) => InstallPolicy::Needed,
        (false, true) => InstallPolicy::Tried,
        (false, false) => InstallPolicy::Found,
    })?;
    let exchanges = emptied(EXCHANGES_DIR)?;
    let screenshots = emptied(SCREENSHOTS_DIR)?;

    output::step("starting a throw-away PostgreSQL");
    let cluster = Cluster::start(&programs.postgres, false)?;
    output::step("cargo test --workspace");
    let mut tests = cargo();
    tests.args(["test", "--locked", "--workspace"]).args(rest);
    tests.env("LOMBARD_TEST_POSTGRES_URL", cluster.url()).env("LOMBARD_EXCHANGES_DIR", &exchanges);
    tests.env("LOMBARD_TEST_CHROMIUM", &programs.browser.chromium);
    tests.env("LOMBARD_TEST_CHROMEDRIVER", &programs.browser.driver).env("LOMBARD_SCREENSHOTS_DIR", &screenshots);
    tests.env("LOMBARD_TEST_HAPROXY", &programs.haproxy).env("LOMBARD_TEST_NGINX", &programs.nginx);
    tests.env("LOMBARD_TEST_OPENSSL", &programs.openssl).env("LOMBARD_TEST_SOFTHSM", &programs.softhsm);
    if let Some(axe) = &axe {
        tests.env("LOMBARD_TEST_AXE", axe);
    }
    tests.envs(libraries);
    let tested = run(&mut tests).and_then(|()| run_over_http(&cluster, rest));
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    tested
}

/// The integration tests that are run again against the built-in bank in another process, over the core API: what they read and pay
/// goes through it.
const OVER_HTTP: [&str; 8] = [
    "accounts::",
    "balances::",
    "transactions::",
    "consents::",
    "payments::",
    "vrp::",
    "funds_confirmations::",
    "tour::",
];

/// Tests of those names that are left to the run without it: of pages in a browser, tests that kill servers again and again, and those
/// that send a thousand requests at once, which a core that is built without optimisation does not answer in time.
const NOT_OVER_HTTP: [&str; 3] = ["browser::", "::kill::", "payments::once::"];

/// Runs those tests, unless the caller chose others.
fn run_over_http(cluster: &Cluster, rest: &[String]) -> Result<(), TaskError> {
    if !rest.is_empty() {
        return Ok(());
    }
    output::step("integration tests with the bank in another process");
    let mut tests = Command::new(built_integration_tests()?);
    tests.current_dir(workspace().join("tests")).args(OVER_HTTP);
    tests.args(NOT_OVER_HTTP.iter().flat_map(|name| ["--skip", *name]));
    tests.env("LOMBARD_TEST_POSTGRES_URL", cluster.url()).env("LOMBARD_TEST_CORE", "http");
    run(&mut tests)
}

/// The program of the integration tests, as it was built with all others. Built by itself, its dependencies would have other features, and
/// all of them would be built again.
fn built_integration_tests() -> Result<PathBuf, TaskError> {
    let mut build = cargo();
    build.args(["test", "--locked", "--workspace", "--no-run", "--message-format=json-render-diagnostics"]);
    let messages = command::output(&mut build)?;
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(Artifact { target, executable: Some(program), .. }) = message?
            && target.name == "it"
        {
            return Ok(program.into());
        }
    }
    Err("cargo has built no integration tests".into())
}

/// A folder under the workspace's, without what earlier runs left there.
fn emptied(folder: &str) -> Result<PathBuf, TaskError> {
    let folder = workspace().join(folder);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
