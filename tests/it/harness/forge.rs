//! Signatures that a bank of this profile must refuse.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::{rsa, signature};
use lombard_jose::SigningKey;

/// A good key, the padding of RS256.
pub(crate) fn rs256(key: &SigningKey, message: &[u8]) -> Vec<u8> {
    let pair = rsa::KeyPair::from_pkcs8(&key.pkcs8_der().unwrap()).unwrap();
    let mut made = vec![0; pair.public_modulus_len()];
    pair.sign(&signature::RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut made).unwrap();
    made
}
