//! The dependencies of every use-case: ports, clocks and ids, the outbox for events, and the bank's payment settings with the
//! quotas and threads that all requests share.

mod consent_quota;
mod file_threads;
mod outbox;
mod payment_settings;

pub(crate) use consent_quota::{COUNTED_FOR, RETRY_SECS};
pub use consent_quota::{ConsentQuota, OPEN_CONSENTS_MAX};
pub use file_threads::FileThreads;
pub use outbox::Outbox;
pub use payment_settings::{FileQuota, PaymentSettings};

use lombard_domain::ids::FapiInteractionId;
use lombard_ports::bank::{Bank, CallContext};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::Store;
use std::sync::Arc;

/// The dependencies of every use-case. Clones share them.
#[derive(Debug, Clone)]
pub struct Context {
    /// Storage.
    pub store: Store,
    /// The port to the bank's core system.
    pub bank: Arc<dyn Bank>,
    /// Both clocks.
    pub clocks: Clocks,
    /// The generator of ids and secrets.
    pub ids: IdGenerator,
    /// The key from which the account ids of TPPs and the ids of orders are derived; the same on every node. Source: AIS-087, PIS-042.
    pub alias_key: Arc<[u8]>,
    /// Raises the events of changes.
    pub outbox: Outbox,
    /// The bank's payment settings.
    pub payments: PaymentSettings,
    /// The context in which the bank is called.
    pub call: Arc<CallContext>,
}

impl Context {
    /// The same context for one request: events that its use-cases raise carry this interaction id as their cause.
    /// Source: SET-016.
    #[must_use]
    pub fn caused_by(&self, call: Option<&FapiInteractionId>) -> Self {
        self.with_call_facts(|known| known.interaction = call.cloned())
    }

    /// The same context for one request with this call context; the request's interaction id becomes the cause of events. Source:
    /// SET-016.
    #[must_use]
    pub fn for_call(&self, call: CallContext) -> Self {
        Self {
            store: self.store.clone(),
            bank: Arc::clone(&self.bank),
            clocks: self.clocks.clone(),
            ids: self.ids.clone(),
            alias_key: Arc::clone(&self.alias_key),
            outbox: self.outbox.caused_by(call.interaction.as_ref()),
            payments: self.payments.clone(),
            call: Arc::new(call),
        }
    }

    /// The same context with more facts about the request.
    #[must_use]
    pub fn with_call_facts(&self, learn: impl FnOnce(&mut CallContext)) -> Self {
        let mut call = (*self.call).clone();
        learn(&mut call);
        self.for_call(call)
    }
}
