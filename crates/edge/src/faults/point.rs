//! The point at which a fault applies: after the client was authenticated, before any work is done.
//!
//! Whatever authenticates clients calls [`apply_fault`]. It finds a fault point only while a sandbox's [`FaultInjection`] answers a request
//! that may have a fault.
//!
//! [`FaultInjection`]: super::FaultInjection

use super::effect::{FaultEffect, InjectedFault};
use super::rule::FaultRules;
use lombard_domain::ids::ClientId;
use lombard_ports::entropy::IdGenerator;
use std::sync::{Arc, OnceLock};

tokio::task_local! {
    /// The fault point of the request that this task answers.
    static POINT: Arc<FaultPoint>;
}

/// A request that may be struck, once.
#[derive(Debug)]
pub(super) struct FaultPoint {
    pub(super) rules: Arc<FaultRules>,
    pub(super) ids: IdGenerator,
    /// The number of its operation.
    pub(super) operation: usize,
    /// The fault that the request itself asks for, or why that cannot be read.
    pub(super) asked: Option<Result<FaultEffect, String>>,
    /// What struck it, if anything did.
    pub(super) struck: OnceLock<Option<FaultEffect>>,
}

impl FaultPoint {
    /// Answers the request with this point.
    pub(crate) async fn answering<W: Future>(self: Arc<Self>, work: W) -> W::Output {
        POINT.scope(self, work).await
    }

    /// Has a fault strike a call of this client, unless it was struck before, and waits as long as the fault says.
    ///
    /// # Errors
    /// What the call is answered with instead.
    pub(crate) async fn apply_fault(&self, client: Option<&ClientId>) -> Result<(), InjectedFault> {
        let chosen = match &self.asked {
            _ if self.struck.get().is_some() => return Ok(()),
            Some(Err(reason)) => return Err(InjectedFault::BadHeader(reason.clone())),
            Some(Ok(effect)) => Some(effect.clone()),
            None => self.rules.apply_fault(self.operation, client, || self.random()),
        };
        let Some(effect) = self.struck.get_or_init(|| chosen) else { return Ok(()) };
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

/// Has a fault strike the call of this client, which was authenticated, if one is planted. Outside a sandbox there is none.
///
/// # Errors
/// What the call is answered with instead of being carried out.
pub async fn apply_fault(client: &ClientId) -> Result<(), InjectedFault> {
    let Ok(point) = POINT.try_with(Arc::clone) else { return Ok(()) };
    // Boxed: every call has room for what waits here.
    Box::pin(async move { point.apply_fault(Some(client)).await }).await
}

/// Whether a fault may strike the request that this task answers.
pub fn may_be_struck() -> bool {
    POINT.try_with(|_| ()).is_ok()
}
