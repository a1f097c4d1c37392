//! Client certificates: their holders and their permitted uses.
//!
//! This module does not decide trust: the listener checks the chain first, and marks a certificate that it no longer accepts.

mod attribute;
mod authority;
mod description;
mod name;
mod psd2;
mod rfc4514;

pub use attribute::BadName;
pub use description::CertificateDescription;
pub use name::DistinguishedName;

use crate::software_statement::{AuthorityRegistration, read_statement};
use authority::AuthorityIdentifier;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{KeyId, OrgId, SoftwareId};
use lombard_domain::scope::{Scopes, TppRole};
use lombard_jose::PublicKey;
use lombard_ports::store::ClientHolder;
use std::sync::Arc;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

pub(crate) const COMMON_NAME: &str = "2.5.4.3";
pub(crate) const ORGANISATIONAL_UNIT: &str = "2.5.4.11";
const ORGANISATION_IDENTIFIER: &str = "2.5.4.97";
/// The prefix of an organisation id whose authority is unknown. Source: DCR-052.
const UNKNOWN_AUTHORITY_ID: &str = "PSDGB-OB-Unknown";

/// A client certificate, parsed once per connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCertificate {
    der: Arc<[u8]>,
    thumbprint: Digest,
    key_thumbprint: Option<KeyId>,
    subject: DistinguishedName,
    holder: Holder,
    psd2_roles: Option<Vec<TppRole>>,
    for_tls_clients: bool,
    is_trusted: bool,
    not_before: Timestamp,
    not_after: Timestamp,
}

/// The directory's ids in the subject of a certificate. Source: DCR-052.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Holder {
    organisation: Option<String>,
    software: Option<String>,
    /// The holder's number in an authority's register.
    registration: Option<AuthorityIdentifier>,
}

/// The bytes are not a certificate that can be parsed and checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the client certificate cannot be read")]
pub struct BadCertificate;

impl ClientCertificate {
    /// Parses a leaf certificate (DER).
    ///
    /// # Errors
    /// [`BadCertificate`] when the certificate, or an extension that is checked, cannot be parsed.
    pub fn from_der(der: &[u8]) -> Result<Self, BadCertificate> {
        let (rest, certificate) = X509Certificate::from_der(der).map_err(|_| BadCertificate)?;
        if !rest.is_empty() {
            return Err(BadCertificate);
        }
        let statements = certificate.get_extension_unique(&psd2::QC_STATEMENTS).map_err(|_| BadCertificate)?;
        let stated = statements.map(|it| psd2::read(it.value)).transpose().map_err(|_| BadCertificate)?;
        let subject = DistinguishedName::of_certificate(certificate.subject());
        let time = |seconds| Timestamp::from_second(seconds).map_err(|_| BadCertificate);
        Ok(Self {
            der: der.into(),
            thumbprint: lombard_jose::sha256(der),
            key_thumbprint: PublicKey::thumbprint_of_certificate(der),
            holder: Holder::of(&subject),
            subject,
            for_tls_clients: is_for_tls_clients(&certificate)? && stated.as_ref().is_none_or(|it| it.for_tls),
            psd2_roles: stated.and_then(|it| it.roles),
            is_trusted: true,
            not_before: time(certificate.validity().not_before.timestamp())?,
            not_after: time(certificate.validity().not_after.timestamp())?,
        })
    }

    /// The certificate as it was presented.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The SHA-256 digest of the leaf's DER, to which tokens are bound. Source: TLS-007.
    pub fn thumbprint(&self) -> Digest {
        self.thumbprint
    }

    /// The thumbprint of the certificate's key, as a directory's list of revoked keys may contain it; `None` for a kind of key that such
    /// lists cannot contain. Source: TLS-006.
    pub fn key_thumbprint(&self) -> Option<&KeyId> {
        self.key_thumbprint.as_ref()
    }

    /// The subject of the certificate.
    pub fn subject(&self) -> &DistinguishedName {
        &self.subject
    }

    /// The PSD2 roles that the certificate states; `None` when it states none. Source: DCR-053.
    pub fn psd2_roles(&self) -> Option<&[TppRole]> {
        self.psd2_roles.as_deref()
    }

    /// The last instant of the validity period (wall clock).
    pub fn not_after(&self) -> Timestamp {
        self.not_after
    }

    /// Whether the certificate may be used for TLS now. A connection can outlive its certificate, or the trust in it, and a seal
    /// certificate is only for signing. Source: AS-113, TLS-005, TLS-006, DCR-053.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.is_trusted && self.for_tls_clients && self.not_before <= now && now <= self.not_after
    }

    /// A copy of the certificate that is marked as not trusted, so that it cannot be used. Source: TLS-005, TLS-006.
    #[must_use]
    pub fn without_trust(&self) -> Self {
        Self { is_trusted: false, ..self.clone() }
    }

    /// Whether the listener accepts the certificate's chain.
    pub fn is_trusted(&self) -> bool {
        self.is_trusted
    }

    /// Whether the certificate belongs to the client's organisation or, if it names none, to the client's software. Source: AS-029,
    /// DCR-052.
    pub fn belongs_to(&self, client: &Client) -> bool {
        if self.holder.registration.is_none() {
            return self.names(&client.org_id, &client.software_id);
        }
        let registrations = read_statement(client).map(|statement| statement.authorities()).unwrap_or_default();
        self.belongs_to_software(&client.org_id, &client.software_id, &registrations)
    }

    /// Whether the certificate belongs to this organisation or, if it names none, to this software. If it states a number in an authority's
    /// register and the directory lists registrations of the organisation, the number must be one of them; the common name alone is then no
    /// proof. Source: AS-187, DCR-052.
    pub fn belongs_to_software(
        &self,
        organisation: &OrgId,
        software: &SoftwareId,
        registrations: &[AuthorityRegistration],
    ) -> bool {
        if self.holder.registration.is_some() && !registrations.is_empty() {
            return self.is_registered_as(registrations);
        }
        self.names(organisation, software)
    }

    /// The organisation whose clients may use the certificate, by the directory's ids in its subject; the software, if it names no
    /// organisation; `None` if it names neither. Source: DCR-052.
    pub fn owner_of_clients(&self) -> Option<ClientHolder> {
        let Holder { organisation, software, registration: _ } = &self.holder;
        let organisation = organisation.as_deref().map(|id| ClientHolder::Organisation(OrgId::new(id)));
        organisation.or_else(|| software.as_deref().map(|id| ClientHolder::Software(SoftwareId::new(id))))
    }

    /// Whether the subject names this organisation or, if it names none, this software, by the directory's ids. Source: DCR-052.
    fn names(&self, organisation: &OrgId, software: &SoftwareId) -> bool {
        match (&self.holder.organisation, &self.holder.software) {
            (Some(named), _) => named == organisation.as_str(),
            (None, Some(named)) => named == software.as_str(),
            (None, None) => false,
        }
    }

    /// Whether the subject names one of these registrations with an authority, as a qualified certificate does. Source: DCR-052.
    fn is_registered_as(&self, registrations: &[AuthorityRegistration]) -> bool {
        let named = self.holder.registration.as_ref();
        named.is_some_and(|named| registrations.iter().any(|registration| named.is(registration)))
    }

    /// Those of these scopes that the certificate's roles permit; all of them when it states no roles. Source: DCR-053.
    pub fn restrict_scopes(&self, scopes: Scopes) -> Scopes {
        let Some(roles) = &self.psd2_roles else { return scopes };
        let opened: Scopes = roles.iter().map(|role| role.scope()).collect();
        scopes.iter().filter(|scope| opened.contains(*scope)).collect()
    }
}

impl Holder {
    /// Reads the ids from a subject in one of the forms of DCR-052.
    fn of(subject: &DistinguishedName) -> Self {
        let owned = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
        let common_name = subject.text(COMMON_NAME);
        match subject.text(ORGANISATION_IDENTIFIER) {
            // OBWAC: the common name is the organisation's id, unless the identifier itself carries it.
            Some(identifier) => {
                let unknown = identifier.strip_prefix(UNKNOWN_AUTHORITY_ID);
                let organisation = unknown.or(common_name);
                let registration = unknown.is_none().then(|| AuthorityIdentifier::parse(identifier)).flatten();
                Self { organisation: owned(organisation), software: None, registration }
            }
            // Legacy transport certificate: the unit is the organisation's id, the common name the software's.
            None => {
                let organisation = owned(subject.text(ORGANISATIONAL_UNIT));
                Self { organisation, software: owned(common_name), registration: None }
            }
        }
    }
}

fn is_for_tls_clients(certificate: &X509Certificate<'_>) -> Result<bool, BadCertificate> {
    let extended = certificate.extended_key_usage().map_err(|_| BadCertificate)?;
    let usage = certificate.key_usage().map_err(|_| BadCertificate)?;
    let authenticates = extended.is_some_and(|it| it.value.client_auth);
    let signs = usage.is_none_or(|it| it.value.digital_signature());
    Ok(authenticates && signs && !certificate.is_ca())
}

#[cfg(test)]
pub(crate) mod tests;
