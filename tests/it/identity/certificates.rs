//! Certificates of an authority of the tests' own.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

/// An authority that signs certificates.
pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
pub(super) struct Pair {
    pub(super) certificate: String,
    pub(super) key: String,
}

impl Authority {
    /// An authority of this name. Two of one name are told apart by their signatures alone, which OpenSSL may refuse before a
    /// provider's own answer.
    pub(super) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        // The certificates that it signs have another subject than it has.
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// Its own certificate, in PEM.
    pub(super) fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate with this name.
    pub(super) fn sign(&self, name: &str) -> Pair {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        Pair { certificate: params.signed_by(&key, &self.0).unwrap().pem(), key: key.serialize_pem() }
    }
}
