//! Lists the members of a body as lines, from the body's schema.

use serde_json::Value;

/// A member of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BodyField {
    /// The path of the member, such as `Data.Account[].AccountId`.
    pub path: String,
    /// The type of the member, in one word.
    pub kind: String,
    /// Whether the member is always present in its object.
    pub always: bool,
    /// The allowed values, if the schema lists them.
    pub values: Vec<String>,
}

/// Every member of `Data`, or of a body without `Data`. An object precedes its members, which are ordered by name.
pub(super) fn of_data(schema: &Value) -> Vec<BodyField> {
    let mut fields = Vec::new();
    match schema.pointer("/properties/Data") {
        Some(data) => members("Data", data, &mut fields),
        None => members("", schema, &mut fields),
    }
    fields
}

fn members(path: &str, schema: &Value, fields: &mut Vec<BodyField>) {
    let (path, schema) = match schema.get("items") {
        Some(items) => (format!("{path}[]"), items),
        None => (path.to_owned(), schema),
    };
    // The claims of a JWT are described after its header.
    let schema = schema.pointer("/contentSchema/prefixItems/1").unwrap_or(schema);
    let required: Vec<_> = texts(schema.get("required"));
    let mut named: Vec<_> = schema.get("properties").and_then(Value::as_object).into_iter().flatten().collect();
    // Whether a JSON object keeps its order depends on the features of the whole build.
    named.sort_unstable_by_key(|(name, _)| *name);
    for (name, member) in named {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let element = member.get("items").unwrap_or(member);
        fields.push(BodyField {
            path: path.clone(),
            kind: kind(member),
            always: required.contains(name),
            values: texts(element.get("enum")),
        });
        members(&path, member, fields);
    }
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn kind(schema: &Value) -> String {
    // A type that allows null is a list of two types.
    let named = |it: &Value| match it.get("type") {
        Some(Value::Array(kinds)) => {
            kinds.iter().find_map(|kind| kind.as_str().filter(|kind| *kind != "null")).map(str::to_owned)
        }
        other => other.and_then(Value::as_str).map(str::to_owned),
    };
    let format = schema.get("format").and_then(Value::as_str);
    match (named(schema).as_deref(), format) {
        (Some("array"), _) => {
            let items = schema.get("items").and_then(named).unwrap_or_else(|| "value".to_owned());
            format!("list of {items}s")
        }
        (Some("string"), Some(format)) => format.to_owned(),
        (Some("string"), None) => "text".to_owned(),
        (Some(kind), _) => kind.to_owned(),
        (None, _) => "value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_are_listed_with_their_paths() {
        let schema = json!({ "properties": { "Data": { "properties": { "Account": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["Id"],
                "properties": {
                    "Id": { "type": "string" },
                    "At": { "type": ["string", "null"], "format": "date-time" },
                    "Kind": { "type": "string", "enum": ["a", "b"] },
                },
            },
        } } } } });
        let fields = of_data(&schema);
        let lines: Vec<_> = fields.iter().map(|it| (it.path.as_str(), it.kind.as_str(), it.always)).collect();
        assert_eq!(
            lines,
            [
                ("Data.Account", "list of objects", false),
                ("Data.Account[].At", "date-time", false),
                ("Data.Account[].Id", "text", true),
                ("Data.Account[].Kind", "text", false),
            ]
        );
        assert_eq!(fields[3].values, ["a", "b"]);
    }
}
