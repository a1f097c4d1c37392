//! The repository's own tasks: checks, tests with a temporary database, conformance, generated references.

mod bench;
mod check;
mod command;
mod conformance;
mod docs;
mod error;
mod output;
mod performance;
mod rule_ids;
mod rules;
mod security_module;
mod test;

use clap::{Parser, Subcommand};
use error::TaskError;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "Lombard's own checks and tests")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Formatting, lints, docs, licences, bans, the rules between crates, generated references.
    Check,
    /// The rules between crates and between files, file lengths, leftovers, explanations of cited rules.
    Tidy,
    /// Every test, with a throw-away PostgreSQL.
    Test {
        /// Install what is missing with the system's package manager.
        #[arg(long, env = "CI", value_parser = clap::builder::FalseyValueParser::new())]
        install: bool,
        /// Require what others wrote: JOSE libraries from npm and PyPI, and an OpenID provider from npm.
        #[arg(long)]
        interop: bool,
        /// Arguments for `cargo test`.
        #[arg(last = true)]
        rest: Vec<String>,
    },
    /// Compares the responses recorded by the tests with the standard's OpenAPI files.
    Conformance {
        /// The folder that holds `openapi/`.
        #[arg(long)]
        spec: PathBuf,
        /// The folder of recorded answers.
        #[arg(long, default_value = test::EXCHANGES_DIR)]
        exchanges: PathBuf,
    },
    /// Writes the generated references again.
    Docs,
    /// Lists the rules that no test names.
    Rules {
        /// The folder that holds the rules, `rules-*.md`.
        #[arg(long)]
        spec: PathBuf,
    },
    /// The benchmarks, each beside its floor, of the program as it is shipped (profile `dist`): all of them, or the one named.
    Bench {
        /// The profile of cargo to build with; another than `dist` is for trying a benchmark out.
        #[arg(long, default_value = "dist")]
        profile: String,
        /// Arguments for the benchmarks, such as a name.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<String>,
    },
    /// Simulates payments on failing nodes from a seed, and checks all invariants after every step.
    Simulate {
        /// Arguments for the simulation: `--steps`, `--seed`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<String>,
    },
    /// Runs a throw-away PostgreSQL until its input ends.
    #[command(hide = true)]
    Cluster {
        /// The folder of the server's programs.
        programs: PathBuf,
        /// Forces what is committed to the disk.
        #[arg(long)]
        durable: bool,
    },
}

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
        Task::Test { install, interop, rest } => test::test(install, interop, &rest),
        Task::Conformance { spec, exchanges } => conformance::conformance(&spec, &exchanges),
        Task::Docs => docs::write(),
        Task::Rules { spec } => rules::rules(&spec),
        Task::Bench { profile, rest } => bench::bench(&profile, &rest),
        Task::Simulate { rest } => command::run(
            command::cargo().args(["run", "--release", "--package", "lombard-simulation", "--"]).args(rest),
        ),
        Task::Cluster { programs, durable } => test::guard_cluster(&programs, durable),
    }
}
