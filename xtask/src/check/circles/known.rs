//! Circles that are still there. An entry goes with its circle; none is added.

/// The files of each, in order.
pub(super) const KNOWN: &[&[&str]] = &[
];
