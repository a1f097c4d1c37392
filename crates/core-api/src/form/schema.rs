//! The JSON schemas of forms, in two styles: for a data file, and for an OpenAPI document.

use super::node::JsonNode;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A form that has a JSON schema.
pub trait HasSchema {
    /// Builds the schema. The schemas of objects are added to the definitions and referred to by name.
    fn schema(definitions: &mut Definitions) -> JsonNode<'static>;
}

/// The style of schemas: whether unknown members are faults, and whether members have descriptions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SchemaStyle {
    /// For a file that a person writes: an unknown member is a fault, and members have no descriptions.
    #[default]
    DataFile,
    /// For messages between programs in an OpenAPI document: unknown members are allowed, and each member has a description.
    OpenApi,
}

/// The schemas of objects by name, so that each object is described once.
#[derive(Debug, Default)]
pub struct Definitions {
    style: SchemaStyle,
    schemas: BTreeMap<String, JsonNode<'static>>,
}

impl Definitions {
    /// Creates an empty set of schemas in this style.
    pub const fn new(style: SchemaStyle) -> Self {
        Self { style, schemas: BTreeMap::new() }
    }

    /// The style of the schemas.
    pub const fn style(&self) -> SchemaStyle {
        self.style
    }

    /// The schemas, by name.
    pub fn into_schemas(self) -> BTreeMap<String, JsonNode<'static>> {
        self.schemas
    }

    /// Returns a reference to an object's schema, and adds the schema if it is missing.
    pub fn refer(
        &mut self,
        name: String,
        about: &str,
        describe: impl FnOnce(&mut MemberList<'_>),
    ) -> JsonNode<'static> {
        let folder = match self.style {
            SchemaStyle::DataFile => "#/$defs/",
            SchemaStyle::OpenApi => "#/components/schemas/",
        };
        let reference = JsonNode::object([("$ref", JsonNode::text([folder, &name].concat()))]);
        if !self.schemas.contains_key(&name) {
            // The name is reserved first, because an object may contain its own type.
            self.schemas.insert(name.clone(), JsonNode::Null);
            let mut list = MemberList {
                definitions: self,
                properties: Vec::new(),
                required: Vec::new(),
                pairs: Vec::new(),
                choices: Vec::new(),
            };
            describe(&mut list);
            let schema = list.close(about);
            self.schemas.insert(name, schema);
        }
        reference
    }
}

/// Collects the members of an object for its schema. Each method takes a description of the member, with its units.
#[derive(Debug)]
pub struct MemberList<'d> {
    definitions: &'d mut Definitions,
    properties: Vec<(Cow<'static, str>, JsonNode<'static>)>,
    required: Vec<&'static str>,
    pairs: Vec<(&'static str, &'static str)>,
    choices: Vec<Vec<&'static str>>,
}

impl MemberList<'_> {
    /// Adds a required member.
    pub fn required<F: HasSchema>(&mut self, name: &'static str, about: &str) {
        self.required.push(name);
        self.optional::<F>(name, about);
    }

    /// Adds an optional member.
    pub fn optional<F: HasSchema>(&mut self, name: &'static str, about: &str) {
        let schema = F::schema(self.definitions);
        self.add(name, schema, about);
    }

    /// Adds a list, which may be absent.
    pub fn list<F: HasSchema>(&mut self, name: &'static str, about: &str) {
        let schema = array_of(F::schema(self.definitions));
        self.add(name, schema, about);
    }

    /// Adds two members that are either both present or both absent.
    pub fn both<A: HasSchema, B: HasSchema>(&mut self, first: &'static str, second: &'static str, about: &str) {
        self.optional::<A>(first, about);
        self.optional::<B>(second, about);
        self.pairs.push((first, second));
    }

    /// Requires that exactly one of these members is present.
    pub fn only_one(&mut self, names: Vec<&'static str>) {
        self.choices.push(names);
    }

    /// Adds a member with this schema.
    pub fn add(&mut self, name: &'static str, mut schema: JsonNode<'static>, about: &str) {
        match self.definitions.style {
            SchemaStyle::DataFile => {}
            SchemaStyle::OpenApi => describe(&mut schema, about),
        }
        self.properties.push((Cow::Borrowed(name), schema));
    }

    fn close(self, about: &str) -> JsonNode<'static> {
        let mut schema = JsonNode::object([("type", JsonNode::text("object"))]);
        if self.definitions.style == SchemaStyle::OpenApi {
            describe(&mut schema, about);
        }
        let JsonNode::Object(members) = &mut schema else { return schema };
        members.push((Cow::Borrowed("properties"), JsonNode::Object(self.properties)));
        if self.definitions.style == SchemaStyle::DataFile {
            members.push((Cow::Borrowed("additionalProperties"), JsonNode::Bool(false)));
        }
        if !self.required.is_empty() {
            members.push((Cow::Borrowed("required"), JsonNode::texts(self.required)));
        }
        if !self.pairs.is_empty() {
            let both_ways = self.pairs.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
            let pairs = both_ways.map(|(one, other)| (Cow::Borrowed(one), JsonNode::texts([other]))).collect();
            members.push((Cow::Borrowed("dependentRequired"), JsonNode::Object(pairs)));
        }
        if self.definitions.style == SchemaStyle::OpenApi {
            let one_of = |names: Vec<&'static str>| {
                let one = |name| JsonNode::object([("required", JsonNode::texts([name]))]);
                JsonNode::object([("oneOf", JsonNode::List(names.into_iter().map(one).collect()))])
            };
            let choices: Vec<_> = self.choices.into_iter().map(one_of).collect();
            if !choices.is_empty() {
                members.push((Cow::Borrowed("allOf"), JsonNode::List(choices)));
            }
        }
        schema
    }
}

/// The schema of a list whose elements have this schema.
pub fn array_of(items: JsonNode<'static>) -> JsonNode<'static> {
    JsonNode::object([("type", JsonNode::text("array")), ("items", items)])
}

fn describe(schema: &mut JsonNode<'static>, about: &str) {
    let about = about.trim();
    if let JsonNode::Object(members) = schema
        && !about.is_empty()
    {
        members.push((Cow::Borrowed("description"), JsonNode::text(about)));
    }
}
