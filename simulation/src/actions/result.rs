//! Actions in progress, and their results.

use lombard_domain::consent::Consent;
use lombard_domain::payment::order::{Order, OrderView};
use lombard_service::Failure;
use std::pin::Pin;

/// An action in progress.
pub(crate) type RunningAction = Pin<Box<dyn Future<Output = ActionResult>>>;

/// The result of an action.
#[derive(Debug)]
pub(crate) enum ActionResult {
    /// A TPP was answered.
    Answered(Box<Result<MadeResource, Failure>>),
    /// A customer decided on a consent, or on none because no choice was possible.
    Decided(Result<Option<Box<Consent>>, Failure>),
    /// A customer approved or refused an order, or none because none was pending.
    Countersigned(Result<Option<Box<Order>>, Failure>),
    /// Another action ended.
    Ended(Result<(), Failure>),
}

impl ActionResult {
    /// The failure, if it did not succeed.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answered(answer) => answer.as_ref().as_ref().err(),
            Self::Decided(decided) => decided.as_ref().err(),
            Self::Countersigned(said) => said.as_ref().err(),
            Self::Ended(ended) => ended.as_ref().err(),
        }
    }
}

/// The resource returned to a TPP.
#[derive(Debug)]
pub(crate) enum MadeResource {
    /// A consent.
    Consent(Box<Consent>),
    /// An order.
    Order(Box<OrderView>),
    /// The file was accepted.
    File,
}
