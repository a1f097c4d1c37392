//! The check that refused a request.

use super::text::without_secrets;
use lombard_auth::FailedCheck;
use std::borrow::Cow;

/// On a response that refuses a request: the check that the request did not pass. A response extension, for the log alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedBy {
    /// The id of the rule, as `docs/reference/rules.md` lists it.
    pub(crate) rule: &'static str,
    /// What is wrong, in a sentence that shows no value of the request; the name of a member may be the caller's.
    pub(crate) reason: Cow<'static, str>,
}

impl RefusedBy {
    /// The check of this rule.
    pub(crate) fn new(rule: &'static str, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { rule, reason: reason.into() }
    }

    /// The same as the log shows it.
    pub(super) fn masked(&self) -> Self {
        Self::new(self.rule, without_secrets(&self.reason).into_owned())
    }
}

/// On an answer: the `Id` of the error in its body, by which the request is found too. A response extension. Source: RW-122.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnsweredErrorId(pub(crate) Box<str>);

/// On an answer that a tester's fault struck: what the fault does. A response extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlantedEffect(pub(crate) Box<str>);

/// On an answer whose body is kept elsewhere too, so that a record may refer to it without keeping more in memory. A response
/// extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BodyIsKept;

impl From<FailedCheck> for RefusedBy {
    fn from(FailedCheck { rule, reason }: FailedCheck) -> Self {
        Self::new(rule, reason)
    }
}
