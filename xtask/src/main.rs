//! The repository's own tasks: checks, tests with a temporary database, conformance, and generated references.

mod arguments;
mod bench;
mod check;
mod command;
mod conformance;
mod docs;
mod error;
mod output;
mod package;
mod performance;
mod program;
mod rule_ids;
mod rules;
mod security_module;
mod test;
mod torture;

use arguments::{Arguments, Task};
use clap::Parser;
use error::TaskError;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::error(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<(), TaskError> {
    match task {
        Task::Check => check::check(),
        Task::Tidy => check::tidy(),
        Task::Test { postgres: Some(version), .. } => test::test_on_postgres(version),
        Task::Test { install, interop, rest, postgres: None } => test::test(install, interop, &rest),
        Task::Conformance { spec, exchanges } => conformance::conformance(&spec, &exchanges),
        Task::KeepRelease { version } => test::keep_release(&version),
        Task::Docs => docs::write(),
        Task::Rules { spec } => rules::rules(&spec),
        Task::Bench { profile, rest } => bench::bench(&profile, &rest),
        Task::Torture { minutes } => torture::torture(minutes),
        Task::Sizes => torture::sizes(),
        Task::Package(arguments) => package::package(&arguments),
        Task::Simulate { rest } => command::run(
            command::cargo().args(["run", "--release", "--package", "lombard-simulation", "--"]).args(rest),
        ),
        Task::Cluster { programs, durable } => test::guard_cluster(&programs, durable),
    }
}
