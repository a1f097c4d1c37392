//! The check that refused a request.

use super::text::without_secrets;
use lombard_auth::FailedCheck;
use std::borrow::Cow;

/// The check that refused a request. A response extension, for the log only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedBy {
    /// The id of the rule, as `docs/reference/rules.md` lists it.
    pub(crate) rule: &'static str,
    /// The fault, in a sentence without a value of the request; it may contain a member's name from the request.
    pub(crate) reason: Cow<'static, str>,
}

impl RefusedBy {
    /// Makes the refusal under this rule.
    pub(crate) fn new(rule: &'static str, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { rule, reason: reason.into() }
    }

    /// The refusal in the masked form of the log.
    pub(super) fn masked(&self) -> Self {
        Self::new(self.rule, without_secrets(&self.reason).into_owned())
    }
}

/// The `Id` of the error in a response's body, by which the request can be found. A response extension. Source: RW-122.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnsweredErrorId(pub(crate) Box<str>);

/// The effect of the fault that was applied to a response. A response extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InjectedEffect(pub(crate) Box<str>);

/// Marks a response whose body a cache keeps too, so that a record can share it. A response extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BodyIsCached;

impl From<FailedCheck> for RefusedBy {
    fn from(FailedCheck { rule, reason }: FailedCheck) -> Self {
        Self::new(rule, reason)
    }
}
