//! Public keys as JWKs.

use crate::header::{ES256, PS256};
use crate::signing_input::digest_of;
use crate::{base64url, from_base64url, sha256};
use aws_lc_rs::digest;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ParsedPublicKey, RSA_PSS_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lombard_domain::grant::Digest;
use lombard_domain::ids::KeyId;
use serde_json::{Map, Value, json};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use x509_parser::public_key::PublicKey as X509PublicKey;

/// The supported sizes of RSA keys, in bits. Source: AS-007; FAPI 1.0 Baseline 5.2.2-5.
const RSA_BITS: RangeInclusive<usize> = 2048..=8192;
/// The most bits of an RSA key that others publish, because doubling the bits quadruples the time of a verification. Source: AS-183.
const PUBLISHED_RSA_BITS_MAX: usize = 4096;
/// The only accepted public exponent of RSA keys that others publish: 65537. Source: AS-183.
const PUBLISHED_RSA_EXPONENT: [u8; 3] = [1, 0, 1];

/// Bytes of a coordinate of a point on P-256.
const P256_BYTES: usize = 32;

/// A public key: RSA, which verifies PS256, or P-256, which verifies ES256.
#[derive(Clone)]
pub struct PublicKey {
    id: Option<KeyId>,
    usage: Option<String>,
    algorithm: Option<String>,
    material: KeyMaterial,
    /// Whether the key's set has a different key with the same id for the same algorithm.
    is_ambiguous: bool,
}

#[derive(Clone)]
enum KeyMaterial {
    Rsa { n: Vec<u8>, e: Vec<u8>, parsed: Arc<ParsedPublicKey> },
    P256 { x: Vec<u8>, y: Vec<u8> },
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicKey").field("id", &self.id).finish_non_exhaustive()
    }
}

impl PublicKey {
    /// The key of these RSA components (big-endian), for PS256 signatures; `None` if they do not form a valid key of
    /// 2048 to 8192 bits.
    pub(crate) fn rsa(n: &[u8], e: &[u8]) -> Option<Self> {
        let material = KeyMaterial::rsa(n, e)?;
        let usage = Some("sig".into());
        let algorithm = Some("PS256".into());
        Some(Self { id: None, usage, algorithm, material, is_ambiguous: false })
    }

    /// The RSA public key of a certificate (DER); `None` if the certificate cannot be parsed or has another kind of key.
    pub fn of_certificate(der: &[u8]) -> Option<Self> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        match certificate.public_key().parsed().ok()? {
            X509PublicKey::RSA(key) => Self::rsa(key.modulus, key.exponent),
            _ => None,
        }
    }

    /// The JWK thumbprint of a certificate's (DER) public key, RSA or P-256; `None` for another kind of key, or bytes that are not a
    /// certificate. Source: RFC 7638.
    pub fn thumbprint_of_certificate(der: &[u8]) -> Option<KeyId> {
        let (_, certificate) = X509Certificate::from_der(der).ok()?;
        match certificate.public_key().parsed().ok()? {
            X509PublicKey::RSA(key) => Some(rsa_thumbprint(key.modulus, key.exponent)),
            X509PublicKey::EC(point) => {
                // The point is in uncompressed form. Source: SEC 1 section 2.3.3.
                let (x, y) = point.data().strip_prefix(&[4])?.split_at_checked(P256_BYTES)?;
                (y.len() == P256_BYTES).then(|| p256_thumbprint(x, y))
            }
            _ => None,
        }
    }

    /// The JWK thumbprint of a key with these members. The key is not checked, because it is only compared. `None` for another type of key.
    /// Source: RFC 7638.
    pub(crate) fn thumbprint_of_jwk(jwk: &Map<String, Value>) -> Option<KeyId> {
        let bytes = |name: &str| from_base64url(jwk.get(name).and_then(Value::as_str)?);
        match jwk.get("kty").and_then(Value::as_str)? {
            "RSA" => Some(rsa_thumbprint(&bytes("n")?, &bytes("e")?)),
            "EC" if jwk.get("crv").is_some_and(|curve| curve == "P-256") => {
                Some(p256_thumbprint(&bytes("x")?, &bytes("y")?))
            }
            _ => None,
        }
    }

    /// Whether a JWK is an RSA key above the size limit of published keys. Source: AS-183.
    pub(crate) fn is_oversized(jwk: &Map<String, Value>) -> bool {
        let modulus = jwk.get("n").and_then(Value::as_str).and_then(from_base64url);
        modulus.is_some_and(|n| bits_of(without_leading_zeros(&n)) > PUBLISHED_RSA_BITS_MAX)
    }

    /// Sets the id of the key.
    pub(crate) fn with_id(mut self, id: KeyId) -> Self {
        self.id = Some(id);
        self
    }

    /// Parses a JWK; `None` for an unsupported type, a key that is not for verification, or an invalid key, which are
    /// all ignored. Source: RFC 7517 sections 4.3 and 5.
    pub(crate) fn from_jwk(jwk: &Map<String, Value>) -> Option<Self> {
        if jwk.get("key_ops").is_some_and(|operations| !lists(operations, "verify")) {
            return None;
        }
        let text = |name: &str| jwk.get(name).and_then(Value::as_str);
        let bytes = |name: &str| from_base64url(text(name)?);
        let material = match text("kty")? {
            "RSA" => {
                let exponent = bytes("e").filter(|e| without_leading_zeros(e) == PUBLISHED_RSA_EXPONENT)?;
                KeyMaterial::rsa(&bytes("n")?, &exponent)?
            }
            "EC" if text("crv") == Some("P-256") => KeyMaterial::p256(bytes("x")?, bytes("y")?)?,
            _ => return None,
        };
        let id = text("kid").map(KeyId::from);
        let usage = text("use").map(str::to_owned);
        let algorithm = text("alg").map(str::to_owned);
        Some(Self { id, usage, algorithm, material, is_ambiguous: false })
    }

    /// Marks the key as ambiguous, because its set has a different key with the same id and algorithm. An ambiguous key verifies nothing.
    pub(crate) fn set_ambiguous(&mut self) {
        self.is_ambiguous = true;
    }

    /// The `kid` of the key, if it has one.
    pub fn id(&self) -> Option<&KeyId> {
        self.id.as_ref()
    }

    /// The JWK thumbprint: SHA-256 of the required members, in base64url. Source: RFC 7638.
    pub fn thumbprint(&self) -> KeyId {
        match &self.material {
            KeyMaterial::Rsa { n, e, .. } => rsa_thumbprint(n, e),
            KeyMaterial::P256 { x, y } => p256_thumbprint(x, y),
        }
    }

    /// The key as a JWK; a chain of certificates (DER, leaf first) adds `x5c` and `x5t#S256`. Source: AS-007.
    pub fn to_jwk(&self, chain: &[Vec<u8>]) -> Value {
        let mut jwk = match &self.material {
            KeyMaterial::Rsa { n, e, .. } => json!({"kty": "RSA", "n": base64url(n), "e": base64url(e)}),
            KeyMaterial::P256 { x, y } => json!({"kty": "EC", "crv": "P-256", "x": base64url(x), "y": base64url(y)}),
        };
        let Some(members) = jwk.as_object_mut() else { return jwk };
        let texts = [
            ("kid", self.id.as_ref().map(KeyId::as_str)),
            ("use", self.usage.as_deref()),
            ("alg", self.algorithm.as_deref()),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                members.insert(name.to_owned(), text.into());
            }
        }
        if let Some(leaf) = chain.first() {
            let Digest(hash) = sha256(leaf);
            members.insert("x5t#S256".to_owned(), base64url(&hash).into());
            members.insert("x5c".to_owned(), chain.iter().map(|der| Value::from(STANDARD.encode(der))).collect());
        }
        jwk
    }

    /// Whether the key may verify PS256: it is an RSA key that is not reserved for encryption or another algorithm. Source: AS-011.
    pub(crate) fn suits_ps256(&self) -> bool {
        matches!(self.material, KeyMaterial::Rsa { .. }) && self.is_for(PS256)
    }

    /// Whether the key may verify ES256: it is a P-256 key that is not reserved for encryption or another algorithm.
    pub(crate) fn suits_es256(&self) -> bool {
        matches!(self.material, KeyMaterial::P256 { .. }) && self.is_for(ES256)
    }

    fn is_for(&self, algorithm: &str) -> bool {
        !self.is_ambiguous
            && self.usage.as_deref().is_none_or(|usage| usage == "sig")
            && self.algorithm.as_deref().is_none_or(|name| name == algorithm)
    }

    /// Whether this key made the ES256 signature of the message; `false` for a key that is not suitable for ES256.
    pub(crate) fn verify_es256(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.material {
            KeyMaterial::P256 { x, y } if self.suits_es256() => {
                // The point is in uncompressed form. Source: SEC 1 section 2.3.3.
                let point = [&[4], x.as_slice(), y.as_slice()].concat();
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature).is_ok()
            }
            KeyMaterial::Rsa { .. } | KeyMaterial::P256 { .. } => false,
        }
    }

    /// Whether this key made the PS256 signature of the message; `false` for a key that is not suitable for PS256.
    pub fn verify_ps256(&self, message: &[u8], signature: &[u8]) -> bool {
        self.verify_ps256_digest(&digest_of(message), signature)
    }

    /// As [`verify_ps256`](Self::verify_ps256), for a message that has been digested with SHA-256.
    pub(crate) fn verify_ps256_digest(&self, message: &digest::Digest, signature: &[u8]) -> bool {
        match &self.material {
            KeyMaterial::Rsa { parsed, .. } if self.suits_ps256() => {
                parsed.verify_digest_sig(message, signature).is_ok()
            }
            KeyMaterial::Rsa { .. } | KeyMaterial::P256 { .. } => false,
        }
    }
}

impl KeyMaterial {
    fn rsa(n: &[u8], e: &[u8]) -> Option<Self> {
        // Some writers include the sign byte of the integers; the thumbprint requires the form without leading zeros.
        let n = without_leading_zeros(n);
        let e = without_leading_zeros(e);
        let odd = |bytes: &[u8]| bytes.last().is_some_and(|byte| byte & 1 == 1);
        if !RSA_BITS.contains(&bits_of(n)) || !odd(n) || !odd(e) || e == [1] || e.len() > 4 {
            return None;
        }
        let parsed = RsaPublicKeyComponents { n, e }.to_parsed_public_key(&RSA_PSS_2048_8192_SHA256).ok()?;
        Some(Self::Rsa { n: n.to_vec(), e: e.to_vec(), parsed: Arc::new(parsed) })
    }

    fn p256(x: Vec<u8>, y: Vec<u8>) -> Option<Self> {
        (x.len() == P256_BYTES && y.len() == P256_BYTES).then_some(Self::P256 { x, y })
    }
}

/// The thumbprint of an RSA key, from its members in the order and form of RFC 7638 section 3. Base64url needs no escaping.
fn rsa_thumbprint(n: &[u8], e: &[u8]) -> KeyId {
    let n = base64url(without_leading_zeros(n));
    let e = base64url(without_leading_zeros(e));
    thumbprint_of_members(&format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#))
}

fn p256_thumbprint(x: &[u8], y: &[u8]) -> KeyId {
    let x = base64url(x);
    let y = base64url(y);
    thumbprint_of_members(&format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#))
}

fn thumbprint_of_members(members: &str) -> KeyId {
    let Digest(hash) = sha256(members.as_bytes());
    KeyId::from(base64url(&hash))
}

/// The number of bits of a number without leading zero bytes.
fn bits_of(number: &[u8]) -> usize {
    number.len() * 8 - number.first().map_or(0, |byte| byte.leading_zeros() as usize)
}

fn lists(array: &Value, text: &str) -> bool {
    array.as_array().is_some_and(|items| items.iter().any(|item| item == text))
}

fn without_leading_zeros(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes.get(zeros..).unwrap_or_default()
}
