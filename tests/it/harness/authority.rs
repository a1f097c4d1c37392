//! A certificate authority of one test.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, DnType,
    ExtendedKeyUsagePurpose, IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, PKCS_RSA_SHA256, PublicKeyData,
    RevokedCertParams, SerialNumber, SignatureAlgorithm, date_time_ymd,
};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, CertificateSigningRequestDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use x509_parser::certificate::X509Certificate;
use x509_parser::certification_request::X509CertificationRequest;
use x509_parser::prelude::FromDer;

/// An authority that issues certificates.
#[derive(Debug)]
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key.
#[derive(Debug)]
pub(crate) struct Issued {
    certificate: rcgen::Certificate,
    key: KeyPair,
}

/// The RSA key that a certificate is requested for, DER.
struct RequestedKey(Vec<u8>);

impl PublicKeyData for RequestedKey {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_RSA_SHA256
    }
}

impl Authority {
    /// An authority of this name. Two of one name are told apart by their signatures alone, which OpenSSL may refuse before a
    /// provider's own answer.
    pub(crate) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Its own certificate, in PEM.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// Its own certificate.
    pub(crate) fn der(&self) -> CertificateDer<'static> {
        self.0.der().clone()
    }

    /// A certificate for a DNS name or an address, with these usages; for any without them.
    pub(crate) fn issue(&self, name: &str, usages: &[ExtendedKeyUsagePurpose]) -> Issued {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        // A certificate whose subject is that of its issuer is taken for one that is self-signed.
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = usages.to_vec();
        Issued { certificate: params.signed_by(&key, &self.0).unwrap(), key }
    }

    /// A staff member's certificate with this name and these units, which is valid until the beginning of this year. The library's names
    /// have one value of each type, so a second unit has its type by number.
    pub(crate) fn issue_staff(&self, name: &str, units: &[&str], until: i32) -> Issued {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        let kinds = [DnType::OrganizationalUnitName, DnType::CustomDnType(vec![2, 5, 4, 11])];
        for (kind, unit) in kinds.into_iter().zip(units) {
            params.distinguished_name.push(kind, *unit);
        }
        (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(until, 1, 1));
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        Issued { certificate: params.signed_by(&key, &self.0).unwrap(), key }
    }

    /// A list on which this certificate is revoked, in PEM.
    pub(crate) fn revocation_list(&self, revoked: &Issued) -> String {
        let (_, parsed) = X509Certificate::from_der(revoked.certificate.der()).unwrap();
        let revoked = RevokedCertParams {
            serial_number: SerialNumber::from_slice(parsed.raw_serial()),
            revocation_time: date_time_ymd(2021, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2021, 1, 1),
            next_update: date_time_ymd(2040, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: vec![revoked],
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.0).unwrap().pem().unwrap()
    }

    /// A certificate for signatures with the key of this request (PKCS#10, PEM), and the authority's own after it, in PEM.
    pub(crate) fn certify(&self, request: &str) -> String {
        let der = CertificateSigningRequestDer::from_pem_slice(request.as_bytes()).unwrap();
        let (_, request) = X509CertificationRequest::from_der(&der).unwrap();
        request.verify_signature().unwrap();
        let info = &request.certification_request_info;
        let key = RequestedKey(info.subject_pki.subject_public_key.data.to_vec());
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        let name = info.subject.iter_common_name().next().unwrap().as_str().unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        format!("{}{}", params.signed_by(&key, &self.0).unwrap().pem(), self.pem())
    }
}

impl Issued {
    /// The certificate, in PEM.
    pub(crate) fn pem(&self) -> String {
        self.certificate.pem()
    }

    /// The certificate.
    pub(crate) fn der(&self) -> CertificateDer<'static> {
        self.certificate.der().clone()
    }

    /// The key, in PEM.
    pub(crate) fn key_pem(&self) -> String {
        self.key.serialize_pem()
    }

    /// The key.
    pub(crate) fn key_der(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()))
    }
}
