//! The signing input of a JWS, digested incrementally. Source: RFC 7515 section 5.1; RW-203.
//!
//! A payload may be a large payment file, so it is never held in memory as a whole: only the last few kilobytes are buffered until they are
//! encoded.

use aws_lc_rs::digest::{self, Context, Digest, SHA256};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;

/// The size of the buffer in bytes. Three bytes are four characters of base64url, so whole groups can be encoded separately.
const GROUPS_BYTES: usize = 3 * 1024;

/// The digest of a header, a full stop, and a payload in base64url.
#[derive(Clone)]
pub(crate) struct SigningInput {
    context: Context,
    /// The bytes not digested yet; fewer than [`GROUPS_BYTES`].
    rest: Vec<u8>,
    text: String,
}

impl fmt::Debug for SigningInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningInput").finish_non_exhaustive()
    }
}

impl SigningInput {
    /// Starts a signing input with this encoded header.
    pub(crate) fn new(header_part: &str) -> Self {
        let mut context = Context::new(&SHA256);
        context.update(header_part.as_bytes());
        context.update(b".");
        Self { context, rest: Vec::new(), text: String::new() }
    }

    /// Adds the next piece of the payload.
    pub(crate) fn update(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            let room = GROUPS_BYTES.saturating_sub(self.rest.len());
            let (now, later) = piece.split_at(room.min(piece.len()));
            self.rest.extend_from_slice(now);
            piece = later;
            if self.rest.len() >= GROUPS_BYTES {
                self.digest_rest();
            }
        }
    }

    /// The digest of header and payload.
    pub(crate) fn finish(mut self) -> Digest {
        self.digest_rest();
        self.context.finish()
    }

    fn digest_rest(&mut self) {
        self.text.clear();
        URL_SAFE_NO_PAD.encode_string(&self.rest, &mut self.text);
        self.context.update(self.text.as_bytes());
        self.rest.clear();
    }
}

/// The digest of a complete signing input.
pub(crate) fn digest_of(signing_input: &[u8]) -> Digest {
    digest::digest(&SHA256, signing_input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base64url;
    use proptest::prelude::*;

    fn in_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Digest {
        let mut input = SigningInput::new("e30");
        for piece in pieces {
            input.update(piece);
            assert!(input.rest.len() < GROUPS_BYTES && input.text.capacity() <= 2 * GROUPS_BYTES);
        }
        input.finish()
    }

    fn at_once(payload: &[u8]) -> Digest {
        digest_of(format!("e30.{}", base64url(payload)).as_bytes())
    }

    #[test]
    fn rw_203_pieces_of_any_size_are_the_payload() {
        let payload: Vec<u8> = (0..=255_u8).cycle().take(3 * GROUPS_BYTES + 2).collect();
        for size in [1, 2, 3, 4, 1000, GROUPS_BYTES - 1, GROUPS_BYTES, GROUPS_BYTES + 1, payload.len()] {
            for end in [0, 1, GROUPS_BYTES - 1, GROUPS_BYTES, GROUPS_BYTES + 1, payload.len()] {
                let found = in_pieces(payload[..end].chunks(size));
                assert_eq!(found.as_ref(), at_once(&payload[..end]).as_ref(), "{end} bytes in pieces of {size}");
            }
        }
    }

    proptest! {
        #[test]
        fn rw_203_however_a_payload_is_cut_it_is_the_same(pieces: Vec<Vec<u8>>) {
            let found = in_pieces(pieces.iter().map(Vec::as_slice));
            let whole = at_once(&pieces.concat());
            prop_assert_eq!(found.as_ref(), whole.as_ref());
        }
    }
}
