//! The schemas of a document, to which its operations refer.

use lombard_wire::describe::describe_members;
use serde_json::{Map, Value, json};

/// Schemas by name; a schema that several operations share is stored once.
#[derive(Debug, Default)]
pub(super) struct SchemaRegistry(Map<String, Value>);

impl SchemaRegistry {
    /// Stores a schema under its name, or under a numbered name if that is taken, adds descriptions to its members, and returns a reference
    /// to it.
    pub(super) fn register(&mut self, name: &str, mut schema: Value) -> Value {
        describe_members(&mut schema);
        let mut free = name.to_owned();
        let mut number = 1_u32;
        while self.0.get(&free).is_some_and(|kept| *kept != schema) {
            number = number.saturating_add(1);
            free = format!("{name}.{number}");
        }
        let reference = json!({ "$ref": format!("#/components/schemas/{free}") });
        self.0.insert(free, schema);
        reference
    }

    /// All schemas, by name.
    pub(super) fn into_schemas(self) -> Map<String, Value> {
        self.0
    }
}
