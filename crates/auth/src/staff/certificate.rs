//! The staff member whom a client certificate names.

use crate::certificates::{COMMON_NAME, ClientCertificate, ORGANISATIONAL_UNIT};
use jiff::Timestamp;
use lombard_domain::staff::{StaffMember, StaffName, StaffRole};

/// Why a certificate names no staff member. The text continues a sentence that begins with the certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StaffCertificateFault {
    /// The certificate has expired, is no longer trusted, or is not for clients of TLS.
    #[error("is not valid now, or is not for TLS clients; have it issued again")]
    NotUsable,
    /// The subject has no common name, or several.
    #[error("must have exactly one common name (CN), the member's name")]
    NoName,
    /// The subject has no organisational unit, or several, or one that is no role.
    #[error("must have exactly one organisational unit (OU), and it must be a role: view, support, security or admin")]
    NoRole,
}

/// The member whom a certificate of the staff authority names: the common name is the member's name, the organisational unit the role. The
/// listener has verified the chain.
///
/// # Errors
/// [`StaffCertificateFault`].
pub fn staff_member_of_certificate(
    certificate: &ClientCertificate,
    now: Timestamp,
) -> Result<StaffMember, StaffCertificateFault> {
    if !certificate.is_usable(now) {
        return Err(StaffCertificateFault::NotUsable);
    }
    let subject = certificate.subject();
    let name = subject.text(COMMON_NAME).and_then(StaffName::parse).ok_or(StaffCertificateFault::NoName)?;
    let role = subject.text(ORGANISATIONAL_UNIT).and_then(StaffRole::parse).ok_or(StaffCertificateFault::NoRole)?;
    Ok(StaffMember { name, role })
}
