//! Sets of public keys.

use crate::{PublicKey, from_base64url, json};
use lombard_domain::grant::Digest;
use lombard_domain::ids::KeyId;
use serde_json::{Map, Value, json};
use std::collections::{HashMap, HashSet};

/// The most keys of a set that others publish. Source: AS-183.
pub const PUBLISHED_KEYS_MAX: usize = 50;

/// The member of a stored set with the entries that were revoked.
const REVOKED: &str = "revoked";
/// The members of a revoked entry that are stored, by which a certificate or a key is recognised.
const IDENTIFYING_MEMBERS: [&str; 8] = ["kid", "kty", "n", "e", "crv", "x", "y", "x5t#S256"];

/// Members that only private or symmetric keys have. Source: AS-007.
const SECRET_MEMBERS: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// Why a document is not a set of public keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadKeySet {
    /// The document is not a JSON object with an array of objects under `keys`.
    #[error("the key set is not a JSON object with an array of keys")]
    Json,
    /// The set contains a private or symmetric key, which is thereby disclosed.
    #[error("the key set holds a private or symmetric key")]
    Secret,
    /// The set has more keys than [`PUBLISHED_KEYS_MAX`].
    #[error("the key set holds more than 50 keys")]
    TooMany,
    /// The set contains an RSA key of more than 4096 bits.
    #[error("the key set holds an RSA key of more than 4096 bits")]
    Oversized,
}

/// A set of public keys.
#[derive(Debug, Clone, Default)]
pub struct KeySet {
    keys: Vec<PublicKey>,
    /// SHA-256 of the transport certificates that the set lists.
    certificates: HashSet<Digest>,
    revoked: RevokedKeys,
    /// The ids that several keys for one algorithm have; none of these keys verifies.
    ambiguous: Vec<KeyId>,
}

/// The certificates and keys that a set lists as revoked.
#[derive(Debug, Clone, Default)]
struct RevokedKeys {
    /// The SHA-256 digests of certificates.
    certificates: HashSet<Digest>,
    /// The thumbprints of keys.
    keys: HashSet<KeyId>,
}

impl KeySet {
    /// Parses a JWK set that others publish. Keys of unsupported types, RSA keys below 2048 bits and those with another exponent than 65537
    /// are ignored. Different keys with the same id for the same algorithm verify nothing ([`ambiguous_ids`](Self::ambiguous_ids)). Source:
    /// AS-183, RFC 7517 section 5.
    ///
    /// # Errors
    /// [`BadKeySet`].
    pub fn parse(jwks_json: &str) -> Result<Self, BadKeySet> {
        let document = json::object(jwks_json.as_bytes()).map_err(|_| BadKeySet::Json)?;
        let jwks = entries(&document)?;
        if jwks.len() > PUBLISHED_KEYS_MAX {
            return Err(BadKeySet::TooMany);
        }
        let secret = |jwk: &&Map<String, Value>| {
            jwk.get("kty").is_some_and(|kty| kty == "oct") || SECRET_MEMBERS.iter().any(|name| jwk.contains_key(*name))
        };
        if jwks.iter().any(secret) {
            return Err(BadKeySet::Secret);
        }
        if jwks.iter().any(|jwk| PublicKey::is_oversized(jwk)) {
            return Err(BadKeySet::Oversized);
        }
        let certificates = jwks.iter().filter_map(|jwk| transport_certificate(jwk)).collect();
        let revoked = RevokedKeys::of(&document);
        let mut keys: Vec<_> = jwks.into_iter().filter_map(PublicKey::from_jwk).collect();
        let ambiguous = mark_ambiguous(&mut keys);
        Ok(Self { keys, certificates, revoked, ambiguous })
    }

    /// The JWK set without the keys that another set lists: those with the same `kid`, modulus or certificate. A directory publishes
    /// revoked keys as such a set. The revoked entries are stored under `revoked`, so that certificates can be looked up
    /// ([`revokes_certificate`](Self::revokes_certificate)). Source: AS-009, DCR-022.
    ///
    /// # Errors
    /// [`BadKeySet::Json`] if one of the two is not a set of keys; [`BadKeySet::TooMany`] if the first is too large.
    pub fn without_revoked(jwks_json: &str, revoked_json: &str) -> Result<String, BadKeySet> {
        let read = |text: &str| json::object(text.as_bytes()).map_err(|_| BadKeySet::Json);
        let mut document = read(jwks_json)?;
        let revoked = read(revoked_json)?;
        let revoked = entries(&revoked)?;
        let published = entries(&document)?;
        if published.len() > PUBLISHED_KEYS_MAX {
            return Err(BadKeySet::TooMany);
        }
        let text = |jwk: &Map<String, Value>, name: &str| jwk.get(name).and_then(Value::as_str).map(str::to_owned);
        let listed =
            ["kid", "n", "x5t#S256"].map(|name| (name, revoked.iter().filter_map(|jwk| text(jwk, name)).collect()));
        let is_revoked = |jwk: &&Map<String, Value>| {
            let is_listed =
                |(name, values): &(&str, HashSet<String>)| text(jwk, name).is_some_and(|it| values.contains(&it));
            listed.iter().any(is_listed)
        };
        let kept: Vec<Value> =
            published.into_iter().filter(|jwk| !is_revoked(jwk)).map(|jwk| Value::Object(jwk.clone())).collect();
        let identity = |jwk: &&Map<String, Value>| -> Map<String, Value> {
            let members =
                IDENTIFYING_MEMBERS.iter().filter_map(|name| Some(((*name).to_owned(), jwk.get(*name)?.clone())));
            members.collect()
        };
        let remembered = revoked.iter().map(identity).map(Value::Object).collect();
        document.insert("keys".to_owned(), Value::Array(kept));
        document.insert(REVOKED.to_owned(), Value::Array(remembered));
        Ok(Value::Object(document).to_string())
    }

    /// Whether the set lists this transport certificate, in an entry for TLS with its SHA-256 digest. Source: DCR-052.
    pub fn lists_certificate(&self, thumbprint: &Digest) -> bool {
        self.certificates.contains(thumbprint)
    }

    /// Whether this certificate was revoked. The set lists its SHA-256 digest, or the thumbprint of its key without a certificate. Source:
    /// TLS-006.
    pub fn revokes_certificate(&self, certificate: &Digest, key: Option<&KeyId>) -> bool {
        let RevokedKeys { certificates, keys } = &self.revoked;
        certificates.contains(certificate) || key.is_some_and(|key| keys.contains(key))
    }

    /// Whether the set lists a revoked certificate or key.
    pub fn has_revoked(&self) -> bool {
        !self.revoked.certificates.is_empty() || !self.revoked.keys.is_empty()
    }

    /// The ids that several different keys for one algorithm share; none of these keys verifies. Source: AS-183.
    pub fn ambiguous_ids(&self) -> &[KeyId] {
        &self.ambiguous
    }

    /// Whether the set has no key that can verify; revoked entries do not count.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The set as a JWK set document.
    pub fn to_json(&self) -> String {
        let jwks: Vec<Value> = self.keys.iter().map(|key| key.to_jwk(&[])).collect();
        json!({ "keys": jwks }).to_string()
    }

    /// Every key of the set.
    pub fn iter(&self) -> impl Iterator<Item = &PublicKey> {
        self.keys.iter()
    }

    /// The candidate keys for a PS256 signature with this `kid`: those with that id, or without a `kid` all keys
    /// suitable for the algorithm. Source: AS-011.
    pub fn candidates(&self, kid: Option<&str>) -> impl Iterator<Item = &PublicKey> {
        self.named(kid).filter(|key| key.suits_ps256())
    }

    /// The candidate keys for an ES256 signature with this `kid`.
    pub(crate) fn es256_candidates(&self, kid: Option<&str>) -> impl Iterator<Item = &PublicKey> {
        self.named(kid).filter(|key| key.suits_es256())
    }

    fn named(&self, kid: Option<&str>) -> impl Iterator<Item = &PublicKey> {
        self.keys.iter().filter(move |key| kid.is_none_or(|kid| key.id().is_some_and(|id| id.as_str() == kid)))
    }
}

impl RevokedKeys {
    /// Reads the revoked entries of a stored set. An entry that cannot be parsed revokes nothing.
    fn of(document: &Map<String, Value>) -> Self {
        let entries =
            document.get(REVOKED).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
        let mut revoked = Self::default();
        for entry in entries {
            match certificate_thumbprint(entry) {
                // The entry names a certificate, so the key itself may have a new certificate.
                Some(certificate) => revoked.certificates.extend([certificate]),
                None => revoked.keys.extend(PublicKey::thumbprint_of_jwk(entry)),
            }
        }
        revoked
    }
}

/// Removes repetitions of a key, and marks different keys that share an id for one algorithm; returns these ids. Source: AS-183.
fn mark_ambiguous(keys: &mut Vec<PublicKey>) -> Vec<KeyId> {
    let mut by_id: HashMap<(KeyId, bool), HashSet<KeyId>> = HashMap::new();
    keys.retain(|key| {
        let Some(id) = key.id().filter(|_| key.suits_ps256() || key.suits_es256()) else { return true };
        by_id.entry((id.clone(), key.suits_ps256())).or_default().insert(key.thumbprint())
    });
    let is_ambiguous =
        |id: &KeyId, suits_ps256: bool| by_id.get(&(id.clone(), suits_ps256)).is_some_and(|it| it.len() > 1);
    let mut ambiguous = Vec::new();
    for key in keys {
        let suits_signing = key.suits_ps256() || key.suits_es256();
        if let Some(id) = key.id().filter(|id| suits_signing && is_ambiguous(id, key.suits_ps256())).cloned() {
            key.set_ambiguous();
            if !ambiguous.contains(&id) {
                ambiguous.push(id);
            }
        }
    }
    ambiguous
}

/// The entries of a JWK set document.
fn entries(document: &Map<String, Value>) -> Result<Vec<&Map<String, Value>>, BadKeySet> {
    let listed = document.get("keys").and_then(Value::as_array).ok_or(BadKeySet::Json)?;
    listed.iter().map(Value::as_object).collect::<Option<_>>().ok_or(BadKeySet::Json)
}

/// The SHA-256 of the certificate of an entry for TLS.
fn transport_certificate(jwk: &Map<String, Value>) -> Option<Digest> {
    if jwk.get("use").is_none_or(|usage| usage != "tls") {
        return None;
    }
    certificate_thumbprint(jwk)
}

/// The SHA-256 of the certificate of an entry.
fn certificate_thumbprint(jwk: &Map<String, Value>) -> Option<Digest> {
    let thumbprint = from_base64url(jwk.get("x5t#S256")?.as_str()?)?;
    thumbprint.try_into().ok().map(Digest)
}

impl FromIterator<PublicKey> for KeySet {
    fn from_iter<I: IntoIterator<Item = PublicKey>>(keys: I) -> Self {
        Self { keys: keys.into_iter().collect(), ..Self::default() }
    }
}
