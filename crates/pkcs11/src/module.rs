//! Implements the port for security modules.

use crate::error::TokenError;
use crate::sessions::SessionPool;
use crate::settings::Pkcs11Settings;
use cryptoki::mechanism::rsa::{PkcsMgfType, PkcsPssParams};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::object::{Attribute, AttributeType, ObjectClass};
use lombard_jose::{ExternalKey, KeyError, SecurityModule};
use std::fmt;
use std::sync::Arc;

/// A token of a security module. Clones share its sessions. Calls block.
#[derive(Debug, Clone)]
pub struct Pkcs11Module(Arc<SessionPool>);

impl Pkcs11Module {
    /// A module with these settings. The library is loaded at the first call.
    pub fn new(settings: Pkcs11Settings) -> Self {
        Self(Arc::new(SessionPool::new(settings)))
    }
}

impl SecurityModule for Pkcs11Module {
    fn external_key(&self, label: &str) -> Arc<dyn ExternalKey> {
        Arc::new(TokenKey { sessions: Arc::clone(&self.0), label: label.to_owned() })
    }

    fn read_public_key(&self, label: &str) -> Result<Vec<u8>, KeyError> {
        let key = self.0.call("find", |session| {
            // A token may hold imported keys without a public key object; the private key object has the same attributes.
            let key = session.private_key(label)?;
            let key = session.find_one(ObjectClass::PUBLIC_KEY, label).unwrap_or(key);
            public_key(&session.session.get_attributes(key, &[AttributeType::Modulus, AttributeType::PublicExponent])?)
        });
        Ok(key?)
    }

    fn refused_login(&self) -> Option<String> {
        self.0.refused_login()
    }

    fn log_in(&self) -> Result<(), KeyError> {
        Ok(self.0.log_in()?)
    }

    fn generate_key(&self, label: &str) -> Result<Vec<u8>, KeyError> {
        let key = self.0.call("generate", |session| {
            let name = || Attribute::Label(label.as_bytes().to_vec());
            let public = [
                Attribute::Token(true),
                Attribute::Verify(true),
                Attribute::ModulusBits(2048.into()),
                Attribute::PublicExponent(vec![1, 0, 1]),
                name(),
            ];
            let private = [
                Attribute::Token(true),
                Attribute::Private(true),
                Attribute::Sensitive(true),
                Attribute::Extractable(false),
                Attribute::Sign(true),
                name(),
            ];
            let generated = session.session.generate_key_pair(&Mechanism::RsaPkcsKeyPairGen, &public, &private);
            let (public, _) = generated?;
            let asked = [AttributeType::Modulus, AttributeType::PublicExponent];
            public_key(&session.session.get_attributes(public, &asked)?)
        });
        Ok(key?)
    }
}

/// Encodes a public key as the DER of an `RSAPublicKey`. Source: RFC 8017 appendix A.1.1.
fn public_key(attributes: &[Attribute]) -> Result<Vec<u8>, TokenError> {
    let mut modulus = None;
    let mut exponent = None;
    for attribute in attributes {
        match attribute {
            Attribute::Modulus(bytes) => modulus = Some(bytes),
            Attribute::PublicExponent(bytes) => exponent = Some(bytes),
            _ => {}
        }
    }
    let (Some(modulus), Some(exponent)) = (modulus, exponent) else { return Err(TokenError::UnknownLabel) };
    Ok(yasna::construct_der(|writer| {
        writer.write_sequence(|writer| {
            writer.next().write_bigint_bytes(modulus, true);
            writer.next().write_bigint_bytes(exponent, true);
        });
    }))
}

/// A private key in the token.
struct TokenKey {
    sessions: Arc<SessionPool>,
    label: String,
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKey").field("label", &self.label).finish_non_exhaustive()
    }
}

impl TokenKey {
    fn sign(&self, mechanism: &Mechanism<'_>, data: &[u8]) -> Result<Vec<u8>, KeyError> {
        let signed = self.sessions.call("sign", |session| {
            let key = session.private_key(&self.label)?;
            Ok(session.session.sign(mechanism, key, data)?)
        });
        // The key existed when it was imported or generated, so a module that does not find it is not the configured one.
        signed.map_err(|_| KeyError::Unavailable)
    }
}

impl ExternalKey for TokenKey {
    fn label(&self) -> &str {
        &self.label
    }

    fn sign_ps256_digest(&self, digest: &[u8; 32]) -> Result<Vec<u8>, KeyError> {
        // The digest is computed here, because bodies are not sent to the module and large files are never in memory as a whole.
        let parameters =
            PkcsPssParams { hash_alg: MechanismType::SHA256, mgf: PkcsMgfType::MGF1_SHA256, s_len: 32.into() };
        self.sign(&Mechanism::RsaPkcsPss(parameters), digest)
    }

    fn sign_certificate_request(&self, request: &[u8]) -> Result<Vec<u8>, KeyError> {
        self.sign(&Mechanism::Sha256RsaPkcs, request)
    }
}
