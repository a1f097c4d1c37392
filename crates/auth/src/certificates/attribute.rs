//! The attributes of a distinguished name, and how they are compared.

/// The attributes of one relative distinguished name, sorted, because their order has no meaning.
pub(super) type RelativeName = Vec<Attribute>;

/// An attribute of a name: its type and its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Attribute {
    /// The type as a dotted object identifier.
    pub(super) kind: String,
    /// The value of the attribute.
    pub(super) value: AttributeValue,
}

/// The value of an attribute, independent of its ASN.1 string type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AttributeValue {
    /// Text of any string type, without leading and trailing spaces.
    Text(String),
    /// A value that is not a valid string of its type: tag number and content.
    Other(u32, Vec<u8>),
}

/// The text is not a distinguished name. Source: RFC 4514 section 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a distinguished name")]
pub struct BadName;

pub(super) fn sorted(mut name: RelativeName) -> RelativeName {
    name.sort();
    name
}

impl AttributeValue {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.trim_matches(' ').to_owned())
    }

    /// Decodes the content of an ASN.1 value with this universal tag.
    pub(super) fn decode(tag: u32, content: &[u8]) -> Self {
        let text = match tag {
            // UTF8String; NumericString, PrintableString, IA5String and VisibleString are ASCII.
            12 | 18 | 19 | 22 | 26 => String::from_utf8(content.to_vec()).ok(),
            // TeletexString, which in practice contains Latin-1.
            20 => Some(content.iter().copied().map(char::from).collect()),
            // BMPString is UTF-16, UniversalString UTF-32, both big-endian.
            30 => utf16(content),
            28 => utf32(content),
            _ => None,
        };
        text.map_or_else(|| Self::Other(tag, content.to_vec()), |text| Self::text(&text))
    }
}

pub(super) fn utf16(content: &[u8]) -> Option<String> {
    let (units, []) = content.as_chunks::<2>() else { return None };
    char::decode_utf16(units.iter().map(|unit| u16::from_be_bytes(*unit))).collect::<Result<_, _>>().ok()
}

pub(super) fn utf32(content: &[u8]) -> Option<String> {
    let (units, []) = content.as_chunks::<4>() else { return None };
    units.iter().map(|unit| char::from_u32(u32::from_be_bytes(*unit))).collect()
}
