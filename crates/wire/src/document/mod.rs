//! A JSON document as submitted: members in their order, numbers in their notation.
//!
//! Used for the echo of requests (PIS-019), for the comparison of two documents (PIS-052) and for recognising repeated
//! requests (PIS-065). None of these may change a value, so numbers are never converted to floating point.

mod canonical;
mod decimal;
mod echo;
mod matching;
#[cfg(test)]
mod tests;

pub use canonical::canonical_bytes;
pub(crate) use canonical::canonical_number;
pub(crate) use decimal::WholeNumber;
pub(crate) use echo::keep;
pub(crate) use matching::{migration_changes, order_differences};

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fmt;

/// The maximum nesting of a document; requests have a lower limit at the edge.
pub(crate) const DEPTH_MAX: usize = 64;

/// The text is not a JSON document, or is nested too deeply.
#[derive(Debug)]
pub struct BadDocument(serde_json::Error);

impl BadDocument {
    /// The text is not UTF-8.
    pub(crate) fn not_utf_8(_: std::str::Utf8Error) -> Self {
        Self(<serde_json::Error as serde::de::Error>::custom("not UTF-8"))
    }
}

impl fmt::Display for BadDocument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a JSON document")
    }
}

impl From<BadDocument> for crate::RenderError {
    fn from(BadDocument(error): BadDocument) -> Self {
        Self(error)
    }
}

impl std::error::Error for BadDocument {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// A value of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DocumentNode<'a> {
    /// Absence (RW-142).
    Null,
    /// A boolean.
    Bool(bool),
    /// A number in its notation.
    Number(&'a str),
    /// A string, unescaped.
    Text(String),
    /// An array.
    Array(Vec<DocumentNode<'a>>),
    /// An object.
    Object(Vec<(String, DocumentNode<'a>)>),
}

impl<'a> DocumentNode<'a> {
    /// Parses a document.
    pub(crate) fn read(json: &'a str) -> Result<Self, BadDocument> {
        let raw: &RawValue = serde_json::from_str(json).map_err(BadDocument)?;
        Self::of(raw, DEPTH_MAX).map_err(BadDocument)
    }

    fn of(raw: &'a RawValue, depth: usize) -> serde_json::Result<Self> {
        let text = raw.get();
        let inner = || depth.checked_sub(1).ok_or_else(|| <serde_json::Error as serde::de::Error>::custom("too deep"));
        Ok(match text.bytes().next() {
            Some(b'{') => {
                let (inner, DocumentMembers(members)) = (inner()?, serde_json::from_str(text)?);
                let read = |(name, raw)| Ok((name, Self::of(raw, inner)?));
                Self::Object(members.into_iter().map(read).collect::<serde_json::Result<_>>()?)
            }
            Some(b'[') => {
                let inner = inner()?;
                let items = serde_json::from_str::<Vec<&RawValue>>(text)?;
                Self::Array(items.into_iter().map(|raw| Self::of(raw, inner)).collect::<serde_json::Result<_>>()?)
            }
            Some(b'"') => Self::Text(serde_json::from_str(text)?),
            Some(b't') => Self::Bool(true),
            Some(b'f') => Self::Bool(false),
            Some(b'n') => Self::Null,
            Some(_) | None => Self::Number(text),
        })
    }

    /// A member of an object; `None` also if it is `null`.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => {
                members.iter().find(|(it, value)| it == name && *value != Self::Null).map(|(_, value)| value)
            }
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Array(_) => None,
        }
    }

    /// The document as JSON.
    pub(crate) fn to_json(&self) -> Result<String, BadDocument> {
        serde_json::to_string(self).map_err(BadDocument)
    }
}

impl Serialize for DocumentNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(text) => {
                RawValue::from_string((*text).to_owned()).map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

/// The members of an object in order, not parsed yet.
struct DocumentMembers<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for DocumentMembers<'a> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut json: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = json.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        json.deserialize_map(InOrder).map(Self)
    }
}
