//! Every test of the workspace, with what it needs: a PostgreSQL of its own, found or installed.

mod cluster;
mod programs;

pub(crate) use cluster::guard as guard_cluster;

use crate::command::{cargo, run, workspace};
use crate::{Failure, say};
use cluster::Cluster;
use std::fs;

/// Where the integration tests record answers for `cargo xtask conformance`, from the workspace's folder.
pub(crate) const EXCHANGES_DIR: &str = "target/exchanges";

/// Runs them. With `install`, what is missing is installed first.
pub(crate) fn test(install: bool, rest: &[String]) -> Result<(), Failure> {
    let programs = programs::find(install)?;
    let exchanges = workspace().join(EXCHANGES_DIR);
    if exchanges.exists() {
        fs::remove_dir_all(&exchanges)?;
    }
    fs::create_dir_all(&exchanges)?;

    say::step("starting a throw-away PostgreSQL");
    let cluster = Cluster::start(&programs.postgres)?;
    say::step("cargo test --workspace");
    let mut tests = cargo();
    tests.args(["test", "--locked", "--workspace"]).args(rest);
    tests.env("LOMBARD_TEST_POSTGRES_URL", cluster.url()).env("LOMBARD_EXCHANGES_DIR", &exchanges);
    if let Some(browser) = &programs.browser {
        tests.env("LOMBARD_TEST_CHROMIUM", &browser.chromium).env("LOMBARD_TEST_CHROMEDRIVER", &browser.driver);
    }
    let tested = run(&mut tests);
    say::step("removing the throw-away PostgreSQL");
    cluster.stop()?;
    tested
}
