//! Why what a request says of its caller is refused.

/// Why a request is refused for what it says of its caller. A request extension: the layers answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ForwardingFault {
    /// The rule that is broken.
    pub(crate) rule: &'static str,
    /// What is wrong.
    pub(crate) reason: &'static str,
}

/// Whether two names of headers are the same for some reader: without regard to hyphens and underscores. Source: TLS-015.
pub(crate) fn is_same_name(known: &str, name: &str) -> bool {
    known.len() == name.len() && known.bytes().zip(name.bytes()).all(|(a, b)| a == b || (a, b) == (b'-', b'_'))
}
