//! Repeatable randomness: each bank's entropy is seeded with the name of its test.

use lombard_ports::entropy::Entropy;
use parking_lot::Mutex;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Entropy from a seed.
#[derive(Debug)]
pub(crate) struct SeededEntropy(Mutex<ChaCha20Rng>);

impl SeededEntropy {
    /// Entropy named after the running test and this purpose.
    pub(crate) fn of_test(purpose: &str) -> Self {
        let test = std::thread::current().name().unwrap_or("main").to_owned();
        let seed = lombard_jose::sha256(format!("{test}/{purpose}").as_bytes());
        Self(Mutex::new(ChaCha20Rng::from_seed(seed.0)))
    }
}

impl Entropy for SeededEntropy {
    fn fill_random(&self, buffer: &mut [u8]) {
        self.0.lock().fill_bytes(buffer);
    }
}
