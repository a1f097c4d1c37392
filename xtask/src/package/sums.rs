//! The checksums of packages.

use super::artefact::Artefact;
use aws_lc_rs::digest::{SHA256, digest};

/// The name of the file, in the form that `sha256sum --check` reads.
pub(super) const NAME: &str = "SHA256SUMS";

/// A line for each package, sorted by name.
pub(super) fn text(packages: &[Artefact]) -> String {
    let mut lines: Vec<_> = packages.iter().map(|it| (&it.name, sha256(&it.bytes))).collect();
    lines.sort();
    lines.into_iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect()
}

/// The SHA-256 digest in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    sha256_bytes(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The SHA-256 digest.
pub(super) fn sha256_bytes(bytes: &[u8]) -> Vec<u8> {
    digest(&SHA256, bytes).as_ref().to_vec()
}
