//! The planted faults, and the choice of the one that applies to a call.

use super::effect::FaultEffect;
use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use serde_json::Number;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most faults that stand at a time.
pub const FAULTS_MAX: usize = 100;

/// The most faults that the developers of one application plant on its own calls at a time, so that others have room for theirs.
pub const OWN_FAULTS_MAX: usize = 20;

/// A planted fault.
#[derive(Debug, Clone, PartialEq)]
pub struct FaultRule {
    /// The operation that it strikes, as the tester wrote it; all of them if it names none.
    pub(super) operation: Option<String>,
    /// The client whose calls it strikes; those of all clients if it names none.
    pub(super) client_id: Option<ClientId>,
    /// How likely it strikes a call; always unless said.
    pub(super) probability: Option<Probability>,
    /// How often it strikes at most, from now on.
    pub(super) count: Option<u32>,
    /// What it does.
    pub(super) effect: FaultEffect,
    /// The operations that the name means, by their numbers. Empty until it is resolved, and without a name.
    pub(super) operations: Vec<usize>,
}

/// A probability from 0 to 1, as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Probability(pub(super) Number);

impl Probability {
    /// Whether a random number falls within it.
    fn hits(&self, random: u64) -> bool {
        /// How many of a number's bits a fraction holds exactly.
        const BITS: u32 = 53;
        #[allow(clippy::cast_precision_loss, reason = "the bits that are kept fit exactly")]
        let drawn = (random >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64;
        self.0.as_f64().is_some_and(|probability| drawn < probability)
    }
}

impl FaultRule {
    /// Whether it strikes calls of this client alone.
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
    /// Whether there are any, so that calls without faults lock nothing.
    any: AtomicBool,
}

impl FaultRules {
    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// The faults as they stand, each with how often it may strike yet.
    pub(super) fn list(&self) -> Vec<FaultRule> {
        self.rules.lock().clone()
    }

    /// Replaces all of them.
    pub(super) fn replace(&self, rules: Vec<FaultRule>) {
        let mut kept = self.rules.lock();
        self.any.store(!rules.is_empty(), Ordering::Relaxed);
        *kept = rules;
    }

    /// Changes the list as it stands.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Vec<FaultRule>) -> T) -> T {
        let mut kept = self.rules.lock();
        let changed = change(&mut kept);
        self.any.store(!kept.is_empty(), Ordering::Relaxed);
        changed
    }

    /// The effect of the first fault that strikes this call, which counts. `random` draws a number for each fault with a probability.
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
