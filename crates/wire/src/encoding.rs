//! Recognises content that is not plain UTF-8 by its first bytes, so that a refusal can name the encoding that was sent.

/// The bytes that begin a text in UTF-8 when the sender writes a byte order mark.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of first bytes that determine the encoding.
pub(crate) const DECISIVE_BYTES: usize = 4;

/// An encoding other than plain UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForeignEncoding {
    /// UTF-8 after a byte order mark.
    MarkedUtf8,
    Utf16,
    Utf32,
    Gzip,
    Zip,
}

impl ForeignEncoding {
    /// The description of the encoding as a verb phrase, to follow "The body".
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::MarkedUtf8 => "begins with a byte order mark (BOM)",
            Self::Utf16 => "is encoded in UTF-16",
            Self::Utf32 => "is encoded in UTF-32",
            Self::Gzip => "is compressed with gzip",
            Self::Zip => "is a ZIP archive",
        }
    }
}

/// The encoding of the content, if its first bytes show that it is not plain UTF-8. The expected texts begin with an ASCII
/// character, so a zero byte next to the first one indicates a wider encoding, also without a byte order mark.
pub(crate) fn recognise_encoding(bytes: &[u8]) -> Option<ForeignEncoding> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => Some(ForeignEncoding::MarkedUtf8),
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [1..=0x7f, 0, 0, 0, ..] | [0, 0, 0, 1..=0x7f, ..] => {
            Some(ForeignEncoding::Utf32)
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [1..=0x7f, 0, ..] | [0, 1..=0x7f, ..] => Some(ForeignEncoding::Utf16),
        [0x1f, 0x8b, ..] => Some(ForeignEncoding::Gzip),
        [b'P', b'K', 3, 4, ..] => Some(ForeignEncoding::Zip),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_recognised_by_its_first_bytes() {
        for (bytes, encoding) in [
            (&b"\xef\xbb\xbf{}"[..], Some(ForeignEncoding::MarkedUtf8)),
            (b"\xff\xfe{\0}\0", Some(ForeignEncoding::Utf16)),
            (b"\xfe\xff\0{\0}", Some(ForeignEncoding::Utf16)),
            (b"{\0}\0", Some(ForeignEncoding::Utf16)),
            (b"\0<\0a", Some(ForeignEncoding::Utf16)),
            (b"\xff\xfe\0\0{\0\0\0", Some(ForeignEncoding::Utf32)),
            (b"\0\0\0{", Some(ForeignEncoding::Utf32)),
            (b"\x1f\x8b\x08\0", Some(ForeignEncoding::Gzip)),
            (b"PK\x03\x04", Some(ForeignEncoding::Zip)),
            (b"{}", None),
            (b"<?xml", None),
            (b" {", None),
            ("é".as_bytes(), None),
            (b"", None),
            (b"\0", None),
        ] {
            assert_eq!(recognise_encoding(bytes), encoding, "{bytes:?}");
        }
    }
}
