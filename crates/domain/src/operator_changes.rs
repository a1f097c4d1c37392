//! The changes that operators made to a registered client, stored beside the client.

use crate::pending_registration::PendingRegistration;
use jiff::Timestamp;

/// The most characters of a reason.
pub const REASON_CHARS_MAX: usize = 200;

/// Why an operator changed a client: one line of 1 to [`REASON_CHARS_MAX`] characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeReason(String);

impl ChangeReason {
    /// The text as a reason; `None` if it is empty or too long, or contains control characters. Space around it is removed.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_line = !text.is_empty() && !text.contains(char::is_control);
        (is_line && text.chars().count() <= REASON_CHARS_MAX).then(|| Self(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The latest changes of a client by operators. All times are those of the wall clock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OperatorChanges {
    /// When an operator last changed the status.
    pub status_changed_at: Option<Timestamp>,
    /// Why the status was last changed, if the operator said so.
    pub status_reason: Option<ChangeReason>,
    /// When an operator narrowed the roles; `None` once an operator has restored all roles of the software statement. A restarted
    /// sandbox keeps roles that an operator set, and the client's registration cannot widen them.
    pub roles_changed_at: Option<Timestamp>,
    /// When an operator set redirect URIs; `None` once an operator has restored all of those in the software statement. A
    /// restarted sandbox keeps redirect URIs that an operator set, and the client's registration cannot add to them.
    pub redirect_uris_changed_at: Option<Timestamp>,
    /// The registration that the client asked for and that waits for the approval of an operator. Source: DCR-042.
    pub pending_registration: Option<PendingRegistration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_of_bounded_length() {
        let longest = "é".repeat(REASON_CHARS_MAX);
        for (text, parsed) in [
            ("fraud case 7", Some("fraud case 7")),
            ("  spaces around  ", Some("spaces around")),
            (longest.as_str(), Some(longest.as_str())),
            ("", None),
            ("   ", None),
            ("two\nlines", None),
            ("\u{1b}[2J", None),
        ] {
            assert_eq!(ChangeReason::parse(text).as_ref().map(ChangeReason::as_str), parsed, "{text:?}");
        }
        assert_eq!(ChangeReason::parse(&format!("{longest}é")), None, "one character more");
    }
}
