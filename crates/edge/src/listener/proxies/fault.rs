//! The reasons why a forwarded request is refused.

/// Why a request is refused for what it says of its caller. A request extension: the layers answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForwardingFault {
    /// The rule that is broken.
    pub(crate) rule: &'static str,
    /// What is wrong.
    pub(crate) reason: &'static str,
}

/// Never the first or the last of several.
pub(super) const SEVERAL_CERTIFICATES: ForwardingFault =
    ForwardingFault { rule: "TLS-012", reason: "several certificate headers" };
pub(super) const MALFORMED_CERTIFICATE: ForwardingFault =
    ForwardingFault { rule: "TLS-012", reason: "a malformed certificate header" };

/// Whether two names of headers are the same for some reader: without regard to hyphens and underscores. Source: TLS-015.
pub(crate) fn is_same_name(known: &str, name: &str) -> bool {
    known.len() == name.len() && known.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a, b) == (b'-', b'_'))
}
