//! The JSON of the operations on signing keys. Source: AS-007, AS-008.

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
    /// The `kid` of the key.
    pub kid: KeyId,
    /// The origin of the private key: `made` here, a `file`, or the security module (`token`).
    pub origin: String,
    /// The label of the key in the security module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// `waiting` for its certificate, `announced`, `signing`, `verifying`, or `unusable` here.
    pub state: String,
    /// When an announced key begins to sign (wall clock, RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signs_from: Option<String>,
    /// When the key stops signing or, if it only verifies, when it is removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// The certificate of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<KeyCertificateView>,
}

/// The certificate of a signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyCertificateView {
    /// The subject, as in RFC 4514.
    pub subject: String,
    /// The serial number, hexadecimal with colons.
    pub serial: String,
    /// The last instant of the validity period (RFC 3339).
    pub not_after: String,
}

/// The order to make a request for a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRequestCommand {
    /// The key; if absent, a new key is generated, which waits for its certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid: Option<KeyId>,
}

/// A request for a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRequestView {
    /// The `kid` of the key.
    pub kid: KeyId,
    /// The request (PKCS#10, PEM).
    pub request: String,
}

/// The order to import data of a signing key.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyImportCommand {
    /// The id of the key in the directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid: Option<KeyId>,
    /// The certificates of the key, leaf first (PEM).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The private key, if it is not stored yet (PEM, PKCS#8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_key: Option<String>,
    /// The label of a key pair in the security module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl fmt::Debug for KeyImportCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyImportOrder").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// The order to retire a key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRetirementCommand {
    /// When the key stops signing (RFC 3339); if absent, as early as possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// The planned end of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRetirementView {
    /// The `kid` of the key.
    pub kid: KeyId,
    /// When the key stops signing (wall clock, RFC 3339). It is published for seven more days.
    pub until: String,
    /// The `kid` of the key that signs from then on.
    pub successor: KeyId,
}

/// The result of encrypting the stored secrets with the current key-encryption key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecretsResealed {
    /// The number of secrets that were encrypted again.
    pub resealed: usize,
    /// The number of secrets that were already encrypted with that key.
    pub unchanged: usize,
    /// The signing keys that could not be decrypted; they are not changed.
    pub unopened: Vec<KeyId>,
}
