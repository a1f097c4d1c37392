//! A readable description of a certificate.

use super::BadCertificate;
use jiff::Timestamp;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

/// The properties of a certificate that logs and pages show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateDescription {
    /// The subject of the certificate.
    pub subject: String,
    /// The serial number, hexadecimal with colons.
    pub serial: String,
    /// The first instant of the validity period.
    pub not_before: Timestamp,
    /// The last instant of the validity period.
    pub not_after: Timestamp,
}

impl CertificateDescription {
    /// Describes a certificate (DER). The certificate is not checked.
    ///
    /// # Errors
    /// [`BadCertificate`] if the certificate cannot be parsed.
    pub fn from_der(der: &[u8]) -> Result<Self, BadCertificate> {
        let (_, certificate) = X509Certificate::from_der(der).map_err(|_| BadCertificate)?;
        let time = |seconds| Timestamp::from_second(seconds).map_err(|_| BadCertificate);
        Ok(Self {
            subject: certificate.subject().to_string(),
            serial: certificate.raw_serial_as_string(),
            not_before: time(certificate.validity().not_before.timestamp())?,
            not_after: time(certificate.validity().not_after.timestamp())?,
        })
    }
}
