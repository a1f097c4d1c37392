//! The two certificate authorities, each with a P-256 key and a self-signed certificate.

use super::TrustError;
use super::certificate::{self, CertificateProfile, ends_within, from_pem};
use super::files::TrustFolder;
use super::keys::p256_key;
use super::server_names::{ServerNames, name_text};
use jiff::{SignedDuration, Timestamp};
use rcgen::{Certificate, CertificateParams, Issuer, KeyPair, NameConstraints, PublicKeyData};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{GeneralName, GeneralSubtree};
use x509_parser::prelude::FromDer;

/// The time before its end at which an authority is renewed, so that it outlives every leaf that it issues.
const RENEWED_BEFORE_END: SignedDuration = SignedDuration::from_hours(24 * 400);

/// The purpose of an authority.
#[derive(Debug, Clone, Copy)]
pub(super) enum AuthorityPurpose<'a> {
    /// Certificates of the sandbox's servers, constrained to these names.
    Servers(&'a ServerNames),
    /// Certificates of TPPs and seals of the directory.
    Tpps,
}

impl AuthorityPurpose<'_> {
    const fn certificate_file(self) -> &'static str {
        match self {
            Self::Servers(_) => "ca.pem",
            Self::Tpps => "tpp-ca.pem",
        }
    }

    const fn key_file(self) -> &'static str {
        match self {
            Self::Servers(_) => "private/ca.key",
            Self::Tpps => "private/tpp-ca.key",
        }
    }

    fn params(self, now: Timestamp) -> CertificateParams {
        match self {
            Self::Servers(names) => {
                let mut params = certificate::authority("Lombard sandbox servers", now);
                let permitted_subtrees = names.permitted_subtrees();
                params.name_constraints = Some(NameConstraints { permitted_subtrees, excluded_subtrees: Vec::new() });
                params
            }
            Self::Tpps => certificate::authority("Lombard sandbox directory", now),
        }
    }

    /// Whether the name constraints of the certificate are exactly these names.
    fn fits(self, certificate: &X509Certificate<'_>) -> bool {
        let Ok(constraints) = certificate.name_constraints() else { return false };
        let permitted = constraints.and_then(|it| it.value.permitted_subtrees.as_ref());
        match (self, permitted) {
            (Self::Servers(names), Some(permitted)) => {
                let permitted: Option<Vec<_>> = permitted.iter().map(constrained_name).collect();
                permitted.is_some_and(|permitted| names.are_exactly(permitted))
            }
            (Self::Servers(_), None) => false,
            (Self::Tpps, permitted) => permitted.is_none(),
        }
    }
}

/// The name that a constraint permits, in the form of [`ServerNames`].
fn constrained_name(subtree: &GeneralSubtree<'_>) -> Option<String> {
    let GeneralName::IPAddress(bytes) = &subtree.base else {
        return name_text(&subtree.base);
    };
    // The constraint consists of address and mask. This code issues only full masks.
    let (address, mask) = bytes.split_at_checked(bytes.len() / 2)?;
    mask.iter().all(|byte| *byte == 0xff).then_some(())?;
    name_text(&GeneralName::IPAddress(address))
}

/// An authority with its key.
#[derive(Debug)]
pub(super) struct CertificateAuthority {
    issuer: Issuer<'static, KeyPair>,
    certificate: Vec<u8>,
    key_id: Vec<u8>,
}

impl CertificateAuthority {
    /// Opens an authority, creates missing files, and renews its certificate if it is near expiry or its name constraints
    /// changed.
    pub(super) fn open_or_create(
        folder: &TrustFolder,
        realm: AuthorityPurpose<'_>,
        now: Timestamp,
    ) -> Result<Self, TrustError> {
        let key = p256_key(folder, realm.key_file())?;
        let params = realm.params(now);
        let kept = folder.read(realm.certificate_file())?.as_deref().and_then(from_pem);
        let certificate = match kept.filter(|der| can_be_kept(der, realm, &key, now)) {
            Some(der) => der,
            None => {
                let certificate = params.self_signed(&key)?;
                folder.write(realm.certificate_file(), &certificate.pem())?;
                certificate.der().to_vec()
            }
        };
        let key_id = params.key_identifier(&key);
        Ok(Self { issuer: Issuer::new(params, key), certificate, key_id })
    }

    /// The authority's own certificate.
    pub(super) fn certificate_der(&self) -> &[u8] {
        &self.certificate
    }

    /// The authority's key identifier, which its leaves contain as authority key identifier.
    pub(super) fn key_id(&self) -> &[u8] {
        &self.key_id
    }

    /// Issues a leaf.
    pub(super) fn issue(
        &self,
        profile: &CertificateProfile<'_>,
        key: &impl PublicKeyData,
        now: Timestamp,
    ) -> Result<Certificate, TrustError> {
        Ok(profile.params(now).signed_by(key, &self.issuer)?)
    }

    /// Returns the leaf (DER) in this file if it can be kept; otherwise issues a new leaf and writes it to the file.
    pub(super) fn keep_or_issue(
        &self,
        folder: &TrustFolder,
        file: &str,
        profile: &CertificateProfile<'_>,
        key: &impl PublicKeyData,
        now: Timestamp,
        fits: impl Fn(&[u8]) -> bool,
    ) -> Result<Vec<u8>, TrustError> {
        let kept = folder.read(file)?.as_deref().and_then(from_pem);
        if let Some(der) = kept.filter(|der| certificate::can_be_kept(der, key, self.key_id(), now) && fits(der)) {
            return Ok(der);
        }
        let issued = self.issue(profile, key, now)?;
        folder.write(file, &issued.pem())?;
        Ok(issued.der().to_vec())
    }
}

fn can_be_kept(der: &[u8], realm: AuthorityPurpose<'_>, key: &KeyPair, now: Timestamp) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else { return false };
    !ends_within(&certificate, now, RENEWED_BEFORE_END)
        && certificate.public_key().raw == key.subject_public_key_info().as_slice()
        && realm.fits(&certificate)
}
