//! Builds certificate requests (PKCS#10) for signing keys, which the bank submits to its directory.

use super::sandbox_ids::bank_organisation;
use crate::config::Config;
use lombard_jose::SigningKey;
use rcgen::string::PrintableString;
use rcgen::{
    CertificateParams, DistinguishedName, DnType, DnValue, Error, KeyUsagePurpose, PKCS_RSA_SHA256, PublicKeyData,
    SignatureAlgorithm,
};

/// `organizationIdentifier`. Source: ETSI EN 319 412-1 section 5.1.4.
const ORGANISATION_IDENTIFIER: [u64; 4] = [2, 5, 4, 97];

/// The subject of a bank's seal: the names of an OBSeal. Source: DCR-052.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequestSubject {
    /// The country, two letters.
    pub(super) country: String,
    /// The organisation's name.
    pub(super) organisation_name: String,
    /// The organisation's `organizationIdentifier`, such as `PSDGB-FCA-123456`.
    pub(super) organisation_identifier: String,
    /// The organisation's id in the directory, which is the common name.
    pub(super) organisation_id: String,
}

impl RequestSubject {
    /// The subject of the bank's requests, from its settings. A sandbox has its own organisation id.
    pub(super) fn of_bank(config: &Config) -> Self {
        let signing = &config.signing;
        let organisation_id = signing.organisation_id.clone();
        let organisation_id = organisation_id.unwrap_or_else(|| bank_organisation(config.sandbox.seed));
        let unregistered = || format!("PSDGB-OB-Unknown{organisation_id}");
        Self {
            country: signing.country.clone(),
            organisation_name: signing.organisation_name.clone().unwrap_or_else(|| config.bank.name.clone()),
            organisation_identifier: signing.organisation_identifier.clone().unwrap_or_else(unregistered),
            organisation_id,
        }
    }
}

/// The key for which a certificate is requested, and which signs the request.
struct RequestedKey<'a>(&'a SigningKey);

impl PublicKeyData for RequestedKey<'_> {
    fn der_bytes(&self) -> &[u8] {
        self.0.public_der()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_RSA_SHA256
    }
}

impl rcgen::SigningKey for RequestedKey<'_> {
    fn sign(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        self.0.sign_certificate_request(request).map_err(|_| Error::RemoteKeyError)
    }
}

/// Writes a certificate request for a key, in PEM. It takes the time of one signature by the key or by the security module.
///
/// # Errors
/// Fails if the subject cannot be encoded, or if the key cannot sign.
pub(super) fn write_request(subject: &RequestSubject, key: &SigningKey) -> Result<String, Error> {
    let mut name = DistinguishedName::new();
    // The country is the only attribute with a prescribed string type. Source: RFC 5280 appendix A.1.
    let country = PrintableString::try_from(subject.country.as_str())?;
    name.push(DnType::CountryName, DnValue::PrintableString(country));
    name.push(DnType::OrganizationName, subject.organisation_name.as_str());
    let identifier = DnType::CustomDnType(ORGANISATION_IDENTIFIER.to_vec());
    name.push(identifier, subject.organisation_identifier.as_str());
    name.push(DnType::CommonName, subject.organisation_id.as_str());
    let mut params = CertificateParams::default();
    params.distinguished_name = name;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.serialize_request(&RequestedKey(key))?.pem()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::pki_types::CertificateSigningRequestDer;
    use rustls::pki_types::pem::PemObject;
    use x509_parser::certification_request::X509CertificationRequest;
    use x509_parser::prelude::FromDer;

    #[test]
    fn as_007_a_request_names_the_bank_and_is_signed_with_the_key() {
        let key = SigningKey::generate().unwrap();
        let subject = RequestSubject {
            country: "GB".to_owned(),
            organisation_name: "Lombard Bank".to_owned(),
            organisation_identifier: "PSDGB-FCA-123456".to_owned(),
            organisation_id: "0015800001041RHAAY".to_owned(),
        };
        let pem = write_request(&subject, &key).unwrap();
        let der = CertificateSigningRequestDer::from_pem_slice(pem.as_bytes()).unwrap();
        let (_, request) = X509CertificationRequest::from_der(&der).unwrap();
        request.verify_signature().unwrap();
        let info = &request.certification_request_info;
        let name = info.subject.to_string();
        assert!(name.contains("C=GB") && name.contains("O=Lombard Bank"), "{name}");
        assert!(name.contains("PSDGB-FCA-123456") && name.ends_with("CN=0015800001041RHAAY"), "{name}");
        assert_eq!(&*info.subject_pki.subject_public_key.data, key.public_der());
        assert!(write_request(&RequestSubject { country: "\u{1f980}".to_owned(), ..subject }, &key).is_err());
    }
}
