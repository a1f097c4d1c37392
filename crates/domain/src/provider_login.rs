//! A login that is under way at the bank's identity provider.

use crate::grant::Digest;
use jiff::Timestamp;

/// A login for which a browser was sent to the provider. Its answer is taken once, from that browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderLogin {
    /// SHA-256 of the `state` parameter, which the answer brings back.
    pub state: Digest,
    /// What is logged in to: one journey, one session or one approval. It has one login under way at most.
    pub subject: String,
    /// SHA-256 of the browser's cookie secret when it was sent. Source: AS-141.
    pub browser: Digest,
    /// What the answer is for and is checked with, a JSON document of `lombard-auth`.
    pub request: String,
    /// When the answer comes too late (wall clock).
    pub expires_at: Timestamp,
}
