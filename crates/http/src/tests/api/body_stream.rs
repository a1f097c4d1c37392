//! A large body, of which only a small part is in memory at a time.

use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The size of a piece, in bytes.
pub(super) const PIECE_BYTES: usize = 64 * 1024;

/// A long body whose pieces are made on demand. It counts the pieces that are still held.
#[derive(Debug, Clone)]
pub(super) struct Plenty {
    left: u64,
    held: Arc<Held>,
}

#[derive(Debug, Default)]
struct Held {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Piece {
    bytes: Vec<u8>,
    held: Arc<Held>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.held.now.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Plenty {
    /// A body of this many bytes.
    pub(super) fn of(bytes: u64) -> Self {
        Self { left: bytes, held: Arc::default() }
    }

    /// The most pieces that were held at once by all readers of this body and its clones.
    pub(super) fn most_held(&self) -> usize {
        self.held.most.load(Ordering::SeqCst)
    }
}

impl Iterator for Plenty {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        let size = self.left.min(PIECE_BYTES as u64);
        let mark = (self.left / PIECE_BYTES as u64).to_le_bytes()[0];
        self.left -= size;
        let bytes = vec![mark; usize::try_from(size).unwrap()];
        (size > 0).then(|| {
            let now = self.held.now.fetch_add(1, Ordering::SeqCst) + 1;
            self.held.most.fetch_max(now, Ordering::SeqCst);
            Bytes::from_owner(Piece { bytes, held: Arc::clone(&self.held) })
        })
    }
}
