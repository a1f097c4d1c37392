//! The certificates of the sandbox's servers and their keys.

use super::TrustError;
use super::authority::CertificateAuthority;
use super::certificate::{CertificateProfile, RsaPublic};
use super::files::TrustFolder;
use super::keys::p256_key;
use super::server_names::{ServerNames, name_text};
use jiff::Timestamp;
use lombard_jose::SigningKey;
use rcgen::PublicKeyData;
use std::fmt;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use zeroize::Zeroizing;

/// A certificate of the servers and its key.
pub struct ServerIdentity {
    /// The chain to send, leaf first, without the anchor.
    pub chain_der: Vec<Vec<u8>>,
    /// The private key.
    pub key_pkcs8_der: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for ServerIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerIdentity").finish_non_exhaustive()
    }
}

/// The identities of the servers, renewed if necessary: one for the RSA key, if this key exists, and one for the P-256 key. Source:
/// TLS-002.
pub(super) fn identities(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    rsa: Option<&SigningKey>,
    names: &ServerNames,
    now: Timestamp,
) -> Result<Vec<ServerIdentity>, TrustError> {
    let p256 = p256_key(folder, "private/server-p256.key")?;
    let p256_der = Zeroizing::new(p256.serialize_der());
    let mut identities = Vec::new();
    if let Some(rsa) = rsa {
        identities.push(ServerIdentity {
            chain_der: vec![leaf(folder, authority, "private/server-rsa.pem", &RsaPublic(rsa), names, now)?],
            key_pkcs8_der: rsa.pkcs8_der()?,
        });
    }
    identities.push(ServerIdentity {
        chain_der: vec![leaf(folder, authority, "private/server-p256.pem", &p256, names, now)?],
        key_pkcs8_der: p256_der,
    });
    Ok(identities)
}

/// Returns the server certificate in this file. A new one is issued if the old one is near expiry or has other names.
pub(super) fn leaf(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    file: &str,
    key: &impl PublicKeyData,
    names: &ServerNames,
    now: Timestamp,
) -> Result<Vec<u8>, TrustError> {
    let profile = CertificateProfile::Server(names);
    authority.keep_or_issue(folder, file, &profile, key, now, |der| has_exactly_names(der, names))
}

/// Whether the certificate has exactly these names.
fn has_exactly_names(der: &[u8], names: &ServerNames) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else { return false };
    let Ok(Some(alternative)) = certificate.subject_alternative_name() else { return false };
    let stated: Option<Vec<_>> = alternative.value.general_names.iter().map(name_text).collect();
    stated.is_some_and(|stated| names.are_exactly(stated))
}
