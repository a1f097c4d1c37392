//! Certificates of signing keys.

use jiff::Timestamp;
use lombard_jose::SigningKey;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose, PKCS_RSA_SHA256,
    PublicKeyData, SignatureAlgorithm, date_time_ymd,
};
use std::time::Duration;

struct RsaPublic<'a>(&'a SigningKey);

impl PublicKeyData for RsaPublic<'_> {
    fn der_bytes(&self) -> &[u8] {
        self.0.public_der()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_RSA_SHA256
    }
}

/// An authority of the tests.
pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    /// An authority whose certificate is valid for years around this moment.
    pub(super) fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// The authority's certificate.
    pub(super) fn der(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    /// A certificate for this key, valid from so many days after this moment to so many days after it, and for these usages.
    pub(super) fn issue(&self, key: &SigningKey, at: Timestamp, days: [i64; 2], usages: &[KeyUsagePurpose]) -> Vec<u8> {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, "bank");
        params.key_usages = usages.to_vec();
        let day = |days: i64| {
            let seconds = u64::try_from(at.as_second() + days * 86_400).unwrap();
            date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds)
        };
        (params.not_before, params.not_after) = (day(days[0]), day(days[1]));
        params.signed_by(&RsaPublic(key), &self.0).unwrap().der().to_vec()
    }
}
