//! Describes an operation of the catalogue for a document.

use super::examples::example_request;
use super::parts;
use super::published_api::PublishedApi;
use super::schema_registry::SchemaRegistry;
use lombard_api::catalogue::ENDPOINTS;
use lombard_api::extract::{PAGE, filter_names};
use lombard_domain::consent::Permission;
use lombard_edge::endpoint::{Operation, OperationContract};
use lombard_edge::endpoint_facts::{RequiredGrant, ResponseMedia};
use serde_json::{Map, Value, json};

/// The most characters of the id of a consent or of another resource. Source: RW-249.
const CONSENT_ID_CHARS_MAX: u32 = 128;
const ID_CHARS_MAX: u32 = 40;

/// The description of an operation, as a document contains it.
pub(super) fn described(
    offer: &PublishedApi<'_>,
    operation: &Operation,
    contract: OperationContract,
    schemas: &mut SchemaRegistry,
) -> Value {
    let endpoint = operation.endpoint;
    let version = operation.version.segment();
    let name = format!("{version}.{}", resource(endpoint.path));
    let mut object = json!({
        "operationId": format!("{}.{version}", endpoint.name),
        "tags": [tag(operation)],
        "summary": summary(operation),
        "description": description(operation, &contract),
        "security": security(operation),
        "parameters": parameters(operation, &contract),
        "responses": responses(offer, operation, &contract, &name, schemas),
        "x-permissions": contract.required_permissions.iter().map(|group| permission_names(group)).collect::<Vec<_>>(),
    });
    if let (Some(asked), Some(members)) = (contract.request_schema, object.as_object_mut()) {
        let schema = schemas.register(&format!("{name}.request"), asked);
        let mut media = json!({ "schema": schema });
        if let (Some(example), Some(members)) = (example_request(operation), media.as_object_mut()) {
            members.insert("example".to_owned(), example);
        }
        let body = json!({ "required": true, "content": { (contract.request_media_type): media } });
        members.insert("requestBody".to_owned(), body);
    }
    if let (false, Some(members)) = (contract.accepted_files.is_empty(), object.as_object_mut()) {
        let file = json!({ "schema": { "description": "The file." } });
        let content: Map<_, _> =
            contract.accepted_files.iter().map(|media| ((*media).to_owned(), file.clone())).collect();
        members.insert("requestBody".to_owned(), json!({ "required": true, "content": content }));
    }
    object
}

/// The tag of an operation: its resource and version.
pub(super) fn tag(operation: &Operation) -> String {
    format!("{} {}", resource(operation.endpoint.path), operation.version.segment())
}

/// The resource that a path names, in the plural where the standard uses both forms (AIS-002).
pub fn resource(path: &'static str) -> &'static str {
    let is_name = |word: &&str| !word.is_empty() && !word.starts_with('{') && *word != "file";
    let word = path.rsplit('/').find(is_name).unwrap_or(path);
    let plural = |row: &&'static str| row.strip_prefix('/').and_then(|row| row.strip_suffix('s')) == Some(word);
    let plural = ENDPOINTS.iter().map(|row| row.path).find(plural);
    plural.and_then(|row| row.strip_prefix('/')).unwrap_or(word)
}

fn summary(operation: &Operation) -> String {
    format!("{} {}", operation.endpoint.method.name(), operation.endpoint.path)
}

/// The required token, the permissions and the paging of an operation, in words.
fn description(operation: &Operation, contract: &OperationContract) -> String {
    let mut sentences = vec![match operation.endpoint.grant {
        RequiredGrant::Client => "Token: client credentials grant.".to_owned(),
        RequiredGrant::Psu => "Token: a grant for an authorised consent.".to_owned(),
        RequiredGrant::Either => "Token: client credentials grant, or a grant for the same consent.".to_owned(),
    }];
    let needs: Vec<_> =
        contract.required_permissions.iter().map(|group| permission_names(group).join(" or ")).collect();
    if !needs.is_empty() {
        sentences.push(format!("The consent needs {}.", needs.join(", and ")));
    }
    if contract.paged {
        sentences.push("Comes in pages: follow Links.Next.".to_owned());
    }
    sentences.join(" ")
}

/// The names of these permissions.
pub fn permission_names(group: &[Permission]) -> Vec<&'static str> {
    group.iter().map(|permission| permission.name()).collect()
}

/// The required security schemes: the certificate of the connection together with a token that is bound to it.
fn security(operation: &Operation) -> Vec<Value> {
    let scopes: Vec<_> = operation.endpoint.scopes.iter().map(|scope| scope.name()).collect();
    let both = |token: &&str| json!({ (parts::CERTIFICATE): [], (*token): scopes });
    parts::tokens(operation.endpoint.grant).iter().map(both).collect()
}

/// The names of the ids in a path.
pub fn path_ids(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'))
}

fn parameters(operation: &Operation, contract: &OperationContract) -> Vec<Value> {
    let id = |name: &str| {
        let longest = if name == "ConsentId" { CONSENT_ID_CHARS_MAX } else { ID_CHARS_MAX };
        let schema = json!({ "type": "string", "minLength": 1, "maxLength": longest });
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    };
    let mut all: Vec<_> = path_ids(operation.endpoint.path).map(id).collect();
    if let Some((from, to)) = filter_names(contract.filter) {
        let words = [(from, "From this time on, inclusive."), (to, "Up to this time, inclusive.")];
        all.extend(words.map(|(name, words)| query(name, words, Some("date-time"))));
    }
    if contract.paged {
        all.push(query(PAGE, "A page: opaque, only ever taken from Links.", None));
    }
    let headers = parts::headers_of(operation).into_iter();
    all.extend(headers.map(|name| json!({ "$ref": format!("#/components/parameters/{name}") })));
    all
}

fn query(name: &str, words: &str, format: Option<&str>) -> Value {
    let mut schema = json!({ "type": "string" });
    if let (Some(format), Some(members)) = (format, schema.as_object_mut()) {
        members.insert("format".to_owned(), format.into());
    }
    json!({ "name": name, "in": "query", "required": false, "description": words, "schema": schema })
}

fn responses(
    offer: &PublishedApi<'_>,
    operation: &Operation,
    contract: &OperationContract,
    name: &str,
    schemas: &mut SchemaRegistry,
) -> Value {
    let content = content(operation, contract, name, schemas);
    let mut good = json!({
        "description": contract.status.canonical_reason().unwrap_or_default(),
        "headers": parts::headers_of_good_answer(operation, !content.is_empty()),
    });
    if let (false, Some(members)) = (content.is_empty(), good.as_object_mut()) {
        members.insert("content".to_owned(), Value::Object(content));
    }
    let mut all = Map::new();
    all.insert(contract.status.as_str().to_owned(), good);
    for status in error_statuses(offer, operation, contract) {
        all.insert(status.to_string(), json!({ "$ref": format!("#/components/responses/{status}") }));
    }
    Value::Object(all)
}

/// The statuses of an operation's errors.
pub(super) fn error_statuses(
    offer: &PublishedApi<'_>,
    operation: &Operation,
    contract: &OperationContract,
) -> impl Iterator<Item = u16> {
    let is_limited = operation.endpoint.rate_groups().any(|group| offer.rates.contains_key(&group));
    let has_body = contract.request_schema.is_some() || !contract.accepted_files.is_empty();
    parts::error_statuses(operation, has_body, is_limited)
}

/// The response content in each of its media types.
fn content(
    operation: &Operation,
    contract: &OperationContract,
    name: &str,
    schemas: &mut SchemaRegistry,
) -> Map<String, Value> {
    if !contract.has_answer() {
        return Map::new();
    }
    let schema = contract.response_schema.clone().map(|answered| schemas.register(name, answered));
    let of = |media: &ResponseMedia| {
        let (kind, sub) = media.name();
        let schema = match media {
            // A file is returned in the form in which the application sent it.
            ResponseMedia::Json => {
                schema.clone().unwrap_or_else(|| json!({ "description": "The file, as it was sent." }))
            }
            ResponseMedia::Csv | ResponseMedia::Xml | ResponseMedia::TextXml => json!({ "type": "string" }),
            ResponseMedia::Pdf => json!({ "contentMediaType": "application/pdf" }),
        };
        (format!("{kind}/{sub}"), json!({ "schema": schema }))
    };
    operation.endpoint.response_media.iter().map(of).collect()
}
