//! Circles that are still there. An entry goes with its circle; none is added.

/// The files of each, in order.
pub(super) const KNOWN: &[&[&str]] = &[
    &[
        "crates/sandbox/src/trust/authority.rs",
        "crates/sandbox/src/trust/certificate.rs",
        "crates/sandbox/src/trust/server.rs",
    ],
    &["crates/sandbox/src/trust/mod.rs", "crates/sandbox/src/trust/statement.rs", "crates/sandbox/src/trust/tpp.rs"],
];
