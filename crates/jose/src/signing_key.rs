//! Private keys that sign.

use crate::PublicKey;
use crate::external_key::{ExternalKey, KeyError};
use crate::signing_input::digest_of;
use aws_lc_rs::digest::Digest;
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair, RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lombard_domain::ids::KeyId;
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject;
use std::fmt;
use std::sync::Arc;
use x509_parser::prelude::FromDer;
use x509_parser::public_key::RSAPublicKey;
use zeroize::Zeroizing;

/// An RSA private key, which is parsed once or held outside this program.
pub struct SigningKey {
    id: KeyId,
    private: PrivateKey,
    public: PublicKey,
    public_der: Vec<u8>,
}

enum PrivateKey {
    Local(RsaKeyPair),
    External(Arc<dyn ExternalKey>),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("id", &self.id).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Generates a key of 2048 bits. This takes tens to hundreds of milliseconds of CPU time.
    ///
    /// # Errors
    /// [`KeyError::Generation`].
    pub fn generate() -> Result<Self, KeyError> {
        Self::local(RsaKeyPair::generate(KeySize::Rsa2048).map_err(|_| KeyError::Generation)?)
    }

    /// Reads a key from PKCS#8 DER.
    ///
    /// # Errors
    /// [`KeyError::Rejected`].
    pub fn from_pkcs8_der(der: &[u8]) -> Result<Self, KeyError> {
        Self::local(RsaKeyPair::from_pkcs8(der).map_err(|_| KeyError::Rejected)?)
    }

    /// Reads a key from the first `PRIVATE KEY` section of a PEM text.
    ///
    /// # Errors
    /// [`KeyError::Rejected`].
    pub fn from_pkcs8_pem(pem: &str) -> Result<Self, KeyError> {
        let section = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| KeyError::Rejected)?;
        Self::from_pkcs8_der(section.secret_pkcs8_der())
    }

    /// Makes a key that another program or device holds. `public_der` is its public key, as the DER of an `RSAPublicKey`.
    ///
    /// # Errors
    /// [`KeyError::Rejected`] if the public key is not one of 2048 to 8192 bits.
    pub fn external(public_der: &[u8], key: Arc<dyn ExternalKey>) -> Result<Self, KeyError> {
        Self::new(PrivateKey::External(key), public_der.to_vec())
    }

    fn local(pair: RsaKeyPair) -> Result<Self, KeyError> {
        let public_der = pair.public_key().as_ref().to_vec();
        Self::new(PrivateKey::Local(pair), public_der)
    }

    fn new(private: PrivateKey, public_der: Vec<u8>) -> Result<Self, KeyError> {
        let (_, components) = RSAPublicKey::from_der(&public_der).map_err(|_| KeyError::Rejected)?;
        let public = PublicKey::rsa(components.modulus, components.exponent).ok_or(KeyError::Rejected)?;
        let id = public.thumbprint();
        Ok(Self { public: public.with_id(id.clone()), id, private, public_der })
    }

    /// Sets an id in place of the thumbprint.
    #[must_use]
    pub fn with_id(self, id: KeyId) -> Self {
        Self { public: self.public.with_id(id.clone()), id, ..self }
    }

    /// The key outside this program, if the private key is held there.
    pub fn external_key(&self) -> Option<&Arc<dyn ExternalKey>> {
        match &self.private {
            PrivateKey::Local(_) => None,
            PrivateKey::External(key) => Some(key),
        }
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
        &self.public_der
    }

    /// The key as PKCS#8 DER.
    ///
    /// # Errors
    /// [`KeyError::Generation`]; [`KeyError::Held`] for a key outside this program.
    pub fn pkcs8_der(&self) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let PrivateKey::Local(pair) = &self.private else { return Err(KeyError::Held) };
        let der: Pkcs8V1Der<'_> = pair.as_der().map_err(|_| KeyError::Generation)?;
        Ok(Zeroizing::new(der.as_ref().to_vec()))
    }

    /// The key as PKCS#8 PEM.
    ///
    /// # Errors
    /// As [`pkcs8_der`](Self::pkcs8_der).
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
    /// [`KeyError::Signing`]; [`KeyError::Unavailable`] for a key outside this program that cannot be reached.
    pub fn sign_ps256(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        self.sign_ps256_digest(&digest_of(message))
    }

    /// Like [`sign_ps256`](Self::sign_ps256), for a message digested with SHA-256.
    pub(crate) fn sign_ps256_digest(&self, message: &Digest) -> Result<Vec<u8>, KeyError> {
        match &self.private {
            PrivateKey::Local(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign_digest(&RSA_PSS_SHA256, message, &mut signature).map_err(|_| KeyError::Signing)?;
                Ok(signature)
            }
            PrivateKey::External(key) => {
                let digest = message.as_ref().try_into().map_err(|_| KeyError::Signing)?;
                key.sign_ps256_digest(digest)
            }
        }
    }

    /// The signature of a request for a certificate: RSASSA-PKCS1-v1_5 with SHA-256, which every authority accepts. Messages must be signed
    /// with PS256 instead. Source: RFC 4055 section 5.
    ///
    /// # Errors
    /// As [`sign_ps256`](Self::sign_ps256).
    pub fn sign_certificate_request(&self, request: &[u8]) -> Result<Vec<u8>, KeyError> {
        match &self.private {
            PrivateKey::Local(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                let signed = pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), request, &mut signature);
                signed.map_err(|_| KeyError::Signing)?;
                Ok(signature)
            }
            PrivateKey::External(key) => key.sign_certificate_request(request),
        }
    }
}
