//! What is read, as JSON Schema: told by the types that read it, so that a description cannot ask for anything else.

use serde_json::{Map, Value, json};

/// Whether an object may have members the standard does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Openness {
    /// It may; they are ignored and not shown again.
    Open,
    /// It may not.
    Closed,
}

/// The schema of what is wanted in words.
pub(crate) fn wanted(words: &str) -> Value {
    let kind = match words {
        "a string" => "string",
        "an object" => "object",
        "a boolean" => "boolean",
        array if array.starts_with("an array") => "array",
        number if number.starts_with("a number") => "number",
        _ => return json!({}),
    };
    json!({ "type": kind })
}

/// A text by its pattern.
pub(crate) fn text(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

/// One of these texts.
pub(crate) fn one_of<N: Into<Value>>(names: impl IntoIterator<Item = N>) -> Value {
    let names: Vec<Value> = names.into_iter().map(Into::into).collect();
    json!({ "type": "string", "enum": names })
}

/// A member of an object: its name, whether it must be there, what it is.
pub(crate) type MemberSchema = (&'static str, bool, fn() -> Value);

/// An object of these members.
pub(crate) fn object(openness: Openness, members: &[MemberSchema]) -> Value {
    let properties: Map<_, _> = members.iter().map(|(name, _, schema)| ((*name).to_owned(), schema())).collect();
    let required: Vec<_> = members.iter().filter(|(_, required, _)| *required).map(|(name, ..)| *name).collect();
    let mut object = json!({ "type": "object", "properties": properties });
    if let Some(object) = object.as_object_mut() {
        if !required.is_empty() {
            object.insert("required".to_owned(), required.into());
        }
        if openness == Openness::Closed {
            object.insert("additionalProperties".to_owned(), false.into());
        }
    }
    object
}
