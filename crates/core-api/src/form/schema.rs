//! The JSON schemas of forms, in two styles: of a data file, and of an OpenAPI document.

use super::node::JsonNode;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A form that has a JSON schema.
pub trait HasSchema {
    /// Its schema. Objects are added to the definitions and referred to.
    fn schema(definitions: &mut Definitions) -> JsonNode<'static>;
}

/// What schemas say besides the form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SchemaStyle {
    /// Of a file that a person writes: an unknown member is a fault, and members have no descriptions.
    #[default]
    DataFile,
    /// Of messages between programs, in an OpenAPI document: unknown members are allowed, and each member has a description.
    OpenApi,
}

/// The schemas of objects, by name, so that each is described once.
#[derive(Debug, Default)]
pub struct Definitions {
    style: SchemaStyle,
    schemas: BTreeMap<String, JsonNode<'static>>,
}

impl Definitions {
    /// No schemas yet, in this style.
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

    /// A reference to an object's schema, which is added if it is not there.
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

/// The members of an object, for its schema. Each is given its description: what it says, in words, with its units.
#[derive(Debug)]
pub struct MemberList<'d> {
    definitions: &'d mut Definitions,
    properties: Vec<(Cow<'static, str>, JsonNode<'static>)>,
    required: Vec<&'static str>,
    pairs: Vec<(&'static str, &'static str)>,
    choices: Vec<Vec<&'static str>>,
}

impl MemberList<'_> {
    /// A required member.
    pub fn required<F: HasSchema>(&mut self, name: &'static str, about: &str) {
        self.required.push(name);
        self.optional::<F>(name, about);
    }

    /// An optional member.
    pub fn optional<F: HasSchema>(&mut self, name: &'static str, about: &str) {
        let schema = F::schema(self.definitions);
        self.add(name, schema, about);
    }

    /// A list, which may be absent.
    pub fn list<F: HasSchema>(&mut self, name: &'static str, about: &str) {
        let schema = array_of(F::schema(self.definitions));
        self.add(name, schema, about);
    }

    /// Two members that are either both present or both absent.
    pub fn both<A: HasSchema, B: HasSchema>(&mut self, first: &'static str, second: &'static str, about: &str) {
        self.optional::<A>(first, about);
        self.optional::<B>(second, about);
        self.pairs.push((first, second));
    }

    /// Says that exactly one of these members is there.
    pub fn only_one(&mut self, names: Vec<&'static str>) {
        self.choices.push(names);
    }

    /// A member with this schema.
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
            members.push((Cow::Borrowed("additionalProperties"), JsonNode::Flag(false)));
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

/// The schema of a list of what this schema describes.
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
