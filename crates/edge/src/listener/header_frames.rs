//! Finds the beginning and the end of a request's headers among the frames of an HTTP/2 connection. The HTTP library
//! reports a request when its headers are complete, and has no time limit for those that are not. Source: TLS-016, RFC
//! 9113 section 4.

/// The number of bytes of the preface before the first frame. Source: RFC 9113 section 3.4.
const PREFACE_BYTES: usize = 24;
/// The number of bytes of a frame's head: length, type, flags and stream. Source: RFC 9113 section 4.1.
const HEAD_BYTES: usize = 9;
/// The types of frames that contain headers.
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
/// The flag of the last frame of its headers.
const END_HEADERS: u8 = 4;

/// Tracks the frames that a caller sends.
#[derive(Debug)]
pub(super) struct HeaderFrames {
    /// The bytes to skip before the next frame: the rest of the preface or of a payload.
    rest: usize,
    /// The received bytes of a frame's head.
    head: [u8; HEAD_BYTES],
    head_bytes: usize,
    /// Whether the headers continue in another frame.
    continues: bool,
    /// Whether the skipped payload contains headers.
    in_headers: bool,
}

impl HeaderFrames {
    /// Makes the tracker of a new connection.
    pub(super) const fn new() -> Self {
        Self { rest: PREFACE_BYTES, head: [0; HEAD_BYTES], head_bytes: 0, continues: false, in_headers: false }
    }

    /// Processes the next bytes; returns whether any headers ended in them.
    pub(super) fn take(&mut self, mut bytes: &[u8]) -> bool {
        let mut ended = false;
        loop {
            let passed = self.rest.min(bytes.len());
            self.rest -= passed;
            bytes = bytes.get(passed..).unwrap_or_default();
            if self.rest > 0 {
                return ended;
            }
            if self.in_headers {
                self.in_headers = false;
                ended |= !self.continues;
            }
            let Some((first, more)) = bytes.split_first() else { return ended };
            if let Some(next) = self.head.get_mut(self.head_bytes) {
                *next = *first;
            }
            bytes = more;
            self.head_bytes += 1;
            if self.head_bytes == HEAD_BYTES {
                self.begin_frame();
            }
        }
    }

    /// Whether headers, or bytes that may begin them, have begun and not ended.
    pub(super) const fn is_within_headers(&self) -> bool {
        self.continues || self.in_headers || self.head_bytes > 0
    }

    fn begin_frame(&mut self) {
        let [high, middle, low, kind, flags, ..] = self.head;
        self.head_bytes = 0;
        self.rest = usize::try_from(u32::from_be_bytes([0, high, middle, low])).unwrap_or(usize::MAX);
        if matches!(kind, HEADERS | CONTINUATION) {
            self.in_headers = true;
            self.continues = flags & END_HEADERS == 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, payload: &[u8]) -> Vec<u8> {
        let length = u8::try_from(payload.len()).unwrap();
        [&[0, 0, length, kind, flags, 0, 0, 0, 1], payload].concat()
    }

    #[test]
    fn tls_016_headers_end_with_their_last_frame_however_the_bytes_come() {
        let preface = [0; PREFACE_BYTES].as_slice();
        let settings = frame(4, 0, &[0; 6]);
        let data = frame(0, END_HEADERS, b"data");
        let whole = frame(HEADERS, END_HEADERS, b"fields");
        let begun = frame(HEADERS, 0, b"fie");
        let on = frame(CONTINUATION, 0, b"l");
        let end = frame(CONTINUATION, END_HEADERS, b"");
        let cases: [(&[&[u8]], usize, bool); 7] = [
            (&[], 0, false),
            (&[&settings, &data, &data[..10]], 0, false),
            (&[&settings, &whole, &data, &whole], 2, false),
            (&[&whole[..3]], 0, true),
            (&[&whole[..12]], 0, true),
            (&[&begun, &on], 0, true),
            (&[&begun, &on, &end], 1, false),
        ];
        for (frames, ended, within) in cases {
            let bytes = [preface, &frames.concat()].concat();
            for pieces in [1, 2, 7] {
                let mut seen = HeaderFrames::new();
                let count = bytes.chunks(pieces).filter(|piece| seen.take(piece)).count();
                assert_eq!((count, seen.is_within_headers()), (ended, within), "{frames:?} by {pieces}");
            }
        }
    }
}
