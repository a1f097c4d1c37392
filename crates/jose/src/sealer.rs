//! Encryption of secrets at rest by AES-256-GCM, with a key that is not stored in the database.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use std::fmt;
use zeroize::Zeroizing;

/// The version byte of sealed values.
const FORM: u8 = 1;

/// Why a secret could not be encrypted or decrypted. The error cannot tell whether key, context or bytes are wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The cryptographic library rejected the key or failed.
    #[error("could not be sealed")]
    Seal,
    /// The value was sealed with another key or for another context, or was modified.
    #[error("was sealed with another key, for another place, or was changed since")]
    Open,
}

/// Encrypts (seals) and decrypts (opens) small secrets.
pub struct Sealer {
    key: SealingKey,
    /// Former keys, which only decrypt.
    others: Vec<SealingKey>,
}

struct SealingKey(Zeroizing<[u8; 32]>);

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer")
    }
}

impl Sealer {
    /// Makes a sealer with this key.
    pub fn from_key(key: [u8; 32]) -> Self {
        Self { key: SealingKey(Zeroizing::new(key)), others: Vec::new() }
    }

    /// Adds keys that only decrypt values that were sealed with them.
    #[must_use]
    pub fn opening_also(self, others: impl IntoIterator<Item = [u8; 32]>) -> Self {
        Self { others: others.into_iter().map(|key| SealingKey(Zeroizing::new(key))).collect(), ..self }
    }

    /// Seals a secret for a context. It can only be opened with the same context, so a sealed value cannot be moved to
    /// another row or column.
    ///
    /// # Errors
    /// [`SealError::Seal`].
    pub fn seal_secret(&self, plain: &[u8], context: &[u8]) -> Result<Vec<u8>, SealError> {
        // The buffer is allocated in full: encryption is in place, and a growing buffer would leave copies of the
        // secret.
        let mut body = Vec::with_capacity(plain.len() + AES_256_GCM.tag_len());
        body.extend_from_slice(plain);
        let key = self.key.aead()?;
        let nonce = key.seal_in_place_append_tag(Aad::from(context), &mut body).map_err(|_| SealError::Seal)?;
        let mut sealed = Vec::with_capacity(1 + NONCE_LEN + body.len());
        sealed.push(FORM);
        sealed.extend_from_slice(nonce.as_ref());
        sealed.extend_from_slice(&body);
        Ok(sealed)
    }

    /// Opens a value that was sealed for this context, with the key of this sealer or one of the others.
    ///
    /// # Errors
    /// [`SealError::Open`].
    pub fn open_secret(&self, sealed: &[u8], context: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let keys = std::iter::once(&self.key).chain(&self.others);
        let mut opened = keys.map(|key| key.open(sealed, context));
        opened.find(Result::is_ok).unwrap_or(Err(SealError::Open))
    }

    /// Encrypts with the current key a value that was sealed with another key; `None` if it already has the current key.
    ///
    /// # Errors
    /// [`SealError::Open`] if no key opens it; [`SealError::Seal`].
    pub fn reseal_secret(&self, sealed: &[u8], context: &[u8]) -> Result<Option<Vec<u8>>, SealError> {
        if self.key.open(sealed, context).is_ok() {
            return Ok(None);
        }
        let opened = self.open_secret(sealed, context)?;
        self.seal_secret(&opened, context).map(Some)
    }
}

impl SealingKey {
    fn aead(&self) -> Result<RandomizedNonceKey, SealError> {
        RandomizedNonceKey::new(&AES_256_GCM, self.0.as_slice()).map_err(|_| SealError::Seal)
    }

    fn open(&self, sealed: &[u8], context: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let (form, rest) = sealed.split_first().ok_or(SealError::Open)?;
        if *form != FORM {
            return Err(SealError::Open);
        }
        let (nonce, body) = rest.split_at_checked(NONCE_LEN).ok_or(SealError::Open)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SealError::Open)?;
        let mut plain = Zeroizing::new(body.to_vec());
        let key = self.aead()?;
        let opened = key.open_in_place(nonce, Aad::from(context), plain.as_mut_slice());
        let length = opened.map_err(|_| SealError::Open)?.len();
        plain.truncate(length);
        Ok(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sealed_value_opens_in_its_context_alone() {
        let sealer = Sealer::from_key([7; 32]);
        let sealed = sealer.seal_secret(b"a private key", b"signing_keys:k1").unwrap();
        assert_eq!(sealer.open_secret(&sealed, b"signing_keys:k1").unwrap().as_slice(), b"a private key");
        assert_eq!(sealer.open_secret(&sealed, b"signing_keys:k2"), Err(SealError::Open));
        assert_eq!(Sealer::from_key([8; 32]).open_secret(&sealed, b"signing_keys:k1"), Err(SealError::Open));
        assert_eq!(sealer.open_secret(&[], b"signing_keys:k1"), Err(SealError::Open));
        assert_eq!(sealer.open_secret(&[FORM; 12], b"signing_keys:k1"), Err(SealError::Open));
    }

    #[test]
    fn the_same_secret_never_looks_the_same() {
        let sealer = Sealer::from_key([7; 32]);
        let sealed = sealer.seal_secret(b"a private key", b"").unwrap();
        assert_ne!(sealed, sealer.seal_secret(b"a private key", b"").unwrap());
        assert!(!sealed.windows(7).any(|window| window == b"private"));
    }

    #[test]
    fn another_key_opens_what_it_sealed_until_that_is_sealed_again() {
        let [old, new] = [Sealer::from_key([7; 32]), Sealer::from_key([8; 32])];
        let both = Sealer::from_key([8; 32]).opening_also([[6; 32], [7; 32]]);
        let sealed = old.seal_secret(b"a private key", b"k1").unwrap();
        assert_eq!(new.open_secret(&sealed, b"k1"), Err(SealError::Open));
        assert_eq!(new.reseal_secret(&sealed, b"k1"), Err(SealError::Open));
        assert_eq!(both.open_secret(&sealed, b"k1").unwrap().as_slice(), b"a private key");
        assert_eq!(both.reseal_secret(&sealed, b"k2"), Err(SealError::Open));
        let again = both.reseal_secret(&sealed, b"k1").unwrap().unwrap();
        assert_eq!(new.open_secret(&again, b"k1").unwrap().as_slice(), b"a private key");
        assert_eq!(both.reseal_secret(&again, b"k1"), Ok(None));
        assert_eq!(old.open_secret(&again, b"k1"), Err(SealError::Open));
    }

    proptest! {
        #[test]
        fn a_flipped_bit_keeps_it_shut(plain: Vec<u8>, at: prop::sample::Index, bit in 0..8u8) {
            let sealer = Sealer::from_key([7; 32]);
            let mut sealed = sealer.seal_secret(&plain, b"here").unwrap();
            let opened = sealer.open_secret(&sealed, b"here").unwrap();
            prop_assert_eq!(opened.as_slice(), plain.as_slice());
            let at = at.index(sealed.len());
            sealed[at] ^= 1 << bit;
            prop_assert_eq!(sealer.open_secret(&sealed, b"here"), Err(SealError::Open));
        }
    }
}
