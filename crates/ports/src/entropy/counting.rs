//! Deterministic entropy for tests.

use super::Entropy;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter: every buffer ends with the number of the call. Ids are distinct, the same in every run, and ascending
/// within a millisecond.
#[derive(Debug, Default)]
pub struct CountingEntropy(AtomicU64);

impl Entropy for CountingEntropy {
    fn fill_random(&self, buffer: &mut [u8]) {
        let bytes = self.0.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        buffer.fill(0);
        buffer.iter_mut().rev().zip(bytes.iter().rev()).for_each(|(to, from)| *to = *from);
    }
}
