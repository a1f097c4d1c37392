//! Private keys that sign.

use crate::PublicKey;
use crate::signing_input::digest_of;
use aws_lc_rs::digest::Digest;
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair, RSA_PSS_SHA256, RsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lombard_domain::ids::KeyId;
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject;
use std::fmt;
use x509_parser::prelude::FromDer;
use x509_parser::public_key::RSAPublicKey;
use zeroize::Zeroizing;

/// Why a private key could not be made or used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It is not an unencrypted PKCS#8 RSA key of 2048 to 8192 bits.
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
}

/// An RSA private key, parsed once.
pub struct SigningKey {
    id: KeyId,
    pair: RsaKeyPair,
    public: PublicKey,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("id", &self.id).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Generates a key of 2048 bits. Takes tens to hundreds of milliseconds of CPU time.
    ///
    /// # Errors
    /// [`KeyError::Generation`].
    pub fn generate() -> Result<Self, KeyError> {
        Self::new(RsaKeyPair::generate(KeySize::Rsa2048).map_err(|_| KeyError::Generation)?)
    }

    /// Reads a key from PKCS#8 DER.
    ///
    /// # Errors
    /// [`KeyError::Rejected`].
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, KeyError> {
        Self::new(RsaKeyPair::from_pkcs8(der).map_err(|_| KeyError::Rejected)?)
    }

    /// Reads a key from the first `PRIVATE KEY` section of a PEM text.
    ///
    /// # Errors
    /// [`KeyError::Rejected`].
    pub fn from_pkcs8_pem(pem: &str) -> Result<Self, KeyError> {
        let section = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| KeyError::Rejected)?;
        Self::from_pkcs8_der(section.secret_pkcs8_der())
    }

    fn new(pair: RsaKeyPair) -> Result<Self, KeyError> {
        let (_, components) = RSAPublicKey::from_der(pair.public_key().as_ref()).map_err(|_| KeyError::Rejected)?;
        let public = PublicKey::rsa(components.modulus, components.exponent).ok_or(KeyError::Rejected)?;
        let id = public.thumbprint();
        Ok(Self { public: public.with_id(id.clone()), id, pair })
    }

    /// The same key with an id other than its thumbprint.
    #[must_use]
    pub fn with_id(self, id: KeyId) -> Self {
        Self { public: self.public.with_id(id.clone()), id, pair: self.pair }
    }

    /// The `kid`: the RFC 7638 thumbprint, unless set otherwise.
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    /// The public key.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The public key as the DER of an `RSAPublicKey`, for certificates. Source: RFC 8017 appendix A.1.1.
    pub fn public_der(&self) -> &[u8] {
        self.pair.public_key().as_ref()
    }

    /// The key as PKCS#8 DER.
    ///
    /// # Errors
    /// [`KeyError::Generation`].
    pub fn pkcs8_der(&self) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let der: Pkcs8V1Der<'_> = self.pair.as_der().map_err(|_| KeyError::Generation)?;
        Ok(Zeroizing::new(der.as_ref().to_vec()))
    }

    /// The key as PKCS#8 PEM.
    ///
    /// # Errors
    /// [`KeyError::Generation`].
    pub fn pkcs8_pem(&self) -> Result<Zeroizing<String>, KeyError> {
        let body = Zeroizing::new(STANDARD.encode(self.pkcs8_der()?.as_slice()));
        // The buffer is allocated in full: a growing buffer would leave copies of the key.
        let mut pem = Zeroizing::new(String::with_capacity(body.len() + body.len() / 64 + 64));
        pem.push_str("-----BEGIN PRIVATE KEY-----\n");
        for (at, letter) in body.chars().enumerate() {
            if at > 0 && at % 64 == 0 {
                pem.push('\n');
            }
            pem.push(letter);
        }
        pem.push_str("\n-----END PRIVATE KEY-----\n");
        Ok(pem)
    }

    /// The PS256 signature of the message: RSASSA-PSS with SHA-256, MGF1 with SHA-256, and a salt of 32 bytes. Takes
    /// about 250 µs of CPU time; a server uses the [`SigningPool`](crate::SigningPool) instead.
    ///
    /// # Errors
    /// [`KeyError::Signing`].
    pub fn sign_ps256(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        self.sign_ps256_digest(&digest_of(message))
    }

    /// Like [`sign_ps256`](Self::sign_ps256), for a message digested with SHA-256.
    pub(crate) fn sign_ps256_digest(&self, message: &Digest) -> Result<Vec<u8>, KeyError> {
        let mut signature = vec![0; self.pair.public_modulus_len()];
        self.pair.sign_digest(&RSA_PSS_SHA256, message, &mut signature).map_err(|_| KeyError::Signing)?;
        Ok(signature)
    }
}
