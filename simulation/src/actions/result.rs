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
    /// A TPP received a response.
    Answered(Box<Result<MadeResource, Failure>>),
    /// A customer decided on a consent; `None` if no decision was possible.
    Decided(Result<Option<Box<Consent>>, Failure>),
    /// A customer approved or refused an order; `None` if no order awaited approval.
    Countersigned(Result<Option<Box<Order>>, Failure>),
    /// Another action ended.
    Ended(Result<(), Failure>),
}

impl ActionResult {
    /// The failure, if the action failed.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answered(answer) => answer.as_ref().as_ref().err(),
            Self::Decided(decided) => decided.as_ref().err(),
            Self::Countersigned(said) => said.as_ref().err(),
            Self::Ended(ended) => ended.as_ref().err(),
        }
    }
}

/// The resource that a TPP received.
#[derive(Debug)]
pub(crate) enum MadeResource {
    /// A consent.
    Consent(Box<Consent>),
    /// An order.
    Order(Box<OrderView>),
    /// The uploaded file was accepted.
    File,
}
