//! Repeatable random numbers: the same seed gives the same sequence.

use lombard_ports::entropy::Entropy;
use parking_lot::Mutex;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A repeatable random stream.
#[derive(Debug)]
pub(crate) struct SeededRandom(ChaCha8Rng);

impl SeededRandom {
    /// A stream of a seed. The streams of one seed are independent.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self(rng)
    }

    /// A number below the bound; zero if the bound is zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u128::try_from(bound).unwrap_or(0);
        let product = u128::from(self.0.next_u64()).saturating_mul(bound);
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// True with a probability of one in `times`.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// True with a probability of `times` in a thousand.
    pub(crate) fn per_mille(&mut self, times: usize) -> bool {
        self.below(1_000) < times
    }

    /// One of these items; `None` if there are none.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// The random bytes of ids and secrets.
#[derive(Debug)]
pub(crate) struct Bytes(Mutex<ChaCha8Rng>);

impl Bytes {
    /// The bytes of a stream of a seed.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        Self(Mutex::new(SeededRandom::new(seed, stream).0))
    }
}

impl Entropy for Bytes {
    fn fill_random(&self, buffer: &mut [u8]) {
        self.0.lock().fill_bytes(buffer);
    }
}
