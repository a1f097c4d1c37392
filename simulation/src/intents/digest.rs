//! Digests of bodies and files that are not hashed.

use lombard_domain::grant::Digest;

/// The digest that stands for a number.
pub(crate) fn digest(number: u64) -> Digest {
    let mut digest = [0; 32];
    digest.iter_mut().zip(number.to_be_bytes()).for_each(|(to, from)| *to = from);
    Digest(digest)
}
