//! The transport of calls to a core: HTTP, or in a simulation a double that loses, delays and repeats calls.

use crate::meters;
use async_trait::async_trait;
use lombard_core_api::calls::{AnswerForm, CoreCall, Method, read_answer, write_request};
use lombard_core_api::form::faults::FormFault;
use lombard_ports::bank::{BankError, CallContext};
use std::fmt;
use std::sync::Arc;

/// Carries calls to a core.
#[async_trait]
pub trait CoreTransport: Send + Sync + fmt::Debug {
    /// Sends a request (JSON) and returns the body of the answer; `None` for an answer without one.
    ///
    /// # Errors
    /// [`BankError`] if the core has not answered or has answered with an error.
    async fn exchange(
        &self,
        method: &'static Method,
        context: &CallContext,
        body: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, BankError>;
}

/// Makes calls of a core. Clones share the transport.
#[derive(Debug, Clone)]
pub(crate) struct CoreCalls(Arc<dyn CoreTransport>);

impl CoreCalls {
    /// Uses this transport.
    pub(crate) fn new(transport: Arc<dyn CoreTransport>) -> Self {
        Self(transport)
    }

    /// Calls a method and reads its answer.
    pub(crate) async fn call<C: CoreCall>(
        &self,
        context: &CallContext,
        arguments: &C,
    ) -> Result<<C::Answer as AnswerForm>::Value, BankError> {
        let body = write_request(context, arguments);
        let answer = self.0.exchange(C::METHOD, context, body).await?;
        read_answer::<C>(answer.as_deref()).map_err(|faults| {
            meters::count_unreadable(C::METHOD.name);
            BankError::Broken(describe_faults(C::METHOD.name, &faults))
        })
    }
}

/// The most faults that an error lists.
const FAULTS_NAMED_MAX: usize = 20;

/// The faults of a message with their paths.
pub(crate) fn describe_faults(method: &str, faults: &[FormFault]) -> String {
    let named: Vec<_> = faults.iter().take(FAULTS_NAMED_MAX).map(|it| format!("{}: {}", it.path, it.message)).collect();
    format!("{method}: {}", named.join(" "))
}
