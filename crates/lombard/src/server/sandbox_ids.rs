//! The ids of a sandbox, which are derived from its seed.

use lombard_domain::ids::ClientId;
use lombard_jose::sha256;

/// The client id of a default TPP of the sandbox with this seed.
pub(super) fn usual_client(seed: u64, name: &str) -> ClientId {
    derived(seed, &format!("client {name}"), 22).into()
}

/// The organisation id of the bank of the sandbox with this seed.
pub(super) fn bank_organisation(seed: u64) -> String {
    derived(seed, "bank", 18)
}

/// Alphanumeric text derived from a seed and a purpose.
pub(super) fn derived(seed: u64, purpose: &str, length: usize) -> String {
    let digest = sha256(format!("lombard sandbox {seed} {purpose}").as_bytes());
    digest.0.iter().take(length).map(|byte| alphanumeric(*byte)).collect()
}

/// Maps a random byte to a letter or digit.
pub(super) fn alphanumeric(byte: u8) -> char {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    ALPHABET.get(usize::from(byte) % ALPHABET.len()).copied().map_or('0', char::from)
}
