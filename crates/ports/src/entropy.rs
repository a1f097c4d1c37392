//! Randomness and ids, injected so that seeds and simulations are reproducible.

#[cfg(any(test, feature = "testing"))]
mod counting;

#[cfg(any(test, feature = "testing"))]
pub use counting::CountingEntropy;

use crate::clock::Clocks;
use std::fmt;
use std::sync::Arc;
use uuid::Uuid;

/// A source of random bytes.
pub trait Entropy: Send + Sync + fmt::Debug {
    /// Fills the buffer. A production source must be cryptographically secure and must not fail silently.
    fn fill_random(&self, buffer: &mut [u8]);
}

/// Generates ids and secrets. Clones share the source.
#[derive(Debug, Clone)]
pub struct IdGenerator(Arc<IdSource>);

#[derive(Debug)]
struct IdSource {
    entropy: Arc<dyn Entropy>,
    clocks: Clocks,
}

impl IdGenerator {
    /// Makes a generator with this source; ordered ids take their time from the wall clock.
    pub fn new(entropy: Arc<dyn Entropy>, clocks: Clocks) -> Self {
        Self(Arc::new(IdSource { entropy, clocks }))
    }

    fn fill_random(&self, buffer: &mut [u8]) {
        self.0.entropy.fill_random(buffer);
    }

    /// A time-ordered id (UUID version 7) with 74 random bits: local in indexes, and not guessable (AIS-088).
    pub fn generate_ordered_id(&self) -> Uuid {
        let mut random = [0; 10];
        self.fill_random(&mut random);
        let millis = u64::try_from(self.0.clocks.wall_now().as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
    }

    /// An id of this type, with the text of [`Self::generate_ordered_id`].
    pub fn ordered<Id: From<String>>(&self) -> Id {
        self.generate_ordered_id().hyphenated().to_string().into()
    }

    /// A random id (UUID version 4), which does not disclose the time.
    pub fn random_id(&self) -> Uuid {
        let mut random = [0; 16];
        self.fill_random(&mut random);
        uuid::Builder::from_random_bytes(random).into_uuid()
    }

    /// 256 random bits, for tokens, codes and cookies.
    pub fn random_secret(&self) -> [u8; 32] {
        let mut secret = [0; 32];
        self.fill_random(&mut secret);
        secret
    }
}
