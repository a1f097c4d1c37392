//! The reasons why the server's keys cannot be used or changed.

use jiff::Timestamp;
use lombard_domain::ids::KeyId;
use lombard_ports::store::StoreError;

/// Why the server's keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// A stored key is encrypted with a key-encryption key that is not configured here.
    #[error(
        "the signing key {kid} cannot be opened: neither signing.key_encryption_key_file nor \
         signing.other_key_encryption_key_files names the key that it was sealed with"
    )]
    Sealed {
        /// The id of the key.
        kid: KeyId,
    },
    /// A key is in a security module, but no module is configured here.
    #[error("the signing key {kid} is in a security module: set signing.pkcs11_module_file on this node too")]
    NoModule {
        /// The id of the key.
        kid: KeyId,
    },
    /// A key cannot be parsed or encrypted.
    #[error("the signing key {kid} cannot be used")]
    Key {
        /// The id of the key.
        kid: KeyId,
        /// The reason.
        #[source]
        source: Source,
    },
    /// No key can sign now.
    #[error("there is no active signing key: run `lombard keys rotate`")]
    NoneActive,
    /// There is no key with this id.
    #[error("there is no signing key {0}")]
    Unknown(KeyId),
    /// The change that the operator asked for is not possible.
    #[error(transparent)]
    Refused(#[from] KeyRefusal),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why a change of keys is refused. The texts are shown to the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// A certificate cannot be used.
    #[error("the certificate number {number} cannot be used: {reason}")]
    Certificate {
        /// The position of the certificate in the chain, from 1.
        number: usize,
        /// The reason.
        reason: String,
    },
    /// The certificate is for another key than the private key that came with it.
    #[error("the certificate is for another key than the private key that was given")]
    OtherKey,
    /// The certificate is for none of the keys.
    #[error(
        "the certificate is for none of the signing keys: `lombard keys list` shows them; a private key from elsewhere \
             must be given too"
    )]
    ForNoKey,
    /// The import has neither a certificate nor a key.
    #[error("there is nothing to import: give a certificate, a private key, or both")]
    Nothing,
    /// The id belongs to another key.
    #[error("the kid {0} belongs to another signing key")]
    KidTaken(KeyId),
    /// The text is not a valid id of a key.
    #[error("a kid is 1 to 128 letters, digits, hyphens and underscores")]
    KidForm,
    /// The key has stopped signing.
    #[error("the key {0} has stopped signing and does not begin again")]
    Ended(KeyId),
    /// The key does not sign now, so it cannot be retired.
    #[error("the key {0} does not sign; `lombard keys withdraw` removes one that is not to sign")]
    NotSigning(KeyId),
    /// A key would sign too soon after its publication.
    #[error("the next key may not sign before {0}: keys are published for an hour before they sign")]
    TooSoon(Timestamp),
}
