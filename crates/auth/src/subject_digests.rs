//! The digests by which failed logins of users, devices and addresses are counted.

use lombard_domain::grant::Digest;
use lombard_domain::text::comparable_user_name;

/// The digest that counts a user's failed logins, independent of the spelling of the name.
pub(crate) fn user_digest(name: &str) -> Digest {
    subject_digest("user", &normalised_user_name(name))
}

/// A user's name in the normalised form that the built-in logins use too.
pub(crate) fn normalised_user_name(name: &str) -> Vec<u8> {
    comparable_user_name(name).into_bytes()
}

pub(crate) fn subject_digest(kind: &str, name: &[u8]) -> Digest {
    lombard_jose::sha256(&[kind.as_bytes(), b"\n", name].concat())
}
