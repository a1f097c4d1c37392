//! Signing keys as an operator sees them, and the changes an operator asks for. Source: AS-007, AS-008.

use lombard_domain::ids::KeyId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// All signing keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyListView {
    /// The keys, oldest first.
    pub keys: Vec<KeyView>,
}

/// A signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// Its `kid`.
    pub kid: KeyId,
    /// Where its private part comes from: `made` here, a `file`, or the security module (`token`).
    pub origin: String,
    /// Its label in the security module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// `waiting` for its certificate, `announced`, `signing`, `verifying`, or `unusable` here.
    pub state: String,
    /// When an announced key begins to sign (wall clock, RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signs_from: Option<String>,
    /// When the key stops signing, or, of one that verifies only, when it is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Its certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<KeyCertificateView>,
}

/// The certificate of a signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyCertificateView {
    /// Its subject, as in RFC 4514.
    pub subject: String,
    /// Its serial number, hexadecimal with colons.
    pub serial: String,
    /// The last instant of its validity (RFC 3339).
    pub not_after: String,
}

/// What a request for a certificate is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRequestOrder {
    /// The key; a new one is made, which waits for its certificate, if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid: Option<KeyId>,
}

/// A request for a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRequestView {
    /// The key.
    pub kid: KeyId,
    /// The request (PKCS#10, PEM).
    pub request: String,
}

/// What is imported for a signing key.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyImportOrder {
    /// Its id in the directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid: Option<KeyId>,
    /// Its certificates, leaf first (PEM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The private key, if it is not here (PEM, PKCS#8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_key: Option<String>,
    /// The label of a key pair in the security module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl fmt::Debug for KeyImportOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyImportOrder").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// When a key is to stop signing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRetirementOrder {
    /// The moment (RFC 3339); as early as possible if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// The planned end of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRetirementView {
    /// The key.
    pub kid: KeyId,
    /// When it stops signing (wall clock, RFC 3339). It is published for seven days more.
    pub until: String,
    /// The key that signs from then on.
    pub successor: KeyId,
}

/// The stored secrets, sealed with the current key-encryption key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretsResealed {
    /// How many were sealed again.
    pub resealed: usize,
    /// How many were sealed with that key before.
    pub unchanged: usize,
    /// The signing keys that could not be opened, and stay as they are.
    pub unopened: Vec<KeyId>,
}
