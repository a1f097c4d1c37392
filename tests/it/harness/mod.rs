//! The test harness: a bank per test, TPPs, a browser, and the checks of every response.

mod authority;
mod bank;
mod browser;
mod child_process;
mod core_host;
mod core_process;
mod engine;
pub(crate) mod ephemeral;
mod expect;
mod fault_proxy;
mod forge;
pub(crate) mod funds;
mod journey;
mod patience;
mod pausable_connection;
pub(crate) mod paying;
pub(crate) mod pending_consent;
pub(crate) mod program;
mod record;
mod seeded;
mod server_process;
mod template;
mod test_clock;
mod test_database;
pub(crate) mod vrp;

pub(crate) use authority::{Authority, Issued};
pub(crate) use bank::Bank;
pub(crate) use browser::{Browser, Form, Page};
pub(crate) use core_process::TestCore;
pub(crate) use engine::{Engine, postgres_database, postgres_run, run_at, tables};
pub(crate) use expect::{ExchangeExt, ValueExt, code_in};
pub(crate) use fault_proxy::{Fault, FaultPlan, FaultProxy};
pub(crate) use forge::rs256;
pub(crate) use funds::FundsTpp;
pub(crate) use journey::{ALL_TRANSACTIONS, CustomerAccess, access, code};
pub(crate) use patience::until;
pub(crate) use pausable_connection::PausableConnection;
pub(crate) use paying::PayingTpp;
pub(crate) use pending_consent::PendingConsent;
pub(crate) use seeded::SeededEntropy;
pub(crate) use server_process::ServerProcess;

/// A bank on each engine at hand, not started yet.
pub(crate) async fn unstarted_on_each_engine() -> Vec<Bank> {
    let mut banks = Vec::new();
    for engine in Engine::at_hand() {
        banks.push(Bank::unstarted(engine).await);
    }
    banks
}

/// A bank on each engine that ends no undecided consent of a payment for thirty days, for tests in which time passes before a decision.
pub(crate) async fn patient_on_each_engine() -> Vec<Bank> {
    let mut banks = unstarted_on_each_engine().await;
    for bank in &mut banks {
        bank.restart_with(&[("payments.undecided_secs", "2592000")]).await;
    }
    banks
}

/// Everything the built resources can show.
pub(crate) const EVERYTHING: [&str; 6] = [
    "ReadAccountsDetail",
    "ReadBalances",
    "ReadTransactionsDetail",
    "ReadTransactionsCredits",
    "ReadTransactionsDebits",
    "ReadPAN",
];
