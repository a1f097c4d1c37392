//! Checks that banned crates are not built, not even as indirect dependencies.

use super::findings::fail_on;
use crate::command::{cargo, output};
use crate::error::TaskError;

/// The banned crates, each with the reason.
pub(super) const BANNED: [(&str, &str); 8] = [
    ("ring", "aws-lc-rs is the only cryptography"),
    ("openssl", "aws-lc-rs is the only cryptography"),
    ("openssl-sys", "aws-lc-rs is the only cryptography"),
    ("native-tls", "rustls is the only TLS"),
    ("rsa", "aws-lc-rs is the only cryptography"),
    ("chrono", "jiff is the only calendar"),
    ("sqlx", "ten times slower than rusqlite here"),
    ("failure", "abandoned; use thiserror"),
];

/// Checks the crates that cargo would build for any target. Cargo's metadata would also list optional crates that no feature enables.
pub(super) fn check() -> Result<(), TaskError> {
    let mut tree = cargo();
    tree.args([
        "tree",
        "--offline",
        "--locked",
        "--workspace",
        "--target",
        "all",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let built = output(&mut tree)?;
    let is_built = |name: &str| built.lines().any(|line| line.split(' ').next() == Some(name));
    let found = BANNED.into_iter().filter(|(name, _)| is_built(name)).map(|(name, why)| format!("{name}: {why}"));
    fail_on("banned crates are built", &found.collect::<Vec<_>>())
}
