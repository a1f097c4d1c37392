//! What is being done, and what came of it.

use lombard_domain::consent::Consent;
use lombard_domain::order::{Order, OrderView};
use lombard_service::Failure;
use std::pin::Pin;

/// Something that is being done.
pub(crate) type RunningAction = Pin<Box<dyn Future<Output = ActionResult>>>;

/// What came of it.
#[derive(Debug)]
pub(crate) enum ActionResult {
    /// A TPP was answered.
    Answered(Box<Result<MadeResource, Failure>>),
    /// A customer decided on a consent; or on none, for nothing fitted.
    Decided(Result<Option<Box<Consent>>, Failure>),
    /// A customer said something to an order; or to none, for none waited.
    Countersigned(Result<Option<Box<Order>>, Failure>),
    /// Somebody else came to an end.
    Ended(Result<(), Failure>),
}

impl ActionResult {
    /// Why it did not succeed.
    pub(crate) fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Answered(answer) => answer.as_ref().as_ref().err(),
            Self::Decided(decided) => decided.as_ref().err(),
            Self::Countersigned(said) => said.as_ref().err(),
            Self::Ended(ended) => ended.as_ref().err(),
        }
    }
}

/// What a TPP was answered with.
#[derive(Debug)]
pub(crate) enum MadeResource {
    /// A consent.
    Consent(Box<Consent>),
    /// An order.
    Order(Box<OrderView>),
    /// That the file was taken.
    File,
}
