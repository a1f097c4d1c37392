//! Parses the names by which operators give roles, security profiles and signed messages of TPPs.

use lombard_domain::scope::TppRole;
use lombard_domain::security_profile::{SecurityProfile, SignedMessages};
use lombard_ops::OperationError;

/// Parses names of roles.
pub(super) fn roles(names: &[String]) -> Result<Vec<TppRole>, OperationError> {
    let known = || OperationError::Refused("roles are aisp, pisp and cbpii".to_owned());
    let mut roles = Vec::new();
    for name in names {
        let role = TppRole::from_name(name).ok_or_else(known)?;
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    Ok(roles)
}

/// Parses the name of a security profile.
pub(super) fn security_profile(name: &str) -> Result<SecurityProfile, OperationError> {
    let names = || SecurityProfile::ALL.map(SecurityProfile::name).join(", ");
    SecurityProfile::from_name(name)
        .ok_or_else(|| OperationError::Refused(format!("security profiles are {}", names())))
}

/// Parses the names of kinds of signed messages. Source: AS-182.
pub(super) fn signed_messages(names: &[String]) -> Result<SignedMessages, OperationError> {
    let known = SignedMessages::from_names(names.iter().map(String::as_str));
    known.ok_or_else(|| OperationError::Refused(format!("signed messages are {}", SignedMessages::NAMES.join(", "))))
}
