//! Runs all tests of the workspace with the programs that they need: PostgreSQL, a browser, two proxies, a security module, axe-core, JOSE
//! libraries and an OpenID provider. Missing programs can be installed.

mod axe;
mod cluster;
mod interop;
mod postgres;
mod programs;
mod releases;

pub(crate) use cluster::{Cluster, guard as guard_cluster};
pub(crate) use programs::{find_postgres, find_softhsm, in_path};
pub(crate) use releases::keep_release;

use crate::command::{self, cargo, run, workspace};
use crate::error::TaskError;
use crate::output;
use cargo_metadata::{Artifact, Message};
use interop::InstallPolicy;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder within the workspace in which the integration tests record exchanges for `cargo xtask conformance`.
pub(crate) const EXCHANGES_DIR: &str = "target/exchanges";

/// The folder within the workspace in which the browser tests store a screenshot of every page in every state.
const SCREENSHOTS_DIR: &str = "target/screenshots";

/// All tests. Examples of the documentation are not among them: `cargo xtask tidy` refuses those that would be run.
const TESTS: [&str; 4] = ["test", "--locked", "--workspace", "--all-targets"];

/// Runs the tests. With `install`, missing programs are installed first. With `interop`, the external libraries and the provider are
/// required.
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
    output::step("cargo test --workspace --all-targets");
    let mut tests = cargo();
    tests.args(TESTS).args(rest);
    tests.env("LOMBARD_TEST_POSTGRES_URL", cluster.url()).env("LOMBARD_EXCHANGES_DIR", &exchanges);
    tests.env("LOMBARD_TEST_CHROMIUM", &programs.browser.chromium);
    tests.env("LOMBARD_TEST_CHROMEDRIVER", &programs.browser.driver).env("LOMBARD_SCREENSHOTS_DIR", &screenshots);
    tests.env("LOMBARD_TEST_HAPROXY", &programs.haproxy).env("LOMBARD_TEST_NGINX", &programs.nginx);
    tests.env("LOMBARD_TEST_OPENSSL", &programs.openssl).env("LOMBARD_TEST_SOFTHSM", &programs.softhsm);
    if let Some(pgbouncer) = &programs.pgbouncer {
        tests.env("LOMBARD_TEST_PGBOUNCER", pgbouncer);
    }
    if let Some(promtool) = &programs.promtool {
        tests.env("LOMBARD_TEST_PROMTOOL", promtool);
    }
    if let Some(axe) = &axe {
        tests.env("LOMBARD_TEST_AXE", axe);
    }
    tests.envs(libraries);
    let tested = run(&mut tests).and_then(|()| run_over_http(&cluster, rest));
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    tested
}

/// The integration tests that run again with the built-in bank in another process. Their reads and payments go through the core API.
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

/// The names of tests that are left out of this second run: browser tests, tests that kill servers repeatedly, and tests that send a
/// thousand requests at once. A core without optimisation does not answer the latter in time.
const NOT_OVER_HTTP: [&str; 3] = ["browser::", "::kill::", "payments::once::"];

/// Runs these tests, unless the caller selected others.
fn run_over_http(cluster: &Cluster, rest: &[String]) -> Result<(), TaskError> {
    if !rest.is_empty() {
        return Ok(());
    }
    output::step("integration tests with the bank in another process");
    let built = built_tests()?;
    let integration =
        built.iter().find(|test| test.name == INTEGRATION).ok_or("cargo has built no integration tests")?;
    let mut tests = integration.command();
    tests.args(OVER_HTTP);
    tests.args(NOT_OVER_HTTP.iter().flat_map(|name| ["--skip", *name]));
    tests.env("LOMBARD_TEST_POSTGRES_URL", cluster.url()).env("LOMBARD_TEST_CORE", "http");
    run(&mut tests)
}

/// The packages with statements of the database, whose tests run on each supported version of PostgreSQL.
const OF_THE_DATABASE: [&str; 3] = ["lombard-database", "lombard-store", "lombard-corebank"];

/// The target of the integration tests.
const INTEGRATION: &str = "it";

/// Runs the tests of the database and the tour on a PostgreSQL of this major version.
pub(crate) fn test_on_postgres(version: u32) -> Result<(), TaskError> {
    let programs = postgres::fetch(version)?;
    let built = built_tests()?;
    output::step(&format!("starting a throw-away PostgreSQL {version}"));
    let cluster = Cluster::start(&programs, false)?;
    let tested = built.iter().try_for_each(|test| {
        let mut command = test.command();
        command.env("LOMBARD_TEST_POSTGRES_URL", cluster.url());
        if test.name == INTEGRATION {
            run(command.arg("tour::"))
        } else if OF_THE_DATABASE.iter().any(|package| test.folder.ends_with(package.trim_start_matches("lombard-"))) {
            run(&mut command)
        } else {
            Ok(())
        }
    });
    output::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    tested
}

/// A program with tests.
struct BuiltTest {
    /// The name of its target.
    name: String,
    program: PathBuf,
    /// The folder of its package, where it runs.
    folder: PathBuf,
}

impl BuiltTest {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder);
        command
    }
}

/// The programs with tests, as they are built with all others. Built by themselves, their dependencies would have other features, and
/// all of them would be built again.
fn built_tests() -> Result<Vec<BuiltTest>, TaskError> {
    let mut build = cargo();
    build.args(TESTS).args(["--no-run", "--message-format=json-render-diagnostics"]);
    let messages = command::output(&mut build)?;
    let mut found = Vec::new();
    for message in Message::parse_stream(messages.as_bytes()) {
        if let Message::CompilerArtifact(Artifact { target, profile, manifest_path, executable: Some(program), .. }) =
            message?
            && profile.test
        {
            let folder = manifest_path.parent().map_or(Path::new("."), |folder| folder.as_std_path()).to_owned();
            found.push(BuiltTest { name: target.name, program: program.into(), folder });
        }
    }
    Ok(found)
}

/// Creates an empty folder within the workspace.
fn emptied(folder: &str) -> Result<PathBuf, TaskError> {
    let folder = workspace().join(folder);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
