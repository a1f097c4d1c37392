//! What the tests stand on: a bank of their own, TPPs, a browser, and what every answer must look like.

pub(crate) mod asked;
mod bank;
mod browser;
mod engine;
mod expect;
mod forge;
pub(crate) mod funds;
mod journey;
mod line;
pub(crate) mod mandate;
mod patience;
pub(crate) mod paying;
mod played;
mod record;
mod seeded;
mod template;

pub(crate) use asked::Asked;
pub(crate) use bank::Bank;
pub(crate) use browser::{Browser, Form, Page};
pub(crate) use engine::Engine;
pub(crate) use expect::{ExchangeExt, ValueExt, code_in};
pub(crate) use forge::rs256;
pub(crate) use funds::Asking;
pub(crate) use journey::{ALL_TRANSACTIONS, Access, access, code};
pub(crate) use line::Line;
pub(crate) use patience::until;
pub(crate) use paying::Paying;
pub(crate) use played::TourProcess;
pub(crate) use seeded::SeededEntropy;

/// A bank on each engine at hand, not started yet.
pub(crate) async fn unstarted_on_each_engine() -> Vec<Bank> {
    let mut banks = Vec::new();
    for engine in Engine::at_hand() {
        banks.push(Bank::unstarted(engine).await);
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
