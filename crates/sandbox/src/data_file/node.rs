//! JSON values that keep the order of members and repeated members.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A JSON value. Numbers are integers; decimals are texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileNode {
    Null,
    Flag(bool),
    Whole(i64),
    /// A number that is not an integer, or is too large.
    Number,
    Text(String),
    List(Vec<FileNode>),
    Object(Vec<(Cow<'static, str>, FileNode)>),
}

impl FileNode {
    /// A text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An object with these members.
    pub(super) fn object<const N: usize>(members: [(&'static str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
    }

    /// A list of texts.
    pub(super) fn texts(texts: impl IntoIterator<Item = &'static str>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }
}

impl Serialize for FileNode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null | Self::Number => serializer.serialize_unit(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Whole(number) => serializer.serialize_i64(*number),
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

impl<'de> Deserialize<'de> for FileNode {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = FileNode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<FileNode, E> {
        Ok(FileNode::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<FileNode, E> {
        Ok(FileNode::Flag(flag))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<FileNode, E> {
        Ok(FileNode::Whole(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<FileNode, E> {
        Ok(i64::try_from(number).map_or(FileNode::Number, FileNode::Whole))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<FileNode, E> {
        Ok(FileNode::Number)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<FileNode, E> {
        Ok(FileNode::text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut json: A) -> Result<FileNode, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = json.next_element()? {
            items.push(item);
        }
        Ok(FileNode::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut json: A) -> Result<FileNode, A::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = json.next_entry::<String, FileNode>()? {
            members.push((Cow::Owned(name), value));
        }
        Ok(FileNode::Object(members))
    }
}
