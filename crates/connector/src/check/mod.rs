//! Checks a core over HTTP: every promise of the port's contract, and the promises of the core API itself.

mod facts;
mod options;
mod wire;

pub use options::CheckOptions;

use crate::bank::HttpBank;
use crate::breaker::BreakerSettings;
use crate::held_updates::HeldUpdates;
use crate::recorder::{ExchangeRecorder, RecordedExchange};
use crate::settings::{ConnectorError, ConnectorSettings};
use async_trait::async_trait;
use lombard_domain::ids::OrderId;
use lombard_ports::bank::contract::{ContractFacts, PromiseEffect, PromiseSubject, list_promises};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::Entropy;
use lombard_ports::store::{FailedWork, StoreError};
use std::sync::Arc;

/// A promise of the contract with the result of its check.
#[derive(Debug, Clone)]
pub struct CheckedPromise {
    /// The name of the promise.
    pub name: &'static str,
    /// The text of the promise.
    pub about: &'static str,
    /// The result of the check.
    pub outcome: PromiseOutcome,
}

/// The result of checking a promise.
#[derive(Debug, Clone)]
pub enum PromiseOutcome {
    /// The check found no violation.
    Fulfilled,
    /// The core violates the promise.
    Violated {
        /// The observed behaviour.
        seen: String,
        /// The last request of the check with its answer.
        exchange: Option<RecordedExchange>,
    },
    /// The promise was not checked, for this reason.
    NotChecked(&'static str),
}

/// Checks every promise and continues after a violation. `report` is called with each result at once.
///
/// # Errors
/// [`ConnectorError`] if no connection can be tried with these settings.
pub async fn check_core(
    mut settings: ConnectorSettings,
    options: &CheckOptions,
    (clocks, entropy): (Clocks, Arc<dyn Entropy>),
    report: &mut dyn FnMut(CheckedPromise),
) -> Result<(), ConnectorError> {
    let recorder = ExchangeRecorder::default();
    settings.recorder = Some(recorder.clone());
    settings.consent_changes = true;
    // The breaker is off, so that failed calls of one promise do not prevent the check of others.
    settings.breaker = BreakerSettings { failures: 0, ..settings.breaker };
    let wire = wire::WireClient::new(&settings, recorder.clone())?;
    let bank = HttpBank::new(settings, Arc::new(NothingHeld), Arc::clone(&entropy))?;
    for promise in wire::PROMISES {
        let outcome = outcome((promise.check)(&wire, &options.customer).await, &recorder);
        report(CheckedPromise { name: promise.name, about: promise.about, outcome });
    }
    let accounts = facts::account_facts(options);
    let payments = facts::payment_facts(&bank, options, &clocks, entropy.as_ref()).await;
    let pause = async || tokio::time::sleep(options.pause()).await;
    let facts = ContractFacts {
        accounts: Some(&accounts),
        exchange: options.exchange.as_ref(),
        payments: payments.as_ref().map(|facts| (facts, &pause as _)),
    };
    for promise in list_promises() {
        let checking = promise.check(&bank, &facts);
        recorder.take_last();
        let outcome = match (promise.effect, checking) {
            (PromiseEffect::Writes, _) if !options.writes => PromiseOutcome::NotChecked("it writes; use --write"),
            (_, None) => PromiseOutcome::NotChecked(reason_not_checked(promise.subject())),
            (_, Some(checking)) => outcome(checking.await, &recorder),
        };
        report(CheckedPromise { name: promise.name, about: promise.about, outcome });
    }
    Ok(())
}

/// Why a promise is not checked whose facts are missing.
const fn reason_not_checked(subject: PromiseSubject) -> &'static str {
    match subject {
        PromiseSubject::Accounts => "no customer is named",
        PromiseSubject::Exchange => "no agreed rate is named; use --deal",
        PromiseSubject::Payments => "the customer has no current account in pounds that can pay one pound alone",
    }
}

fn outcome<E: std::fmt::Display>(checked: Result<(), E>, recorder: &ExchangeRecorder) -> PromiseOutcome {
    match checked {
        Ok(()) => PromiseOutcome::Fulfilled,
        Err(violation) => PromiseOutcome::Violated { seen: violation.to_string(), exchange: recorder.take_last() },
    }
}

/// The held updates of a check, which are always empty.
#[derive(Debug)]
struct NothingHeld;

#[async_trait]
impl HeldUpdates for NothingHeld {
    async fn hold(&self, _: Vec<FailedWork>) -> Result<usize, StoreError> {
        Ok(0)
    }

    async fn orders(&self) -> Result<Vec<OrderId>, StoreError> {
        Ok(Vec::new())
    }
}
