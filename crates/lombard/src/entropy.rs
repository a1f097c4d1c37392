//! The entropy port, implemented with the system's random number generator.

use lombard_ports::entropy::Entropy;
use std::cell::RefCell;

/// The maximum number of bytes of an id. Longer values are secrets, which are never drawn in advance.
const ID_BYTES_MAX: usize = 16;
/// The number of bytes for ids that a thread draws at once. Every request needs an id, and drawing one alone costs as much as drawing many.
const DRAWN_BYTES: usize = 64 * ID_BYTES_MAX;

/// The operating system's cryptographically secure random number generator.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill_random(&self, buffer: &mut [u8]) {
        if buffer.len() > ID_BYTES_MAX {
            return lombard_jose::SystemEntropy.fill(buffer);
        }
        thread_local!(static DRAWN: RefCell<DrawnBytes> = const { RefCell::new(DrawnBytes::NONE) });
        DRAWN.with_borrow_mut(|drawn| drawn.take(buffer));
    }
}

/// Random bytes of a thread that have not been used for an id.
struct DrawnBytes {
    bytes: [u8; DRAWN_BYTES],
    /// The number of unused bytes, which are at the end.
    unused: usize,
}

impl DrawnBytes {
    const NONE: Self = Self { bytes: [0; DRAWN_BYTES], unused: 0 };

    /// Moves unused bytes into the buffer, and draws new ones first if there are too few.
    fn take(&mut self, buffer: &mut [u8]) {
        if self.unused < buffer.len() {
            lombard_jose::SystemEntropy.fill(&mut self.bytes);
            self.unused = DRAWN_BYTES;
        }
        let begin = DRAWN_BYTES.saturating_sub(self.unused);
        for (to, from) in buffer.iter_mut().zip(self.bytes.iter_mut().skip(begin)) {
            *to = std::mem::take(from);
        }
        self.unused = self.unused.saturating_sub(buffer.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ais_088_no_bytes_are_in_two_ids_of_any_thread() {
        let draw = || {
            let lengths = (0..4_000).map(|number| 8 + number % 9);
            let ids = lengths.map(|length| {
                let mut id = vec![0; length];
                SystemEntropy.fill_random(&mut id);
                id
            });
            ids.collect::<Vec<_>>()
        };
        let threads = [std::thread::spawn(draw), std::thread::spawn(draw)];
        let ids: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        let parts: HashSet<_> = ids.iter().map(|id| id.first_chunk::<8>()).collect();
        assert_eq!(parts.len(), ids.len());
    }

    #[test]
    fn secrets_are_drawn_as_they_are_needed() {
        let mut secrets = [[0; 32]; 2];
        secrets.iter_mut().for_each(|secret| SystemEntropy.fill_random(secret));
        assert!(secrets[0] != secrets[1] && secrets.iter().all(|secret| secret.iter().any(|byte| *byte != 0)));
    }
}
