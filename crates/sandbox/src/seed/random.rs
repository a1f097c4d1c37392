//! Repeatable random streams. Each stream has a name, so that a new customer, or a habit added at the end of a table, does not change the
//! other streams.

use jiff::Timestamp;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use uuid::Uuid;

/// A repeatable random stream.
#[derive(Debug)]
pub(super) struct SeededRandom(ChaCha20Rng);

impl SeededRandom {
    /// The stream of this name under this seed.
    pub(super) fn named(seed: u64, name: &str) -> Self {
        let mut bytes = seed.to_be_bytes().to_vec();
        bytes.extend_from_slice(name.as_bytes());
        Self(ChaCha20Rng::from_seed(lombard_jose::sha256(&bytes).0))
    }

    /// A number from zero up to, but excluding, the bound; zero for a bound of zero.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        // The high half of the product is uniform enough for a history, and needs no rejection sampling.
        let product = u128::from(self.0.next_u64()).saturating_mul(u128::from(bound));
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A number between two others, both included.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.abs_diff(low).saturating_add(1);
        low.saturating_add_unsigned(self.below(span))
    }

    /// True with a probability of `times` in a thousand.
    pub(super) fn per_mille(&mut self, times: u32) -> bool {
        self.below(1_000) < u64::from(times)
    }

    /// One of these items; `None` if there are none.
    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let count = u64::try_from(from.len()).unwrap_or(u64::MAX);
        from.get(usize::try_from(self.below(count)).unwrap_or(usize::MAX))
    }

    /// A text of `count` decimal digits.
    pub(super) fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0'.saturating_add(u8::try_from(self.below(10)).unwrap_or(0)))).collect()
    }

    /// A random id (UUID version 4).
    pub(super) fn id(&mut self) -> String {
        let mut random = [0; 16];
        self.0.fill_bytes(&mut random);
        uuid::Builder::from_random_bytes(random).into_uuid().to_string()
    }

    /// An id that sorts by time (UUID version 7) but cannot be guessed.
    pub(super) fn id_at(&mut self, at: Timestamp) -> String {
        let mut random = [0; 10];
        self.0.fill_bytes(&mut random);
        let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
        let id: Uuid = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_repeats_and_differs_by_seed_and_by_name() {
        let draw = |seed, name| SeededRandom::named(seed, name).id();
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
    }

    #[test]
    fn numbers_keep_their_bounds_and_reach_them() {
        let mut chance = SeededRandom::named(7, "bounds");
        let drawn: Vec<_> = (0..1_000).map(|_| chance.between(-2, 2)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-2), Some(&2)));
        assert_eq!(chance.below(0), 0);
        assert_eq!(chance.pick::<u8>(&[]), None);
    }
}
