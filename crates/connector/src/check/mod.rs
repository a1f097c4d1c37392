//! Checks a core over the wire: every promise of the port's contract, and those of the wire itself.

mod facts;
mod wire;

use crate::bank::HttpBank;
use crate::breaker::BreakerSettings;
use crate::held_updates::HeldUpdates;
use crate::recorder::{ExchangeRecorder, RecordedExchange};
use crate::settings::{ConnectorError, ConnectorSettings};
use async_trait::async_trait;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_ports::bank::contract::{ContractFacts, PromiseEffect, list_promises};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::Entropy;
use lombard_ports::store::{FailedWork, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// The longest time between two questions what became of an order.
const PAUSE_MAX: Duration = Duration::from_millis(250);

/// How often the core is asked at least.
const ROUNDS_MIN: u32 = 5;

/// What is checked.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// A customer with at least two accounts that have entries and statements.
    pub customer: PsuId,
    /// Accounts that are closed or blocked. One that does not exist is always checked.
    pub closed: Vec<BankAccountId>,
    /// The sort code and account number that orders are paid to.
    pub payee: String,
    /// Whether orders are submitted, each of one unit of the currency of the account that pays.
    pub writes: bool,
    /// How long an order may take to its end.
    pub order_time_max: Duration,
}

impl CheckOptions {
    /// The time between two questions what became of an order.
    fn pause(&self) -> Duration {
        self.order_time_max.checked_div(ROUNDS_MIN).unwrap_or_default().clamp(Duration::from_millis(1), PAUSE_MAX)
    }

    /// How often the core is asked.
    fn rounds(&self) -> u32 {
        let rounds = self.order_time_max.as_millis().checked_div(self.pause().as_millis());
        u32::try_from(rounds.unwrap_or_default()).unwrap_or(u32::MAX).max(ROUNDS_MIN)
    }
}

/// A promise, checked or not.
#[derive(Debug, Clone)]
pub struct CheckedPromise {
    /// The name of the promise.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// How the core keeps it.
    pub outcome: PromiseOutcome,
}

/// How a core keeps a promise.
#[derive(Debug, Clone)]
pub enum PromiseOutcome {
    /// It keeps it, as far as the check sees.
    Kept,
    /// It breaks it.
    Broken {
        /// What was seen.
        seen: String,
        /// The last request of the check with its answer.
        exchange: Option<RecordedExchange>,
    },
    /// It was not checked, for this reason.
    NotChecked(&'static str),
}

/// Checks every promise, and goes on after a broken one. `report` is called with each as soon as it is checked.
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
    // Each promise is checked, however many calls of the others failed.
    settings.breaker = BreakerSettings { failures: 0, ..settings.breaker };
    let wire = wire::WireClient::new(&settings, recorder.clone())?;
    let bank = HttpBank::new(settings, Arc::new(NothingHeld), clocks.clone(), Arc::clone(&entropy))?;
    for promise in wire::PROMISES {
        let outcome = outcome((promise.check)(&wire, &options.customer).await, &recorder);
        report(CheckedPromise { name: promise.name, about: promise.about, outcome });
    }
    let accounts = facts::account_facts(options);
    let payments = facts::payment_facts(&bank, options, &clocks, entropy.as_ref()).await;
    let pause = async || tokio::time::sleep(options.pause()).await;
    let facts = ContractFacts {
        accounts: Some(&accounts),
        exchange: None,
        payments: payments.as_ref().map(|facts| (facts, &pause as _)),
    };
    for promise in list_promises() {
        let checking = promise.check(&bank, &facts);
        recorder.take_last();
        let outcome = match (promise.effect, checking) {
            (PromiseEffect::Writes, _) if !options.writes => PromiseOutcome::NotChecked("it writes; use --write"),
            (_, None) => PromiseOutcome::NotChecked("the core has nothing to check it with"),
            (_, Some(checking)) => outcome(checking.await, &recorder),
        };
        report(CheckedPromise { name: promise.name, about: promise.about, outcome });
    }
    Ok(())
}

fn outcome<E: std::fmt::Display>(checked: Result<(), E>, recorder: &ExchangeRecorder) -> PromiseOutcome {
    match checked {
        Ok(()) => PromiseOutcome::Kept,
        Err(violation) => PromiseOutcome::Broken { seen: violation.to_string(), exchange: recorder.take_last() },
    }
}

/// A check holds back no updates.
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
