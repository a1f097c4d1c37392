//! The canonical form of a document, by which a repeated request is recognised. Source: PIS-065.

use super::decimal::Decimal;
use super::{BadDocument, DocumentNode};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// The canonical bytes of a body: equal for bodies with equal content. Members are sorted by name, there is no white
/// space, and strings and numbers have one notation. The SHA-256 of the bytes is stored with the idempotency key.
/// Signatures and time stamps are not included, because they differ on each retry.
///
/// # Errors
/// [`BadDocument`]; never for a body that was parsed before.
pub fn canonical_bytes(body: &[u8]) -> Result<Vec<u8>, BadDocument> {
    let text = std::str::from_utf8(body).map_err(BadDocument::not_utf_8)?;
    serde_json::to_vec(&Canonical(&DocumentNode::read(text)?)).map_err(BadDocument)
}

/// The canonical notation of a number; unchanged if the number has more digits than are compared.
pub(crate) fn canonical_number(text: &str) -> String {
    Decimal::read(text).map_or_else(|| text.to_owned(), |number| number.text())
}

/// Serialises a value in canonical form.
struct Canonical<'a>(&'a DocumentNode<'a>);

impl Serialize for Canonical<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            DocumentNode::Number(text) => {
                RawValue::from_string(canonical_number(text)).map_err(S::Error::custom)?.serialize(serializer)
            }
            DocumentNode::Array(items) => serializer.collect_seq(items.iter().map(Canonical)),
            DocumentNode::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, &Canonical(value))?;
                }
                map.end()
            }
            DocumentNode::Null | DocumentNode::Bool(_) | DocumentNode::Text(_) => self.0.serialize(serializer),
        }
    }
}
