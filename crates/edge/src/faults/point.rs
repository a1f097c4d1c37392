//! The point at which a fault applies: after the client was authenticated, before any work is done.
//!
//! Code that authenticates clients calls [`apply_fault`], which has an effect only in a task that a sandbox's [`FaultInjection`] started
//! for a request that may have a fault.
//!
//! [`FaultInjection`]: super::FaultInjection

use super::effect::{FaultEffect, InjectedFault};
use super::rule::FaultRules;
use lombard_domain::ids::ClientId;
use lombard_ports::entropy::IdGenerator;
use std::sync::{Arc, OnceLock};

tokio::task_local! {
    /// The fault point of the request that this task processes.
    static POINT: Arc<FaultPoint>;
}

/// A request to which a fault may apply, at most once.
#[derive(Debug)]
pub(super) struct FaultPoint {
    pub(super) rules: Arc<FaultRules>,
    pub(super) ids: IdGenerator,
    /// The number of the request's operation.
    pub(super) operation: usize,
    /// The fault that the request itself asks for, or why its header cannot be parsed.
    pub(super) requested: Option<Result<FaultEffect, String>>,
    /// The effect that was applied, if any.
    pub(super) applied: OnceLock<Option<FaultEffect>>,
}

impl FaultPoint {
    /// Runs the work of a request with this fault point.
    pub(crate) async fn run_with<W: Future>(self: Arc<Self>, work: W) -> W::Output {
        POINT.scope(self, work).await
    }

    /// Applies a fault to a call of this client, unless one was applied before, and waits for the delay of the fault.
    ///
    /// # Errors
    /// The response that replaces the execution of the call.
    pub(crate) async fn apply_fault(&self, client: Option<&ClientId>) -> Result<(), InjectedFault> {
        let chosen = match &self.requested {
            _ if self.applied.get().is_some() => return Ok(()),
            Some(Err(reason)) => return Err(InjectedFault::BadHeader(reason.clone())),
            Some(Ok(effect)) => Some(effect.clone()),
            None => self.rules.apply_fault(self.operation, client, || self.random()),
        };
        let Some(effect) = self.applied.get_or_init(|| chosen) else { return Ok(()) };
        tracing::info!(client.id = client.map(ClientId::as_str), ?effect, "a fault of a tester strikes a call");
        if let Some(delay) = effect.delay {
            tokio::time::sleep(delay.draw(self.random())).await;
        }
        effect.refusal().map_or(Ok(()), Err)
    }

    fn random(&self) -> u64 {
        let [a, b, c, d, e, f, g, h, ..] = self.ids.random_secret();
        u64::from_le_bytes([a, b, c, d, e, f, g, h])
    }
}

/// Applies an injected fault, if there is one, to the call of this authenticated client. Outside a sandbox there are no faults.
///
/// # Errors
/// The response that replaces the execution of the call.
pub async fn apply_fault(client: &ClientId) -> Result<(), InjectedFault> {
    let Ok(point) = POINT.try_with(Arc::clone) else { return Ok(()) };
    // The future is boxed, because every call would otherwise need memory for it.
    Box::pin(async move { point.apply_fault(Some(client)).await }).await
}

/// Whether a fault may apply to the request that this task processes.
pub fn has_fault_point() -> bool {
    POINT.try_with(|_| ()).is_ok()
}
