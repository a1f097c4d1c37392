//! Private keys that are stored as files.

use super::TrustError;
use super::files::TrustFolder;
use lombard_jose::SigningKey;
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256};
use rustls_pki_types::PrivatePkcs8KeyDer;
use rustls_pki_types::pem::PemObject;
use zeroize::Zeroizing;

/// The type of the key of a TPP's transport certificate. RSA exists because some programs load only RSA keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TransportKey {
    /// An elliptic-curve key on P-256.
    #[default]
    P256,
    /// An RSA key of 2048 bits.
    Rsa,
}

/// The P-256 key in this file, which is generated if there is none.
pub(super) fn p256_key(folder: &TrustFolder, file: &str) -> Result<KeyPair, TrustError> {
    if let Some(pem) = folder.read_secret(file)? {
        let der = PrivatePkcs8KeyDer::from_pem_slice(pem.as_bytes()).map_err(|error| folder.bad(file, error))?;
        let key = KeyPair::from_pkcs8_der_and_sign_algo(&der, &PKCS_ECDSA_P256_SHA256);
        return key.map_err(|error| folder.bad(file, error));
    }
    let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
    folder.write_secret(file, &Zeroizing::new(key.serialize_pem()))?;
    Ok(key)
}

/// The key of a TPP's transport certificate in this file, of any type. If there is none, a key of this type is generated.
pub(super) fn transport_key(folder: &TrustFolder, file: &str, kind: TransportKey) -> Result<KeyPair, TrustError> {
    if let Some(pem) = folder.read_secret(file)? {
        return KeyPair::from_pem(&pem).map_err(|error| folder.bad(file, error));
    }
    if kind == TransportKey::P256 {
        return p256_key(folder, file);
    }
    let pem = SigningKey::generate()?.pkcs8_pem()?;
    let key = KeyPair::from_pkcs8_pem_and_sign_algo(&pem, &PKCS_RSA_SHA256)?;
    folder.write_secret(file, &pem)?;
    Ok(key)
}

/// The RSA key in this file, which is generated if there is none.
pub(super) fn signing_key(folder: &TrustFolder, file: &str) -> Result<SigningKey, TrustError> {
    if let Some(pem) = folder.read_secret(file)? {
        let key = SigningKey::from_pkcs8_pem(&pem);
        return key.map_err(|error| folder.bad(file, error));
    }
    let key = SigningKey::generate()?;
    folder.write_secret(file, &key.pkcs8_pem()?)?;
    Ok(key)
}
