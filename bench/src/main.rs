//! Benchmarks. Each benchmark is measured together with a baseline ("floor") in alternating rounds of the same run.
//!
//! Absolute figures differ between machines, but the ratio to a floor that is measured at the same time does not. Load generator, server
//! and floor are separate processes. The server is built with the profile `dist`, in which it is shipped.
#![allow(clippy::print_stdout, reason = "a benchmark's figures are its output")]

mod compare;
mod database;
mod figure;
mod files;
mod fill;
mod floor;
mod growth;
mod load;
mod ops;
mod parked;
mod payment_floor;
mod payments;
mod polls;
mod postgres_floor;
mod process;
mod queues;
mod reads;
mod record;
mod result;
mod robot;
mod start;
mod tokens;
mod uk;

use clap::{Parser, Subcommand, ValueEnum};
use result::BenchResult;
use std::time::Duration;

/// Measures Lombard and a minimal server (floor) on this machine.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    floor: Option<Internal>,
    /// Which benchmark; all of them unless named.
    name: Option<Name>,
    /// Rounds of each side.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// How long `uk` calls at each multiple, seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Writes the figures into `bench/figures.json`, in place of earlier ones of the same name and engine; `cargo xtask docs`
    /// then writes `docs/performance.md` again.
    #[arg(long)]
    record: bool,
    /// The engine under the server: `cargo xtask bench --engine postgres` starts a throw-away PostgreSQL, unless
    /// `LOMBARD__DATABASE__URL` names one. Without a name, the benchmarks that make a database of their own are run on it.
    #[arg(long)]
    engine: Option<EngineName>,
    /// Whether the server under `payments` signs in a security module: `cargo xtask bench --hsm` makes a throw-away token of SoftHSM2,
    /// unless `LOMBARD__SIGNING__PKCS11_MODULE_FILE` and the settings beside it name one. Without a name, only `payments` is run.
    #[arg(long)]
    hsm: bool,
    /// The profile of cargo that the server and this program are built with. Another than `dist` is for trying a benchmark out:
    /// its figures are printed and cannot be recorded.
    #[arg(long, default_value = SHIPPED)]
    profile: String,
}

/// The cargo profile in which the program is shipped.
const SHIPPED: &str = "dist";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    Sqlite,
    Postgres,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Balances and a page of transactions, against the same bytes from bare axum.
    Reads,
    /// Client credentials by private_key_jwt, against one verification and one durable insert.
    Tokens,
    /// Domestic payments ordered, against two signatures and the same rows made durable.
    Payments,
    /// Files of five hundred and of fifty thousand payments: what each stage takes, and what memory.
    Files,
    /// Time to readiness and memory at rest, against fixed limits.
    Start,
    /// A thousand against a million transactions, statements and consents; when `LOMBARD__DATABASE__URL` names a database of
    /// PostgreSQL, in databases made beside it for this.
    Growth,
    /// A poll of ten events, ten acknowledged with it, when a hundred, ten thousand and a million wait.
    Polls,
    /// Ten thousand held polls: the memory of a held poll, compared with a held request of the floor, and how soon each is woken.
    Parked,
    /// The traffic of all of UK Open Banking, times 1, 5 and 25, and the highest multiple within its bound; on PostgreSQL when
    /// `LOMBARD__DATABASE__URL` names it.
    Uk,
}

impl Name {
    /// Whether the benchmark creates a database for each server, so that it can run on PostgreSQL together with others.
    const fn has_own_database(self) -> bool {
        use Name::{Files, Growth, Payments, Polls, Reads, Tokens, Uk};
        matches!(self, Reads | Tokens | Payments | Files | Growth | Polls | Uk)
    }
}

#[derive(Debug, Subcommand)]
enum Internal {
    /// A floor server; benchmarks start it by themselves.
    #[command(hide = true)]
    Floor(floor::FloorSpec),
}

#[tokio::main]
async fn main() -> BenchResult<()> {
    let arguments = Arguments::parse();
    if let Some(Internal::Floor(order)) = arguments.floor {
        return floor::serve(order).await;
    }
    let engine = database::Engine::of_this_run()?;
    let is_postgres = matches!(engine, database::Engine::Postgres(_));
    if arguments.engine.is_some_and(|it| (it == EngineName::Postgres) != is_postgres) {
        return Err(format!("{} names another engine", database::SETTING).into());
    }
    let signing = payments::SigningPlace::of_this_run();
    if arguments.hsm != (signing == payments::SigningPlace::Module) {
        return Err(format!("--hsm goes with {}", payments::MODULE_SETTING).into());
    }
    let is_in_a_whole_run = |name: Name| match signing {
        payments::SigningPlace::Module => name == Name::Payments,
        payments::SigningPlace::Memory => !is_postgres || name.has_own_database(),
    };
    let wanted = |name: Name| arguments.name.map_or_else(|| is_in_a_whole_run(name), |only| only == name);
    let build = process::Build::with(arguments.profile);
    if arguments.record && build.profile() != SHIPPED {
        return Err(format!("figures are recorded of the profile {SHIPPED} alone").into());
    }
    let program = build.program().await?;
    let mut figures = Vec::new();
    if wanted(Name::Start) {
        figures.extend(start::run(&program, arguments.rounds).await?);
    }
    if wanted(Name::Reads) {
        figures.extend(reads::run(&program, arguments.rounds).await?);
    }
    if wanted(Name::Tokens) {
        figures.extend(tokens::run(&program, arguments.rounds).await?);
    }
    if wanted(Name::Payments) {
        figures.extend(payments::run(&program, arguments.rounds, signing).await?);
    }
    if wanted(Name::Files) {
        figures.extend(files::run(&program).await?);
    }
    if wanted(Name::Growth) {
        figures.extend(growth::run(&program, arguments.rounds).await?);
    }
    if wanted(Name::Polls) {
        figures.extend(polls::run(&program, arguments.rounds).await?);
    }
    if wanted(Name::Parked) {
        figures.extend(parked::run(&program).await?);
    }
    if wanted(Name::Uk) {
        figures.extend(uk::run(&program, Duration::from_secs(arguments.seconds)).await?);
    }
    println!("\nOf the program built with the profile {}.", build.profile());
    for figure in &figures {
        println!("{figure}");
    }
    record::check_names(&figures)?;
    if arguments.record { record::write(&figures) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_benchmark_is_described_once() {
        let named: Vec<_> = Name::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
        let mut named: Vec<_> = named.iter().map(|it| it.get_name().to_owned()).collect();
        let mut described = record::benchmarks().unwrap();
        named.sort();
        described.sort();
        assert_eq!(named, described);
        let figure = |name| figure::Figure::of_ratio(name, 1.0, figure::Aim::AtLeast(1.0));
        assert!(record::check_names(&[figure("reads/balances"), figure("start")]).is_ok());
        assert!(record::check_names(&[figure("guess/balances")]).is_err());
    }

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }
}
