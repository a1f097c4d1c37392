//! The JSON Schemas of request bodies, stated by the types that parse them, so that schema and parser agree.

use serde_json::{Map, Value, json};

/// Whether an object may have unknown members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Openness {
    /// Unknown members are ignored and not echoed.
    Open,
    /// Unknown members are faults.
    Closed,
}

/// The schema of a value that is described in words.
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

/// A string with a pattern.
pub(crate) fn text(pattern: &str) -> Value {
    json!({ "type": "string", "pattern": pattern })
}

/// A string from a list.
pub(crate) fn one_of<N: Into<Value>>(names: impl IntoIterator<Item = N>) -> Value {
    let names: Vec<Value> = names.into_iter().map(Into::into).collect();
    json!({ "type": "string", "enum": names })
}

/// The number of strings that a schema lists; `None` if the schema is not a list.
pub(crate) fn listed_count(schema: &Value) -> Option<usize> {
    schema.get("enum").and_then(Value::as_array).map(Vec::len)
}

/// A member of an object: its name, whether it is required, and its schema.
pub(crate) type MemberSchema = (&'static str, bool, fn() -> Value);

/// An object with these members.
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
