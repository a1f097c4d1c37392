//! The description of a certificate for people.

use super::BadCertificate;
use jiff::Timestamp;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;

/// What people are told of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateDescription {
    /// Its subject.
    pub subject: String,
    /// Its serial number, hexadecimal with colons.
    pub serial: String,
    /// The first instant of its validity.
    pub not_before: Timestamp,
    /// The last instant of its validity.
    pub not_after: Timestamp,
}

impl CertificateDescription {
    /// Describes a certificate (DER). Nothing about it is judged.
    ///
    /// # Errors
    /// [`BadCertificate`] if it cannot be read.
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
