//! Compares Lombard's OpenAPI documents with the standard's documents and with the recorded responses.
//!
//! The standard may describe more than Lombard offers; the difference is reported and is not a failure. Lombard's descriptions must be part
//! of the standard's, must require what the standard requires, and must match the recorded responses.

use super::description::{Descriptions, Finding};
use super::exchange::RecordedExchange;
use crate::error::TaskError;
use crate::program::Program;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum depth of a body. Recursive schemas end here; no body is deeper.
const DEPTH_MAX: usize = 16;

/// The results of the comparison.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// The differences that are failures.
    pub(super) failures: BTreeSet<Finding>,
    /// The members of the standard that Lombard does not offer, with the operations that could have them.
    pub(super) left_out: BTreeMap<String, BTreeSet<String>>,
    /// The number of compared operations.
    pub(super) operations: usize,
    /// The described operations, whether or not the standard has them.
    pub(super) described: BTreeSet<String>,
}

/// The names of Lombard's documents in the program's reference.
pub(super) const DOCUMENTS: [&str; 4] =
    ["account-information", "payment-initiation", "funds-confirmation", "variable-recurring-payments"];

/// Reads a document that the program prints.
pub(super) fn document(program: &Program, name: &str) -> Result<Value, TaskError> {
    Ok(serde_json::from_str(&program.reference(name)?)?)
}

/// A member of a body.
#[derive(Debug, Default)]
struct Member {
    /// Whether the member is required in every object around it.
    required: bool,
    values: Option<BTreeSet<String>>,
}

/// Compares the operations that both documents describe.
pub(super) fn compare(ours: &Value, official: &Descriptions) -> Comparison {
    let mut comparison = Comparison::default();
    for (path, methods) in ours.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let name = format!("{} {path}", method.to_uppercase());
            match official.good_answer(&name) {
                None => comparison.fail(&name, operation, "operation", "the standard does not have it"),
                Some((document, schema)) => {
                    let own = members(ours, answer(ours, operation));
                    let theirs = members(document, schema);
                    comparison.operations += 1;
                    comparison.hold(&name, operation, &own, &theirs);
                }
            }
            comparison.described.insert(name);
        }
    }
    comparison
}

/// The implemented operations of the standard's groups that no document describes. Events have no document.
pub(super) fn undescribed(built: &[String], described: &BTreeSet<String>) -> Vec<String> {
    let grouped = |name: &&String| ["/aisp/", "/pisp/", "/cbpii/"].iter().any(|group| name.contains(group));
    let missing = built.iter().filter(grouped).filter(|name| !described.contains(*name));
    missing.map(|name| format!("{name}: built, but we do not describe it")).collect()
}

impl Comparison {
    fn fail(&mut self, name: &str, operation: &Value, at: &str, what: impl Into<String>) {
        let responses = operation.get("responses").and_then(Value::as_object);
        let good = responses.and_then(|all| all.keys().find(|status| status.starts_with('2')));
        let status = good.and_then(|status| status.parse().ok()).unwrap_or_default();
        self.failures.insert(Finding { operation: name.to_owned(), status, at: at.to_owned(), what: what.into() });
    }

    fn hold(
        &mut self,
        name: &str,
        operation: &Value,
        own: &BTreeMap<String, Member>,
        theirs: &BTreeMap<String, Member>,
    ) {
        // Lombard's documents leave some objects open (the terms of products); their members are not compared.
        let is_open = |path: &str| {
            let around = path.rsplit_once('/').map_or("", |(around, _)| around);
            own.contains_key(around) && !own.keys().any(|key| key.starts_with(&format!("{around}/")))
        };
        let around = |path: &str| path.rsplit_once('/').map_or("", |(around, _)| around).to_owned();
        // An object of the standard without named members is not compared either. A difference is reported once, at its outermost member.
        let is_silent = |at: &str| !theirs.keys().any(|key| key.starts_with(&format!("{at}/")));
        let is_told = |at: &str| !at.is_empty() && (!theirs.contains_key(at) || is_silent(at));
        for (path, member) in own {
            match theirs.get(path) {
                None if theirs.is_empty() || is_told(&around(path)) => {}
                None => self.fail(name, operation, path, "the standard does not have it"),
                Some(their) => {
                    if their.required && !member.required {
                        self.fail(name, operation, path, "the standard promises it, we do not");
                    }
                    if let (Some(own), Some(their)) = (&member.values, &their.values) {
                        let more: Vec<_> = own.difference(their).cloned().collect();
                        if !more.is_empty() {
                            self.fail(name, operation, path, format!("the standard has no {}", more.join(", ")));
                        }
                    }
                }
            }
        }
        let missing = theirs.keys().filter(|path| !own.contains_key(*path) && !is_open(path));
        let topmost = missing.filter(|path| {
            let around = path.rsplit_once('/').map_or("", |(around, _)| around);
            around.is_empty() || own.contains_key(around)
        });
        for path in topmost {
            self.left_out.entry(path.clone()).or_default().insert(name.to_owned());
        }
    }
}

/// The schema of a successful JSON response.
fn answer<'v>(document: &'v Value, operation: &'v Value) -> Option<&'v Value> {
    let responses = operation.get("responses")?.as_object()?;
    let (_, good) = responses.iter().find(|(status, _)| status.starts_with('2'))?;
    let content = resolve(document, good).get("content")?.as_object()?;
    let (_, json) = content.iter().find(|(media_type, _)| media_type.starts_with("application/json"))?;
    json.get("schema")
}

pub(super) fn resolve<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let pointer = value.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// All members by their paths, with `*` for array positions.
fn members(document: &Value, schema: Option<&Value>) -> BTreeMap<String, Member> {
    let mut found = BTreeMap::new();
    if let Some(schema) = schema {
        collect(document, schema, "", true, 0, &mut found);
    }
    found
}

fn collect(
    document: &Value,
    schema: &Value,
    path: &str,
    sure: bool,
    depth: usize,
    found: &mut BTreeMap<String, Member>,
) {
    if depth > DEPTH_MAX {
        return;
    }
    let schema = resolve(document, schema);
    for (word, sure) in [("allOf", sure), ("oneOf", false), ("anyOf", false)] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
            collect(document, part, path, sure, depth + 1, found);
        }
    }
    if let Some(items) = schema.get("items") {
        collect(document, items, &format!("{path}/*"), sure, depth + 1, found);
    }
    let required: Vec<_> = texts(schema.get("required"));
    for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = format!("{path}/{name}");
        let target = resolve(document, member);
        let entry = found.entry(path.clone()).or_default();
        entry.required |= sure && required.contains(name);
        let values = texts(target.get("enum"));
        if !values.is_empty() {
            entry.values.get_or_insert_default().extend(values);
        }
        collect(document, member, &path, sure, depth + 1, found);
    }
}

fn texts(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Validates the recorded successful responses against Lombard's own schemas. Members that are not described are not allowed.
pub(super) fn check_recorded_responses(
    ours: &Value,
    recorded: &[RecordedExchange],
) -> Result<BTreeSet<String>, TaskError> {
    let mut failures = BTreeSet::new();
    let mut own = Descriptions::default();
    own.add(ours.clone());
    let mut validators: BTreeMap<String, Option<Validator>> = BTreeMap::new();
    for exchange in recorded.iter().filter(|exchange| exchange.is_success()) {
        let Some(operation) = own.operation(&exchange.method, &exchange.path) else { continue };
        let name = operation.name();
        if exchange.media_type() != Some("application/json") {
            continue;
        }
        if !validators.contains_key(&name) {
            validators.insert(name.clone(), validator(ours, &name)?);
        }
        let Some(Some(validator)) = validators.get(&name) else { continue };
        for fault in validator.iter_errors(&exchange.body) {
            failures.insert(format!("{name}: our own description is broken at {}", fault.schema_path()));
        }
    }
    Ok(failures)
}

fn validator(ours: &Value, name: &str) -> Result<Option<Validator>, TaskError> {
    let Some((method, path)) = name.split_once(' ') else { return Ok(None) };
    let operation = ours.get("paths").and_then(|paths| paths.get(path)?.get(method.to_lowercase()));
    let Some(schema) = operation.and_then(|operation| answer(ours, operation)) else { return Ok(None) };
    let mut schema = resolve(ours, schema).clone();
    close(&mut schema);
    let options = jsonschema::options().should_validate_formats(true);
    Ok(Some(options.build(&schema).map_err(|error| format!("{name}: our schema cannot be used: {error}"))?))
}

/// Disallows members that the schema of an object does not describe.
fn close(schema: &mut Value) {
    if let Some(members) = schema.as_object_mut() {
        if members.contains_key("properties") {
            members.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
        for (name, member) in members.iter_mut() {
            match (name.as_str(), member) {
                ("properties", Value::Object(properties)) => properties.values_mut().for_each(close),
                ("items", items) => close(items),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(schema: Value) -> Value {
        json!({
            "servers": [{ "url": "/open-banking/v3.1/aisp" }],
            "paths": { "/things": { "get": { "responses": { "200": {
                "content": { "application/json; charset=utf-8": { "schema": schema } },
            } } } } },
        })
    }

    fn compared(own: Value, their: Value) -> Comparison {
        let mut official = Descriptions::default();
        official.add(document(their));
        let mut ours = document(own);
        let things = ours["paths"]["/things"].take();
        ours["paths"] = json!({ "/open-banking/v3.1/aisp/things": things });
        compare(&ours, &official)
    }

    #[test]
    fn described_members_must_be_in_the_standard_and_keep_its_guarantees() {
        let their = json!({
            "required": ["Id"],
            "properties": { "Id": {}, "Kind": { "enum": ["a", "b"] }, "More": { "properties": { "Deep": {} } } },
        });
        let fine = compared(
            json!({ "required": ["Id"], "properties": { "Id": {}, "Kind": { "enum": ["a"] } } }),
            their.clone(),
        );
        assert!(fine.failures.is_empty(), "{fine:?}");
        assert_eq!(fine.left_out.keys().collect::<Vec<_>>(), ["/More"]);
        let strange =
            json!({ "required": ["Id"], "properties": { "Id": {}, "Other": { "properties": { "In": {} } } } });
        assert_eq!(compared(strange, their.clone()).failures.len(), 1, "told once, where it begins");
        let open = json!({ "properties": { "Open": { "type": "object" } } });
        let filled = json!({ "properties": { "Open": { "properties": { "In": {} } } } });
        assert!(compared(filled, open).failures.is_empty(), "an object that names no members may have any");
        for own in [
            json!({ "properties": { "Id": {} } }),
            json!({ "required": ["Id"], "properties": { "Id": {}, "Other": {} } }),
            json!({ "required": ["Id"], "properties": { "Id": {}, "Kind": { "enum": ["c"] } } }),
        ] {
            assert_eq!(compared(own.clone(), their.clone()).failures.len(), 1, "{own}");
        }
    }

    #[test]
    fn what_is_built_must_be_in_one_of_our_documents() {
        let names = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let built = names(&["GET /v3.1/pisp/a", "GET /v3.1/pisp/b", "GET /v3.1/aisp/c", "POST /v3.1/events"]);
        let described = names(&["GET /v3.1/pisp/a", "GET /v3.1/aisp/c"]).into_iter().collect();
        assert_eq!(undescribed(&built, &described), ["GET /v3.1/pisp/b: built, but we do not describe it"]);
    }

    #[test]
    fn an_answer_with_a_member_we_do_not_describe_is_found() {
        let mut schema = json!({ "type": "object", "properties": { "A": { "type": "array", "items": {
            "type": "object", "properties": { "B": { "type": "string" } },
        } } } });
        close(&mut schema);
        let validator = jsonschema::options().build(&schema).unwrap();
        assert!(validator.is_valid(&json!({ "A": [{ "B": "x" }] })));
        assert!(!validator.is_valid(&json!({ "A": [{ "C": "x" }] })) && !validator.is_valid(&json!({ "D": 1 })));
    }
}
