//! The standard's OpenAPI files, and the comparison of responses with them.

use super::exchange::RecordedExchange;
use crate::error::TaskError;
use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// All OpenAPI files of all versions.
#[derive(Default)]
pub(super) struct Descriptions {
    documents: Vec<Value>,
    operations: Vec<Operation>,
    validators: RefCell<BTreeMap<(usize, String), Rc<Validator>>>,
}

/// An operation of an OpenAPI file.
#[derive(Debug)]
pub(super) struct Operation {
    document: usize,
    method: String,
    /// The whole path, with its parameters in braces.
    template: String,
    responses: Value,
}

/// A difference between a response and its description.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Finding {
    pub(super) operation: String,
    pub(super) status: u16,
    /// The place of the difference: `status`, `header NAME`, `content-type`, or a JSON pointer with `*` for array positions.
    pub(super) at: String,
    pub(super) what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}: {}", self.operation, self.status, self.at, self.what)
    }
}

impl Operation {
    /// The method and path, in the form of the catalogue.
    pub(super) fn name(&self) -> String {
        format!("{} {}", self.method, self.template)
    }

    fn finding(&self, exchange: &RecordedExchange, at: impl Into<String>, what: impl Into<String>) -> Finding {
        Finding { operation: self.name(), status: exchange.status, at: at.into(), what: what.into() }
    }
}

impl Descriptions {
    /// Reads all files of a folder, which contains one version.
    pub(super) fn load(&mut self, folder: &Path) -> Result<(), TaskError> {
        let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                self.add(serde_json::from_slice(&fs::read(&path)?)?);
            }
        }
        Ok(())
    }

    /// The document of an operation, and the schema of its successful JSON response, if it has one.
    pub(super) fn good_answer(&self, name: &str) -> Option<(&Value, Option<&Value>)> {
        let operation = self.operations.iter().find(|operation| operation.name() == name)?;
        let document = self.documents.get(operation.document)?;
        let good = operation.responses.as_object()?.iter().find(|(status, _)| status.starts_with('2'));
        let content = good.and_then(|(_, good)| self.resolve(operation.document, good).get("content")?.as_object());
        let mut json = content.into_iter().flatten().filter(|(name, _)| name.starts_with("application/json"));
        Some((document, json.find_map(|(_, it)| it.get("schema"))))
    }

    /// Adds a document.
    pub(super) fn add(&mut self, document: Value) {
        let base = document.pointer("/servers/0/url").and_then(Value::as_str).unwrap_or_default().to_owned();
        let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
        for (path, item) in paths {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if let Some(responses) = operation.get("responses") {
                    self.operations.push(Operation {
                        document: self.documents.len(),
                        method: method.to_uppercase(),
                        template: format!("{base}{path}"),
                        responses: responses.clone(),
                    });
                }
            }
        }
        self.documents.push(document);
    }

    /// Finds the operation of a request. Literal path segments take precedence over parameters.
    pub(super) fn operation(&self, method: &str, path: &str) -> Option<&Operation> {
        let fits = |operation: &&Operation| operation.method == method && matches(&operation.template, path);
        self.operations.iter().filter(fits).min_by_key(|operation| operation.template.matches('{').count())
    }

    /// Returns everything in a response that its description does not allow.
    pub(super) fn compare(
        &self,
        operation: &Operation,
        exchange: &RecordedExchange,
    ) -> Result<Vec<Finding>, TaskError> {
        let status = exchange.status.to_string();
        let Some(response) = operation.responses.get(&status).or_else(|| operation.responses.get("default")) else {
            return Ok(vec![operation.finding(exchange, "status", "is not among those described")]);
        };
        let response = self.resolve(operation.document, response);
        let mut found = self.compare_headers(operation, response, exchange);
        found.extend(self.compare_body(operation, response, exchange)?);
        Ok(found)
    }

    fn compare_headers(&self, operation: &Operation, response: &Value, exchange: &RecordedExchange) -> Vec<Finding> {
        let described = response.get("headers").and_then(Value::as_object).into_iter().flatten();
        let required = described.filter(|(_, header)| {
            self.resolve(operation.document, header).get("required").and_then(Value::as_bool) == Some(true)
        });
        required
            .filter(|(name, _)| !exchange.headers.contains_key(&name.to_lowercase()))
            .map(|(name, _)| operation.finding(exchange, format!("header {name}"), "is missing"))
            .collect()
    }

    fn compare_body(
        &self,
        operation: &Operation,
        response: &Value,
        exchange: &RecordedExchange,
    ) -> Result<Vec<Finding>, TaskError> {
        let described = response.get("content").and_then(Value::as_object);
        let media_type = match (described, exchange.media_type(), &exchange.body) {
            (None, _, Value::Null) => return Ok(Vec::new()),
            (None, _, _) => return Ok(vec![operation.finding(exchange, "", "has a body; none is described")]),
            // The description contains error bodies that the rules omit, as for 401 (RW-109).
            (Some(_), _, Value::Null) if !exchange.is_success() => return Ok(Vec::new()),
            (Some(_), _, Value::Null) => return Ok(vec![operation.finding(exchange, "", "has no body")]),
            (Some(_), None, _) => return Ok(vec![operation.finding(exchange, "content-type", "is missing")]),
            (Some(_), Some(media_type), _) => media_type,
        };
        let content = described.into_iter().flatten();
        let schema =
            content.filter(|(name, _)| name.split(';').next() == Some(media_type)).find_map(|(_, it)| it.get("schema"));
        let Some(schema) = schema else {
            return Ok(vec![operation.finding(exchange, "content-type", format!("{media_type} is not described"))]);
        };
        let validator = self.validator(operation.document, schema)?;
        let faults = validator.iter_errors(&exchange.body);
        // The text names the violated rule and not the value, because a value may be a customer's data.
        Ok(faults
            .map(|fault| {
                let at = general(&fault.instance_path().to_string());
                operation.finding(exchange, at, format!("breaks {}", fault.schema_path()))
            })
            .collect())
    }

    fn validator(&self, document: usize, schema: &Value) -> Result<Rc<Validator>, TaskError> {
        let key = (document, schema.to_string());
        if let Some(validator) = self.validators.borrow().get(&key) {
            return Ok(Rc::clone(validator));
        }
        let components = self.documents.get(document).and_then(|document| document.get("components"));
        let mut whole = json!({ "allOf": [schema], "components": components });
        allow_null(&mut whole);
        // OpenAPI 3.0 uses schemas of draft 4 or 5: `exclusiveMinimum` is a flag, and members next to `$ref` are ignored.
        let options = jsonschema::options().with_draft(Draft::Draft4).should_validate_formats(true);
        let validator = Rc::new(options.build(&whole).map_err(|error| format!("a schema cannot be used: {error}"))?);
        self.validators.borrow_mut().insert(key, Rc::clone(&validator));
        Ok(validator)
    }

    fn resolve<'v>(&'v self, document: usize, value: &'v Value) -> &'v Value {
        let pointer = value.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        let target = pointer.and_then(|pointer| self.documents.get(document)?.pointer(pointer));
        target.unwrap_or(value)
    }
}

/// Converts OpenAPI's `nullable` to a second allowed type.
fn allow_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("nullable") == Some(&Value::Bool(true))
                && let Some(kind) = members.get("type").and_then(Value::as_str).map(str::to_owned)
            {
                members.insert("type".to_owned(), json!([kind, "null"]));
            }
            members.values_mut().for_each(allow_null);
        }
        Value::Array(items) => items.iter_mut().for_each(allow_null),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn matches(template: &str, path: &str) -> bool {
    let same = |(template, path): (&str, &str)| template == path || (template.starts_with('{') && !path.is_empty());
    template.split('/').count() == path.split('/').count() && template.split('/').zip(path.split('/')).all(same)
}

/// Replaces array positions in a pointer by `*`, so that one deviation covers every element.
fn general(pointer: &str) -> String {
    let general = |part: &str| {
        if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            "*".to_owned()
        } else {
            part.to_owned()
        }
    };
    pointer.split('/').map(general).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptions() -> Descriptions {
        let mut descriptions = Descriptions::default();
        descriptions.add(json!({
            "servers": [{ "url": "/base" }],
            "paths": { "/things/{Id}": { "get": { "responses": { "200": { "$ref": "#/components/responses/Thing" } } } } },
            "components": {
                "responses": { "Thing": {
                    "headers": { "X-Id": { "required": true } },
                    "content": { "application/json; charset=utf-8": { "schema": { "$ref": "#/components/schemas/Thing" } } },
                } },
                "schemas": {
                    "Thing": {
                        "type": "object",
                        "required": ["When"],
                        "additionalProperties": false,
                        "properties": {
                            "When": { "type": "string", "format": "date-time" },
                            "Note": { "type": "string", "nullable": true },
                            "Items": { "type": "array", "items": { "type": "integer", "minimum": 0, "exclusiveMinimum": true } },
                        },
                    },
                },
            },
        }));
        descriptions
    }

    fn compare(status: u16, headers: &[(&str, &str)], body: Value) -> Vec<(String, String)> {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let exchange = RecordedExchange { method: "GET".into(), path: "/base/things/7".into(), status, headers, body };
        let descriptions = descriptions();
        let operation = descriptions.operation("GET", "/base/things/7").unwrap();
        let found = descriptions.compare(operation, &exchange).unwrap();
        found.into_iter().map(|finding| (finding.at, finding.what)).collect()
    }

    #[test]
    fn an_answer_is_compared_in_status_headers_and_body() {
        let fine = [("x-id", "1"), ("content-type", "application/json")];
        for (status, headers, body, expected) in [
            (200, &fine[..], json!({ "When": "2026-01-01T00:00:00Z", "Note": null, "Items": [1] }), vec![]),
            (404, &fine, Value::Null, vec!["status"]),
            (200, &fine[1..], json!({ "When": "2026-01-01T00:00:00Z" }), vec!["header X-Id"]),
            (200, &fine, Value::Null, vec![""]),
            (200, &fine, json!({}), vec![""]),
            (200, &fine, json!({ "When": "yesterday" }), vec!["/When"]),
            (200, &fine, json!({ "When": "2026-01-01T00:00:00Z", "Items": [1, 0] }), vec!["/Items/*"]),
            (200, &fine, json!({ "When": "2026-01-01T00:00:00Z", "More": 1 }), vec![""]),
            (200, &[("x-id", "1"), ("content-type", "text/plain")], json!("x"), vec!["content-type"]),
        ] {
            let found = compare(status, headers, body.clone());
            assert_eq!(found.iter().map(|(at, _)| at.as_str()).collect::<Vec<_>>(), expected, "{status} {body}");
        }
    }

    #[test]
    fn parameters_match_one_segment() {
        assert!(matches("/a/{Id}/b", "/a/7/b") && matches("/a", "/a"));
        assert!(!matches("/a/{Id}", "/a/") && !matches("/a/{Id}", "/a/7/b") && !matches("/a/{Id}/b", "/a/7/c"));
    }
}
