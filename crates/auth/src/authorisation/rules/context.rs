//! The data that the rules of an authorisation request use beside the request.

use jiff::Timestamp;
use lombard_jose::KeySet;

/// The data that rules use beside the request.
pub(crate) struct RuleContext<'a> {
    /// The issuer of this server.
    pub issuer: &'a str,
    /// The current time of the wall clock.
    pub now: Timestamp,
    /// The keys that verify this server's own tokens.
    pub our_keys: &'a KeySet,
}
