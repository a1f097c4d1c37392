//! The data that the rules of an authorisation request use beside the request.

use jiff::Timestamp;
use lombard_jose::KeySet;

/// What rules know beside the request.
pub(crate) struct RuleContext<'a> {
    /// Our issuer.
    pub issuer: &'a str,
    /// The wall clock.
    pub now: Timestamp,
    /// The keys our own tokens verify with.
    pub our_keys: &'a KeySet,
}
