//! A certificate authority of one test.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};

/// An authority that issues certificates.
#[derive(Debug)]
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key.
#[derive(Debug)]
pub(crate) struct Issued {
    certificate: rcgen::Certificate,
    key: KeyPair,
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
