//! The password and the bearer token of a sandbox's operator.

use lombard_domain::grant::Digest;
use lombard_domain::staff::{StaffMember, StaffName, StaffRole};
use std::fmt;

/// The operator of a sandbox, who logs in with a password, or sends a bearer token. Only digests are kept.
#[derive(Clone)]
pub struct OperatorPassword {
    user: StaffName,
    password: Digest,
    token: Digest,
}

impl fmt::Debug for OperatorPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperatorPassword").field("user", &self.user).finish_non_exhaustive()
    }
}

impl OperatorPassword {
    /// The operator with this user name, password and token.
    pub fn new(user: StaffName, password: &str, token: &str) -> Self {
        Self {
            user,
            password: lombard_jose::sha256(password.as_bytes()),
            token: lombard_jose::sha256(token.as_bytes()),
        }
    }

    /// The operator, if user name and password are right. Both are always compared.
    pub fn check_password(&self, user: &str, password: &str) -> Option<StaffMember> {
        let is_user = equal(lombard_jose::sha256(self.user.as_str().as_bytes()), user);
        let is_password = equal(self.password, password);
        (is_user & is_password).then(|| self.member())
    }

    /// The operator, if the token is right.
    pub fn check_token(&self, token: &str) -> Option<StaffMember> {
        equal(self.token, token).then(|| self.member())
    }

    fn member(&self) -> StaffMember {
        StaffMember { name: self.user.clone(), role: StaffRole::Admin }
    }
}

/// Whether the text has this digest, in a time that does not depend on where they differ.
fn equal(known: Digest, text: &str) -> bool {
    lombard_jose::secrets_are_equal(&known.0, &lombard_jose::sha256(text.as_bytes()).0)
}
