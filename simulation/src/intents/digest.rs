//! Digests for bodies and files, which are not hashed in the simulation.

use lombard_domain::grant::Digest;

/// The digest that represents a number.
pub(crate) fn digest(number: u64) -> Digest {
    let mut digest = [0; 32];
    digest.iter_mut().zip(number.to_be_bytes()).for_each(|(to, from)| *to = from);
    Digest(digest)
}
