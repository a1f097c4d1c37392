//! The bank's staff: who acts as an operator, in which role, and what the audit log keeps of an act.

use crate::grant::Digest;
use crate::ids::FapiInteractionId;
use crate::operator_changes::ChangeReason;
use jiff::Timestamp;

/// The most characters of a staff member's name.
pub const STAFF_NAME_CHARS_MAX: usize = 128;

/// What a member of the bank's staff is employed for. A table of the operations listener says what each role may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StaffRole {
    /// Sees the state of the service, and no customer's data.
    View,
    /// Answers customers and TPPs: reads customers' data with a reason.
    Support,
    /// Answers for keys, certificates, TPPs and the audit log.
    Security,
    /// May do everything.
    Admin,
}

impl StaffRole {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::View, Self::Support, Self::Security, Self::Admin];

    /// The name of the role, as certificates, claims and the audit log write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Support => "support",
            Self::Security => "security",
            Self::Admin => "admin",
        }
    }

    /// The role of this name, in capital or small letters.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name().eq_ignore_ascii_case(name))
    }
}

/// The name of a staff member: one line of 1 to [`STAFF_NAME_CHARS_MAX`] characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StaffName(String);

impl StaffName {
    /// The text as a name; `None` if it is empty or too long, or contains control characters. Space around it is removed.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_line = !text.is_empty() && !text.contains(char::is_control);
        (is_line && text.chars().count() <= STAFF_NAME_CHARS_MAX).then(|| Self(text.to_owned()))
    }

    /// The name of a member who has none that can be used.
    pub fn unknown() -> Self {
        Self("unknown".to_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A member of the bank's staff.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StaffMember {
    /// The name, as the certificate, the bank's OpenID provider or the sandbox's password file has it.
    pub name: StaffName,
    /// The role.
    pub role: StaffRole,
}

/// An act of a staff member, as the audit log keeps it beside what was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffAct {
    /// Who acts.
    pub member: StaffMember,
    /// From where: the network address of the caller, or `command` for a command on the database while no server runs.
    pub from: String,
    /// The reason that was given, if any.
    pub reason: Option<ChangeReason>,
    /// The interaction id of the request, if it came by one.
    pub interaction_id: Option<FapiInteractionId>,
}

/// A session of a staff member's browser at the ops listener, identified by the secret in the browser's cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaffSession {
    /// SHA-256 of the cookie's secret.
    pub browser: Digest,
    /// Who logged in, in which role. A role that is changed elsewhere takes effect at the next login.
    pub member: StaffMember,
    /// The digest that, together with the browser's secret, yields the tokens of the session's forms.
    pub form_token: Digest,
    /// When it expires without activity (wall clock).
    pub idle_at: Timestamp,
    /// When it expires in any case (wall clock).
    pub ends_at: Timestamp,
}

impl StaffSession {
    /// Whether the session has not expired.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        now < self.idle_at && now < self.ends_at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_has_one_name_in_any_case() {
        for role in StaffRole::ALL {
            assert_eq!(StaffRole::parse(role.name()), Some(role));
            assert_eq!(StaffRole::parse(&role.name().to_ascii_uppercase()), Some(role));
        }
        for unknown in ["", "owner", "admins", " admin"] {
            assert_eq!(StaffRole::parse(unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn a_staff_name_is_one_line_of_bounded_length() {
        let longest = "é".repeat(STAFF_NAME_CHARS_MAX);
        for (text, parsed) in [
            (" Ada Lovelace ", Some("Ada Lovelace")),
            (longest.as_str(), Some(longest.as_str())),
            ("", None),
            ("two\nlines", None),
        ] {
            assert_eq!(StaffName::parse(text).as_ref().map(StaffName::as_str), parsed, "{text:?}");
        }
        assert_eq!(StaffName::parse(&format!("{longest}é")), None, "one character more");
    }
}
