//! The login of the bank's staff at the ops listener: sessions of browsers, staff certificates, and the password of a sandbox.
//!
//! What a role may do is decided by the ops listener, not here.

mod certificate;
mod password;
mod sessions;
#[cfg(test)]
mod tests;

pub use certificate::{StaffCertificateFault, staff_member_of_certificate};
pub use password::OperatorPassword;
pub use sessions::{CountedStaffAttempt, StaffForms, StaffLogin, StaffSessionLimits, StaffSessions, login_secrets};
