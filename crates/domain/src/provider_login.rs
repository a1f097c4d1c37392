//! A login that is in progress at the bank's identity provider.

use crate::grant::Digest;
use jiff::Timestamp;

/// A login for which a browser was redirected to the identity provider. The provider's answer is accepted once, and only from
/// that browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderLogin {
    /// SHA-256 of the `state` parameter, which the answer brings back.
    pub state: Digest,
    /// The journey, session or approval for which the customer logs in. Each has at most one login in progress.
    pub subject: String,
    /// SHA-256 of the browser's cookie secret at the time of the redirect. Source: AS-141.
    pub browser: Digest,
    /// The purpose of the login and the values by which the answer is verified, a JSON document of `lombard-auth`.
    pub request: String,
    /// When the login expires; a later answer is rejected (wall clock).
    pub expires_at: Timestamp,
}
