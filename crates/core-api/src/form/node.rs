//! JSON values that keep the order of members and repeated members.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, Serializer};
use serde_json::Number;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A JSON value. Forms use integers only; decimals are texts. The texts and names of a parsed value are borrowed from the document,
/// unless they contain escapes there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonNode<'a> {
    /// Null.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A number that is not an integer or is too large. No form accepts it.
    Number(Number),
    /// Serialised JSON that is written unchanged.
    Raw(Arc<str>),
    /// A text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<JsonNode<'a>>),
    /// An object, with its members in their order.
    Object(Vec<(Cow<'a, str>, JsonNode<'a>)>),
}

/// The initial capacity of an object, which is enough for most objects.
pub(super) const USUAL_MEMBERS: usize = 6;

impl JsonNode<'static> {
    /// Creates a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Cow::Owned(text.into()))
    }

    /// Creates an object with these members.
    pub fn object<const N: usize>(members: [(&'static str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
    }

    /// Creates a list of texts.
    pub fn texts(texts: impl IntoIterator<Item = &'static str>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }
}

impl Serialize for JsonNode<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Number(number) => number.serialize(serializer),
            Self::Raw(json) => {
                RawValue::from_string(json.as_ref().to_owned()).map_err(S::Error::custom)?.serialize(serializer)
            }
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
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

impl<'de> Deserialize<'de> for JsonNode<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = JsonNode<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<JsonNode<'de>, E> {
        Ok(JsonNode::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<JsonNode<'de>, E> {
        Ok(JsonNode::Bool(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<JsonNode<'de>, E> {
        Ok(JsonNode::Integer(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<JsonNode<'de>, E> {
        Ok(i64::try_from(number).map_or_else(|_| JsonNode::Number(number.into()), JsonNode::Integer))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<JsonNode<'de>, E> {
        Ok(Number::from_f64(number).map_or(JsonNode::Null, |number| {
            // `2.0` denotes the integer 2.
            let whole = number.to_string().strip_suffix(".0").and_then(|text| text.parse().ok());
            whole.map_or(JsonNode::Number(number), JsonNode::Integer)
        }))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<JsonNode<'de>, E> {
        Ok(JsonNode::text(text))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<JsonNode<'de>, E> {
        Ok(JsonNode::Text(Cow::Borrowed(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut json: A) -> Result<JsonNode<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = json.next_element()? {
            items.push(item);
        }
        Ok(JsonNode::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut json: A) -> Result<JsonNode<'de>, A::Error> {
        let mut members = Vec::new();
        // The deserialiser passes a member's name as a text.
        while let Some((JsonNode::Text(name), value)) = json.next_entry()? {
            if members.is_empty() {
                members.reserve_exact(USUAL_MEMBERS);
            }
            members.push((name, value));
        }
        Ok(JsonNode::Object(members))
    }
}
