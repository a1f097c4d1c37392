//! Checks the line ends of HTTP/1 requests among the bytes of a connection: the lines of a head, of chunk sizes and of trailers end with CR
//! and LF. The HTTP library accepts a LF alone as the end of a line, and a proxy in front may not, so that both could see different
//! requests. Source: TLS-015, RFC 9112 section 2.2.

/// The byte that replaces a LF without CR. No part of a head may contain it, so the library refuses the request.
const SPOILT: u8 = 0;

/// Tracks the messages that a caller sends.
#[derive(Debug, Default)]
pub(super) struct HeaderLines {
    part: MessagePart,
    /// The received part of an incomplete line.
    line: Vec<u8>,
    /// Whether the head has its first line.
    has_begun: bool,
    /// The length of the body, by the fields read so far.
    body: BodyLength,
}

#[derive(Debug, Default, Clone, Copy)]
enum MessagePart {
    /// The lines of a head.
    #[default]
    Head,
    /// The remaining bytes of a body.
    Body(u64),
    /// The line with the size of a chunk.
    ChunkSize,
    /// The remaining bytes of a chunk and of the line end after it.
    Chunk(u64),
    /// The lines after the last chunk.
    Trailers,
    /// The library refuses the received bytes and stops reading.
    Refused,
}

#[derive(Debug, Default, Clone, Copy)]
enum BodyLength {
    #[default]
    None,
    Bytes(u64),
    Chunked,
}

impl HeaderLines {
    /// Processes the next bytes. A LF that ends a line without CR is overwritten.
    pub(super) fn take(&mut self, mut bytes: &mut [u8]) {
        while !bytes.is_empty() {
            let passed = match &mut self.part {
                MessagePart::Refused => return,
                MessagePart::Body(rest) | MessagePart::Chunk(rest) => {
                    let passed = usize::try_from(*rest).unwrap_or(usize::MAX).min(bytes.len());
                    *rest = rest.saturating_sub(passed as u64);
                    passed
                }
                MessagePart::Head | MessagePart::ChunkSize | MessagePart::Trailers => self.take_line(bytes),
            };
            match self.part {
                MessagePart::Body(0) => self.part = MessagePart::Head,
                MessagePart::Chunk(0) => self.part = MessagePart::ChunkSize,
                _ => {}
            }
            bytes = bytes.get_mut(passed..).unwrap_or_default();
        }
    }

    /// Processes a line or the beginning of one; returns the number of its bytes.
    fn take_line(&mut self, bytes: &mut [u8]) -> usize {
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
            self.line.extend_from_slice(bytes);
            return bytes.len();
        };
        let mut line = std::mem::take(&mut self.line);
        line.extend_from_slice(bytes.get(..end).unwrap_or_default());
        match line.pop() {
            Some(b'\r') => self.part = self.after_line(&line),
            _ => {
                if let Some(byte) = bytes.get_mut(end) {
                    *byte = SPOILT;
                }
                self.part = MessagePart::Refused;
            }
        }
        line.clear();
        self.line = line;
        end.saturating_add(1)
    }

    /// The part of the message that follows this line.
    fn after_line(&mut self, line: &[u8]) -> MessagePart {
        match self.part {
            MessagePart::ChunkSize => match chunk_bytes(line) {
                Some(0) => MessagePart::Trailers,
                Some(bytes) => MessagePart::Chunk(bytes.saturating_add(2)),
                None => MessagePart::Refused,
            },
            MessagePart::Trailers if line.is_empty() => MessagePart::Head,
            MessagePart::Head if line.is_empty() && self.has_begun => {
                self.has_begun = false;
                match std::mem::take(&mut self.body) {
                    BodyLength::None => MessagePart::Head,
                    BodyLength::Bytes(bytes) => MessagePart::Body(bytes),
                    BodyLength::Chunked => MessagePart::ChunkSize,
                }
            }
            MessagePart::Head if !line.is_empty() => {
                if self.has_begun {
                    self.note_field(line)
                } else {
                    self.has_begun = true;
                    MessagePart::Head
                }
            }
            same => same,
        }
    }

    /// Records the length of the body that a field states.
    fn note_field(&mut self, line: &[u8]) -> MessagePart {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return MessagePart::Refused };
        let (name, value) = line.split_at(colon);
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.body = BodyLength::Chunked;
        } else if name.eq_ignore_ascii_case(b"content-length") && !matches!(self.body, BodyLength::Chunked) {
            let digits = std::str::from_utf8(value).unwrap_or_default().trim_matches([':', ' ', '\t']);
            let Ok(bytes) = digits.parse() else { return MessagePart::Refused };
            self.body = BodyLength::Bytes(bytes);
        }
        MessagePart::Head
    }
}

/// The size in the line before a chunk. Source: RFC 9112 section 7.1.
fn chunk_bytes(line: &[u8]) -> Option<u64> {
    let size = line.split(|byte| matches!(byte, b';' | b' ' | b'\t')).next().unwrap_or_default();
    u64::from_str_radix(std::str::from_utf8(size).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that only the bytes at these places are changed, in whatever pieces the text arrives.
    fn spoils(sent: &str, places: &[usize]) {
        for piece in [1, 2, 7, sent.len()] {
            let mut lines = HeaderLines::default();
            let mut bytes = sent.as_bytes().to_vec();
            bytes.chunks_mut(piece).for_each(|piece| lines.take(piece));
            let changed = bytes.iter().zip(sent.as_bytes()).enumerate().filter(|(_, (read, sent))| read != sent);
            assert_eq!(changed.map(|(at, _)| at).collect::<Vec<_>>(), places, "{sent:?} by {piece}");
            assert!(places.iter().all(|at| bytes[*at] == SPOILT));
        }
    }

    #[test]
    fn tls_015_a_line_of_a_request_ends_with_cr_and_lf() {
        let first = "GET /a HTTP/1.1\r\nHost: a\r\n";
        let body = "POST /a HTTP/1.1\r\nContent-Length: 4\r\nHost: a\r\n\r\na\nb\n";
        let chunked =
            "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\n\n\na\r\nA\r\n0123\n56789\r\n0\r\n";
        for whole in [
            format!("{first}\r\n{first}\r\n\r\n{first}\r\n"),
            format!("{body}{body}{first}\r\n"),
            format!("{chunked}\r\n{chunked}x: 1\r\n\r\n{first}\r\n"),
            format!("{}{first}", body.replace("4", "x")),
        ] {
            spoils(&whole, &[]);
        }
        for (before, after) in [
            ("GET /a HTTP/1.1", "Host: a\r\n\r\n"),
            ("GET /a HTTP/1.1\r\nHost: a", "X: b\r\n\r\n"),
            (first, "\r\n"),
            ("", first),
            (&format!("{body}GET /b HTTP/1.1"), "Host: a\r\n\r\n"),
            (&format!("{chunked}x: 1"), "\r\n"),
            (&format!("{chunked}\r\nGET /b HTTP/1.1"), "Host: a\r\n\r\n"),
        ] {
            spoils(&format!("{before}\n{after}\n\n"), &[before.len()]);
        }
    }
}
