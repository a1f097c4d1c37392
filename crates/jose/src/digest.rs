//! Hashes, and the comparison of secrets in constant time.

use crate::base64url;
use aws_lc_rs::{constant_time, digest};
use lombard_domain::grant::Digest;
use std::fmt;

/// SHA-256 of the bytes.
pub fn sha256(bytes: &[u8]) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(bytes);
    hasher.finish()
}

/// SHA-256 of data that is added piece by piece.
#[derive(Clone)]
pub struct Sha256(digest::Context);

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sha256").finish_non_exhaustive()
    }
}

impl Sha256 {
    /// Starts the hash of empty data.
    pub fn new() -> Self {
        Self(digest::Context::new(&digest::SHA256))
    }

    /// Adds the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The hash of all pieces.
    pub fn finish(self) -> Digest {
        let mut hash = [0; 32];
        hash.copy_from_slice(self.0.finish().as_ref());
        Digest(hash)
    }
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

/// The left half of the SHA-256 of an ASCII value, in base64url: `c_hash`, `s_hash`, `at_hash`. Source: AS-101.
pub fn half_hash(ascii: &str) -> String {
    let Digest(hash) = sha256(ascii.as_bytes());
    let (left, _right) = hash.split_at(16);
    base64url(left)
}

/// Whether two secrets are equal, in a time that does not depend on where they differ.
pub fn secrets_are_equal(a: &[u8], b: &[u8]) -> bool {
    constant_time::verify_slices_are_equal(a, b).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_is_sha256() {
        let Digest(hash) = sha256(b"abc");
        assert_eq!(base64url(&hash), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    }

    #[test]
    fn file_005_a_hash_is_the_same_however_the_bytes_come() {
        let whole: Vec<u8> = (0..200).collect();
        for size in 1..=whole.len() {
            let mut hasher = Sha256::default();
            whole.chunks(size).for_each(|piece| hasher.update(piece));
            assert_eq!(hasher.finish(), sha256(&whole), "{size}");
        }
        assert_eq!(Sha256::new().finish(), sha256(b""));
    }

    #[test]
    fn as_101_hashes_are_the_left_half() {
        // OpenID Connect Core 1.0, appendix A.4 (access token) and A.6 (code).
        assert_eq!(half_hash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"), "77QmUPtjPfzWtF2AnpK9RQ");
        assert_eq!(half_hash("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"), "LDktKdoQak3Pk0cnXxCltA");
    }

    #[test]
    fn secrets_of_another_length_differ() {
        assert!(secrets_are_equal(b"a secret", b"a secret"));
        assert!(!secrets_are_equal(b"a secret", b"a secreT"));
        assert!(!secrets_are_equal(b"a secret", b"a secret "));
        assert!(secrets_are_equal(b"", b""));
    }
}
