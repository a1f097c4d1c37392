//! The reasons why the server's keys cannot be used or changed.

use jiff::Timestamp;
use lombard_domain::ids::KeyId;
use lombard_ports::store::StoreError;

/// Why the server's keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// A stored key is sealed under another key-encryption key than ours.
    #[error(
        "the signing key {kid} cannot be opened: neither signing.key_encryption_key_file nor \
         signing.other_key_encryption_key_files names the key that it was sealed with"
    )]
    Sealed {
        /// The key's id.
        kid: KeyId,
    },
    /// A key is in a security module, and none is configured here.
    #[error("the signing key {kid} is in a security module: set signing.pkcs11_module_file on this node too")]
    NoModule {
        /// The key's id.
        kid: KeyId,
    },
    /// A key cannot be read or sealed.
    #[error("the signing key {kid} cannot be used")]
    Key {
        /// The key's id.
        kid: KeyId,
        /// What is wrong with it.
        #[source]
        source: Source,
    },
    /// No key may sign now.
    #[error("there is no active signing key: run `lombard keys rotate`")]
    NoneActive,
    /// There is no key of this id.
    #[error("there is no signing key {0}")]
    Unknown(KeyId),
    /// What the operator asked for is not possible.
    #[error(transparent)]
    Refused(#[from] KeyRefusal),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

pub(super) type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why keys are not changed as an operator asks. The texts are shown to the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyRefusal {
    /// A certificate cannot be used.
    #[error("the certificate number {number} cannot be used: {reason}")]
    Certificate {
        /// Its place in the chain, the first being 1.
        number: usize,
        /// What is wrong with it.
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
    /// There is neither a certificate nor a key to import.
    #[error("there is nothing to import: give a certificate, a private key, or both")]
    Nothing,
    /// The id belongs to another key.
    #[error("the kid {0} belongs to another signing key")]
    KidTaken(KeyId),
    /// The text cannot be the id of a key.
    #[error("a kid is 1 to 128 letters, digits, hyphens and underscores")]
    KidForm,
    /// The key has signed and does not any more.
    #[error("the key {0} has stopped signing and does not begin again")]
    Ended(KeyId),
    /// The key does not sign, so it cannot stop.
    #[error("the key {0} does not sign; `lombard keys withdraw` removes one that is not to sign")]
    NotSigning(KeyId),
    /// A key signs too soon after its publication.
    #[error("the next key may not sign before {0}: keys are published for an hour before they sign")]
    TooSoon(Timestamp),
}
