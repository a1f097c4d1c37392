//! The stored form of private keys: the key itself, or the label and public key of a key in a security module, encrypted with the
//! key-encryption key.

use super::error::{KeysError, Source};
use lombard_domain::ids::KeyId;
use lombard_jose::{KeyError, Sealer, SecurityModule, SigningKey, base64url, from_base64url};
use lombard_ports::store::{KeyOrigin, StoredKey};
use serde_json::{Value, json};
use std::sync::Arc;

/// Encrypts and decrypts the stored form of private keys.
#[derive(Debug, Clone)]
pub(super) struct KeyVault {
    pub(super) sealer: Arc<Sealer>,
    /// The security module, which holds the keys whose origin is a token.
    pub(super) module: Option<Arc<dyn SecurityModule>>,
}

impl KeyVault {
    /// Encrypts the stored form of a key with this id.
    pub(super) fn seal_key(&self, kid: &KeyId, key: &SigningKey) -> Result<Vec<u8>, KeysError> {
        let broken = |source: Source| KeysError::Key { kid: kid.clone(), source };
        let sealed = match key.external_key() {
            None => {
                let der = key.pkcs8_der().map_err(|error| broken(error.into()))?;
                self.sealer.seal_secret(&der, &context(kid, KeyOrigin::Made))
            }
            Some(external) => {
                let held = json!({"label": external.label(), "public_key": base64url(key.public_der())}).to_string();
                self.sealer.seal_secret(held.as_bytes(), &context(kid, KeyOrigin::Token))
            }
        };
        sealed.map_err(|error| broken(error.into()))
    }

    /// Decrypts a stored key, so that it can sign.
    pub(super) fn open_key(&self, stored: &StoredKey) -> Result<SigningKey, KeysError> {
        let kid = || stored.id.clone();
        let opened = self.sealer.open_secret(&stored.sealed, &context(&stored.id, stored.origin));
        let opened = opened.map_err(|_| KeysError::Sealed { kid: kid() })?;
        let key = match stored.origin {
            KeyOrigin::Made | KeyOrigin::File => SigningKey::from_pkcs8_der(&opened),
            KeyOrigin::Token => {
                let module = self.module.as_ref().ok_or_else(|| KeysError::NoModule { kid: kid() })?;
                let (label, public_key) = held(&opened).ok_or_else(|| KeysError::Sealed { kid: kid() })?;
                SigningKey::external(&public_key, module.external_key(&label))
            }
        };
        let key = key.map_err(|error: KeyError| KeysError::Key { kid: kid(), source: error.into() })?;
        Ok(key.with_id(kid()))
    }

    /// Encrypts the stored form of a key again; `None` if it is already encrypted with the current key-encryption key.
    pub(super) fn reseal_key(&self, stored: &StoredKey) -> Result<Option<Vec<u8>>, KeysError> {
        let resealed = self.sealer.reseal_secret(&stored.sealed, &context(&stored.id, stored.origin));
        resealed.map_err(|_| KeysError::Sealed { kid: stored.id.clone() })
    }
}

/// The label and the public key of a key that a security module holds.
fn held(opened: &[u8]) -> Option<(String, Vec<u8>)> {
    let held: Value = serde_json::from_slice(opened).ok()?;
    let text = |name: &str| held.get(name).and_then(Value::as_str);
    Some((text("label")?.to_owned(), from_base64url(text("public_key")?)?))
}

/// The context that binds a ciphertext to one row of one table and one kind of content.
pub(super) fn context(kid: &KeyId, origin: KeyOrigin) -> Vec<u8> {
    match origin {
        KeyOrigin::Made | KeyOrigin::File => format!("signing key {kid}").into_bytes(),
        KeyOrigin::Token => format!("signing key {kid} of a security module").into_bytes(),
    }
}
