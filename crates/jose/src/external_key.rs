//! Private keys outside this program, such as in a hardware security module.

use std::fmt;
use std::sync::Arc;

/// Why a private key could not be made or used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The input is not an unencrypted PKCS#8 RSA key of 2048 to 8192 bits.
    #[error("not an RSA private key of 2048 to 8192 bits in PKCS#8")]
    Rejected,
    /// The cryptographic library could not generate or encode a key.
    #[error("the key could not be made")]
    Generation,
    /// The cryptographic library could not sign.
    #[error("the signature could not be made")]
    Signing,
    /// The header to sign names another algorithm than PS256.
    #[error("the header names another algorithm than PS256")]
    Algorithm,
    /// The security module cannot be reached, or it refuses; a later call may succeed.
    #[error("the security module that holds the key does not answer")]
    Unavailable,
    /// The security module has no RSA key with this label, or has several.
    #[error("the security module does not have exactly one RSA key pair with this label")]
    UnknownLabel,
    /// The private key cannot be exported from the security module.
    #[error("the private key does not leave the security module")]
    Held,
}

/// A private RSA key that is held outside this program. Calls block until the holder responds or fails.
pub trait ExternalKey: Send + Sync + fmt::Debug {
    /// The name of the key at the holder.
    fn label(&self) -> &str;

    /// The PS256 signature of a message with this SHA-256 digest: RSASSA-PSS, MGF1 with SHA-256, a salt of 32 bytes.
    ///
    /// # Errors
    /// [`KeyError::Unavailable`], [`KeyError::UnknownLabel`], [`KeyError::Signing`].
    fn sign_ps256_digest(&self, digest: &[u8; 32]) -> Result<Vec<u8>, KeyError>;

    /// The signature of a request for a certificate: RSASSA-PKCS1-v1_5 with SHA-256.
    ///
    /// # Errors
    /// As [`sign_ps256_digest`](Self::sign_ps256_digest).
    fn sign_certificate_request(&self, request: &[u8]) -> Result<Vec<u8>, KeyError>;
}

/// A device or program that holds private keys outside this program. Calls block.
pub trait SecurityModule: Send + Sync + fmt::Debug {
    /// The key with this label. Whether it exists is determined only when it signs.
    fn external_key(&self, label: &str) -> Arc<dyn ExternalKey>;

    /// The public key of the RSA key pair with this label, as the DER of an `RSAPublicKey`.
    ///
    /// # Errors
    /// [`KeyError::Unavailable`], [`KeyError::UnknownLabel`].
    fn read_public_key(&self, label: &str) -> Result<Vec<u8>, KeyError>;

    /// Generates an RSA key pair of 2048 bits, whose private key does not leave the module, under this label; returns the
    /// public key as [`read_public_key`](Self::read_public_key) does.
    ///
    /// # Errors
    /// [`KeyError::Unavailable`], [`KeyError::Generation`].
    fn generate_key(&self, label: &str) -> Result<Vec<u8>, KeyError>;

    /// The reason why the module refused the last login, as long as no further login is attempted. A module that counts failed logins
    /// locks after a few of them.
    fn refused_login(&self) -> Option<String>;

    /// Logs in to the module, also after a refusal.
    ///
    /// # Errors
    /// [`KeyError::Unavailable`]; [`refused_login`](Self::refused_login) then states whether the login was refused.
    fn log_in(&self) -> Result<(), KeyError>;
}
