//! The reasons why a forwarded request is refused.

/// Why the forwarding headers of a request are refused. A request extension, from which the layers make the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForwardingFault {
    /// The violated rule.
    pub(crate) rule: &'static str,
    /// The reason for the refusal.
    pub(crate) reason: &'static str,
}

/// The fault of several certificates, of which none may be chosen.
pub(super) const SEVERAL_CERTIFICATES: ForwardingFault =
    ForwardingFault { rule: "TLS-012", reason: "several certificate headers" };
pub(super) const MALFORMED_CERTIFICATE: ForwardingFault =
    ForwardingFault { rule: "TLS-012", reason: "a malformed certificate header" };

/// Whether some reader may treat two header names as the same, because they differ only in hyphens and underscores. Source: TLS-015.
pub(crate) fn is_same_name(known: &str, name: &str) -> bool {
    known.len() == name.len() && known.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a, b) == (b'-', b'_'))
}
