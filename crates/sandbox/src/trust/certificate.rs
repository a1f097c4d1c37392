//! The contents of certificates: one profile for each use, and the checks of issued certificates.

use super::psd2;
use super::server_names::ServerNames;
use super::tpp_certificates::TppCertificates;
use super::tpp_json::TppJson;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::{OrgId, SoftwareId};
use lombard_domain::scope::TppRole;
use lombard_jose::{SigningKey, SystemEntropy};
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DistinguishedName, DnType, DnValue, ExtendedKeyUsagePurpose,
    IsCa, KeyUsagePurpose, PublicKeyData, SerialNumber, SignatureAlgorithm, date_time_ymd, string::PrintableString,
};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use std::time::Duration;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::{FromDer, ParsedExtension};

/// The validity of an authority: ten years.
const AUTHORITY_VALIDITY: SignedDuration = SignedDuration::from_hours(24 * 3650);
/// The validity of a leaf. With [`BACKDATED`] it stays within the 398 days that clients accept.
const LEAF_VALIDITY: SignedDuration = SignedDuration::from_hours(24 * 397);
/// The time by which validity begins in the past, for clients whose clocks are slow.
const BACKDATED: SignedDuration = SignedDuration::from_hours(1);
/// The time before its end at which a leaf is renewed.
const RENEWED_BEFORE_END: SignedDuration = SignedDuration::from_hours(24 * 30);

/// `organizationIdentifier`. Source: ETSI EN 319 412-1 section 5.1.4.
const ORGANISATION_IDENTIFIER: [u64; 4] = [2, 5, 4, 97];

/// The use of a leaf certificate.
#[derive(Debug)]
pub(super) enum CertificateProfile<'a> {
    /// TLS servers of the sandbox.
    Server(&'a ServerNames),
    /// A TPP's TLS connections, as an OBWAC. Source: DCR-052, DCR-053.
    TppTransport(TppSubject<'a>),
    /// A TPP's signatures, as an OBSeal. Source: DCR-053.
    TppSeal(TppSubject<'a>),
    /// The connector of a built-in bank in its own process.
    Connector,
    /// The bank's signatures. Source: AS-007.
    BankSeal {
        /// The bank's organisation id in the directory.
        org_id: &'a OrgId,
    },
}

/// The subject of a TPP's certificates.
#[derive(Debug, Clone, Copy)]
pub(super) struct TppSubject<'a> {
    org_name: &'a str,
    org_id: &'a OrgId,
    software_id: &'a SoftwareId,
    roles: &'a [TppRole],
    certificates: TppCertificates,
}

/// A TPP's number in the register of the United Kingdom's authority: nine digits, derived from the id of its organisation.
pub(super) struct AuthorityNumber(u64);

impl AuthorityNumber {
    pub(super) fn of(org_id: &OrgId) -> Self {
        let digest = lombard_jose::sha256(org_id.as_str().as_bytes());
        let number = digest.0.iter().take(6).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        Self(number % 1_000_000_000)
    }
}

impl std::fmt::Display for AuthorityNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:09}", self.0)
    }
}

impl<'a> TppSubject<'a> {
    /// The subject of a TPP whose organisation has this name.
    pub(super) fn of(card: &'a TppJson, org_name: &'a str, roles: &'a [TppRole]) -> Self {
        let TppJson { org_id, software_id, certificates, .. } = card;
        Self { org_name, org_id, software_id, roles, certificates: *certificates }
    }

    /// The attributes after the country: the name in RFC 4514, the type in the certificate library, and the value.
    fn attributes(&self) -> Vec<(&'static str, DnType, String)> {
        let Self { org_name, org_id, software_id, certificates, .. } = self;
        let identifier = || DnType::CustomDnType(ORGANISATION_IDENTIFIER.to_vec());
        let organisation = |name: &str| ("O", DnType::OrganizationName, name.to_owned());
        let common_name = |name: String| ("CN", DnType::CommonName, name);
        match certificates {
            TppCertificates::Obwac => vec![
                organisation(org_name),
                ("organizationIdentifier", identifier(), organisation_identifier(org_id)),
                common_name(org_id.to_string()),
            ],
            TppCertificates::Qwac => vec![
                organisation(org_name),
                ("organizationIdentifier", identifier(), format!("PSDGB-FCA-{}", AuthorityNumber::of(org_id))),
                common_name(format!("{}.example", org_name.to_lowercase().replace(' ', "-"))),
            ],
            TppCertificates::Legacy => vec![
                organisation("OpenBanking"),
                ("OU", DnType::OrganizationalUnitName, org_id.to_string()),
                common_name(software_id.to_string()),
            ],
        }
    }

    /// The subject as RFC 4514 text, most specific first. Source: DCR-050.
    pub(super) fn rfc_4514(&self) -> String {
        let attributes = self.attributes();
        let written = attributes.iter().rev().map(|(name, _, value)| format!("{name}={},", escaped(value)));
        written.chain(["C=GB".to_owned()]).collect()
    }

    fn distinguished_name(&self) -> DistinguishedName {
        let mut name = in_the_united_kingdom();
        self.attributes().into_iter().for_each(|(_, kind, value)| name.push(kind, value));
        name
    }

    /// The extensions that state a TPP's roles. Certificates of the legacy form state no roles.
    fn statements(&self, kind: psd2::CertificateType) -> Vec<CustomExtension> {
        match self.certificates {
            TppCertificates::Obwac => vec![psd2::statements(self.roles, None)],
            TppCertificates::Qwac => vec![psd2::statements(self.roles, Some(kind))],
            TppCertificates::Legacy => Vec::new(),
        }
    }
}

/// Escapes an attribute value for RFC 4514 text. Source: RFC 4514 section 2.4.
fn escaped(text: &str) -> String {
    let last = text.chars().count().saturating_sub(1);
    let mut out = String::with_capacity(text.len());
    for (at, character) in text.chars().enumerate() {
        let special = "\"+,;<>\\=".contains(character);
        let at_an_end = (at == 0 && matches!(character, ' ' | '#')) || (at == last && character == ' ');
        match character {
            '\0' => out.push_str("\\00"),
            _ if special || at_an_end => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }
    out
}

/// The organisation identifier, with the authority `Unknown`. Source: DCR-052.
fn organisation_identifier(org_id: &OrgId) -> String {
    format!("PSDGB-OB-Unknown{org_id}")
}

impl CertificateProfile<'_> {
    /// The parameters of a leaf certificate with this profile, valid from about now.
    pub(super) fn params(&self, now: Timestamp) -> CertificateParams {
        let mut params = base(now, LEAF_VALIDITY);
        // An explicit `CA:FALSE` also adds the subject key identifier.
        params.is_ca = IsCa::ExplicitNoCa;
        params.use_authority_key_identifier_extension = true;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        match self {
            Self::Server(names) => {
                params.distinguished_name = of_sandbox("localhost");
                params.subject_alt_names = names.alternative_names();
                params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
            }
            Self::TppTransport(subject) => {
                params.distinguished_name = subject.distinguished_name();
                params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
                params.custom_extensions = subject.statements(psd2::CertificateType::Web);
            }
            Self::TppSeal(subject) => {
                params.distinguished_name = subject.distinguished_name();
                params.custom_extensions = subject.statements(psd2::CertificateType::Seal);
            }
            Self::Connector => {
                params.distinguished_name = of_sandbox("connector");
                params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
            }
            Self::BankSeal { org_id } => {
                params.distinguished_name = of_organisation("Lombard sandbox bank", org_id);
            }
        }
        params
    }
}

/// The certificate of an authority, without the names it may be constrained to.
pub(super) fn authority(common_name: &str, now: Timestamp) -> CertificateParams {
    let mut params = base(now, AUTHORITY_VALIDITY);
    params.distinguished_name = of_sandbox(common_name);
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn base(now: Timestamp, validity: SignedDuration) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.serial_number = Some(serial());
    let not_before = since_1970(now.saturating_sub(BACKDATED).unwrap_or(now));
    let not_after = since_1970(now.saturating_add(validity).unwrap_or(now));
    #[allow(clippy::arithmetic_side_effects, reason = "both calendars end with the year 9999")]
    {
        params.not_before = date_time_ymd(1970, 1, 1) + not_before;
        params.not_after = date_time_ymd(1970, 1, 1) + not_after;
    }
    params
}

/// The time since 1970 in whole seconds, the resolution of certificates.
fn since_1970(time: Timestamp) -> Duration {
    Duration::from_secs(u64::try_from(time.as_second()).unwrap_or(0))
}

/// A random serial number, positive and of fixed length. The library's default is a hash of the key, so a renewed certificate would have
/// the serial number of the old one. Source: RFC 5280 section 4.1.2.2.
fn serial() -> SerialNumber {
    let mut bytes = [0; 16];
    SystemEntropy.fill(&mut bytes);
    let [first, ..] = &mut bytes;
    *first = (*first & 0x3f) | 0x40;
    SerialNumber::from_slice(&bytes)
}

/// The distinguished name of a certificate of the sandbox itself.
fn of_sandbox(common_name: &str) -> DistinguishedName {
    let mut name = in_the_united_kingdom();
    name.push(DnType::OrganizationName, "Lombard sandbox");
    name.push(DnType::CommonName, common_name);
    name
}

/// The distinguished name of an organisation in the directory. Source: DCR-052.
fn of_organisation(org_name: &str, org_id: &OrgId) -> DistinguishedName {
    let mut name = in_the_united_kingdom();
    name.push(DnType::OrganizationName, org_name);
    name.push(DnType::CustomDnType(ORGANISATION_IDENTIFIER.to_vec()), organisation_identifier(org_id));
    name.push(DnType::CommonName, org_id.as_str());
    name
}

fn in_the_united_kingdom() -> DistinguishedName {
    let mut name = DistinguishedName::new();
    // The country is the only attribute with a prescribed string type. Source: RFC 5280 appendix A.1.
    if let Ok(country) = PrintableString::try_from("GB") {
        name.push(DnType::CountryName, DnValue::PrintableString(country));
    }
    name
}

/// The public part of a message-signing key for which a certificate is issued.
pub(super) struct RsaPublic<'a>(pub(super) &'a SigningKey);

impl PublicKeyData for RsaPublic<'_> {
    fn der_bytes(&self) -> &[u8] {
        self.0.public_der()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_RSA_SHA256
    }
}

/// The first certificate of a PEM text, as DER.
pub(super) fn from_pem(pem: &str) -> Option<Vec<u8>> {
    CertificateDer::from_pem_slice(pem.as_bytes()).ok().map(|der| der.to_vec())
}

/// Whether a certificate (DER) expires within 30 days, has expired, or cannot be read.
pub fn is_near_expiry(der: &[u8], now: Timestamp) -> bool {
    X509Certificate::from_der(der).map_or(true, |(_, certificate)| ends_within(&certificate, now, RENEWED_BEFORE_END))
}

/// Whether the certificate expires within this time.
pub(super) fn ends_within(certificate: &X509Certificate<'_>, now: Timestamp, time: SignedDuration) -> bool {
    let needed_until = now.saturating_add(time).unwrap_or(Timestamp::MAX);
    certificate.validity().not_after.timestamp() < needed_until.as_second()
}

/// Whether an issued certificate (DER) can be kept: it is not near expiry, and has this public key and this issuer.
pub(super) fn can_be_kept(der: &[u8], key: &impl PublicKeyData, issuer_key_id: &[u8], now: Timestamp) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else { return false };
    !ends_within(&certificate, now, RENEWED_BEFORE_END)
        && certificate.public_key().raw == key.subject_public_key_info().as_slice()
        && issuer_key_identifier(&certificate) == Some(issuer_key_id)
}

fn issuer_key_identifier<'a>(certificate: &X509Certificate<'a>) -> Option<&'a [u8]> {
    certificate.iter_extensions().find_map(|extension| {
        let ParsedExtension::AuthorityKeyIdentifier(identifier) = extension.parsed_extension() else { return None };
        identifier.key_identifier.as_ref().map(|id| id.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dcr_050_names_are_escaped_as_rfc_4514_asks() {
        let org_id = OrgId::from("0015800001041RHAAY");
        for (org_name, written) in [
            ("Acme Limited", "Acme Limited"),
            ("Acme, Sons + Co", r"Acme\, Sons \+ Co"),
            (r#"a"b\c<d>e;f=g"#, r#"a\"b\\c\<d\>e\;f\=g"#),
            ("#1 Bank", r"\#1 Bank"),
            (" spaced ", r"\ spaced\ "),
            ("nul\0", r"nul\00"),
            ("Café", "Café"),
            ("", ""),
        ] {
            let software_id = &SoftwareId::from("s");
            let certificates = TppCertificates::Obwac;
            let text = TppSubject { org_name, org_id: &org_id, software_id, roles: &[], certificates }.rfc_4514();
            let start = "CN=0015800001041RHAAY,organizationIdentifier=PSDGB-OB-Unknown0015800001041RHAAY,O=";
            assert_eq!(text, format!("{start}{written},C=GB"), "{org_name}");
        }
    }
}
