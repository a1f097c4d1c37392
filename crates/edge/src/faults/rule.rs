//! The injected faults, and the choice of the one that applies to a call.

use super::effect::FaultEffect;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use serde_json::Number;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most faults of a process.
pub const FAULTS_MAX: usize = 100;

/// The most faults of one client's own calls, so that others can inject faults too.
pub const CLIENT_FAULTS_MAX: usize = 20;

/// An injected fault.
#[derive(Debug, Clone, PartialEq)]
pub struct FaultRule {
    /// The operation to which the fault applies, as the tester wrote it; `None` for all operations.
    pub(super) operation: Option<String>,
    /// The client to whose calls the fault applies; `None` for all clients.
    pub(super) client_id: Option<ClientId>,
    /// The probability that the fault applies to a call; `None` for every call.
    pub(super) probability: Option<Probability>,
    /// The number of further calls to which the fault applies; `None` for no limit.
    pub(super) count: Option<u32>,
    /// The effect of the fault.
    pub(super) effect: FaultEffect,
    /// The numbers of the operations that the name matches. Empty before the name is resolved, and without a name.
    pub(super) operations: Vec<usize>,
}

/// A probability from 0 to 1, as the tester wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probability(pub(super) Number);

impl Probability {
    /// Whether a random number is below the probability.
    fn hits(&self, random: u64) -> bool {
        /// The number of bits that a floating-point fraction holds exactly.
        const BITS: u32 = 53;
        #[allow(clippy::cast_precision_loss, reason = "the bits that are kept fit exactly")]
        let drawn = (random >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64;
        self.0.as_f64().is_some_and(|probability| drawn < probability)
    }
}

impl FaultRule {
    /// Whether the fault applies to calls of this client alone.
    pub(super) fn is_of(&self, client: &ClientId) -> bool {
        self.client_id.as_ref() == Some(client)
    }

    fn is_about(&self, operation: usize, client: Option<&ClientId>) -> bool {
        let names_operation = self.operation.is_none() || self.operations.contains(&operation);
        names_operation && (self.client_id.is_none() || self.client_id.as_ref() == client)
    }
}

/// The faults of a process.
#[derive(Debug, Default)]
pub(super) struct FaultRules {
    rules: Mutex<Vec<FaultRule>>,
    /// Whether there are faults, so that calls without faults take no lock.
    any: AtomicBool,
}

impl FaultRules {
    /// Whether there are faults.
    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// The current faults, each with its remaining count.
    pub(super) fn list(&self) -> Vec<FaultRule> {
        self.rules.lock().clone()
    }

    /// Replaces all faults.
    pub(super) fn replace(&self, rules: Vec<FaultRule>) {
        let mut kept = self.rules.lock();
        self.any.store(!rules.is_empty(), Ordering::Relaxed);
        *kept = rules;
    }

    /// Changes the current list.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Vec<FaultRule>) -> T) -> T {
        let mut kept = self.rules.lock();
        let changed = change(&mut kept);
        self.any.store(!kept.is_empty(), Ordering::Relaxed);
        changed
    }

    /// Returns the effect of the first fault that applies to this call, and decrements its count. `random` returns a number for each fault
    /// with a probability.
    pub(crate) fn apply_fault(
        &self,
        operation: usize,
        client: Option<&ClientId>,
        random: impl Fn() -> u64,
    ) -> Option<FaultEffect> {
        let mut rules = self.rules.lock();
        let hits = |rule: &FaultRule| rule.probability.as_ref().is_none_or(|probability| probability.hits(random()));
        let index = rules.iter().position(|rule| rule.is_about(operation, client) && hits(rule))?;
        let rule = rules.get_mut(index)?;
        let effect = rule.effect.clone();
        if let Some(count) = &mut rule.count {
            *count = count.saturating_sub(1);
            if *count == 0 {
                rules.remove(index);
                self.any.store(!rules.is_empty(), Ordering::Relaxed);
            }
        }
        Some(effect)
    }
}
