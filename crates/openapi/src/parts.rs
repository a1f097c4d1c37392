//! Parts of a document that many operations share: headers, errors and security schemes.

use super::published_api::PublishedApi;
use http::StatusCode;
use lombard_api::extract::{KEY_MUST, known_headers};
use lombard_domain::version::Version;
use lombard_edge::endpoint::Operation;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod, RequiredGrant};
use lombard_edge::header_names::IDEMPOTENCY_KEY;
use lombard_edge::header_names::{SIGNATURE, SIGNATURE_TEXT};
use lombard_edge::layers::INTERACTION_ID;
use lombard_service::payments::orders::PAYLOAD_VERSION;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The name of the security scheme for the client certificate.
pub(super) const CERTIFICATE: &str = "certificate";

/// The name of the security scheme for a token of the client alone.
pub(super) const CLIENT: &str = "client";
/// The name of the security scheme for a token of a customer's consent.
pub(super) const CUSTOMER: &str = "customer";

/// The names of the security schemes of which an operation needs any one.
pub(super) const fn tokens(grant: RequiredGrant) -> &'static [&'static str] {
    match grant {
        RequiredGrant::Client => &[CLIENT],
        RequiredGrant::Psu => &[CUSTOMER],
        RequiredGrant::Either => &[CLIENT, CUSTOMER],
    }
}

/// The names of the optional and required request headers of an operation.
pub(super) fn headers_of(operation: &Operation) -> Vec<&'static str> {
    let endpoint = operation.endpoint;
    let once = endpoint.idempotent.then_some(IDEMPOTENCY_KEY);
    let signed = endpoint.signs_requests().then_some(SIGNATURE_TEXT);
    let newer = NEWER.into_iter().filter(|header| header.is_of(operation)).map(|header| header.name);
    known_headers().map(|(name, _)| name).chain(once).chain(signed).chain(newer).collect()
}

/// A request header that only operations of v4.0 have.
struct NewerHeader {
    name: &'static str,
    description: &'static str,
    /// Whether only requests for variable recurring payments have it.
    is_vrp: bool,
}

const NEWER: [NewerHeader; 2] = [
    NewerHeader { name: "x-client-id", description: "Accepted and ignored. Source: RW-060.", is_vrp: false },
    NewerHeader {
        name: PAYLOAD_VERSION,
        description: "The version of the schema that the body follows, such as 3.1.11. Source: V4-029.",
        is_vrp: true,
    },
];

impl NewerHeader {
    fn is_of(&self, operation: &Operation) -> bool {
        let is_vrp = operation.endpoint.group == EndpointGroup::VariableRecurringPayments;
        let reads = is_vrp && operation.endpoint.idempotent;
        operation.version == Version::V4_0 && (!self.is_vrp || reads)
    }
}

/// The definitions of request headers.
pub(super) fn headers(group: EndpointGroup) -> Map<String, Value> {
    let header = |name: &str, must: &str, schema: Value, required: bool| {
        let it = json!({ "name": name, "in": "header", "required": required, "description": must, "schema": schema });
        (name.to_owned(), it)
    };
    let text = || json!({ "type": "string" });
    let known = known_headers().map(|(name, must)| header(name, must, text(), false));
    let key = header(IDEMPOTENCY_KEY, KEY_MUST, json!({ "type": "string", "minLength": 1, "maxLength": 40 }), true);
    let signature = header(SIGNATURE_TEXT, SIGNATURE_MUST, text(), true);
    let newer = NEWER.into_iter().filter(|header| !header.is_vrp || group == EndpointGroup::VariableRecurringPayments);
    let newer = newer.map(|it| header(it.name, it.description, text(), false));
    known.chain([key, signature].into_iter().filter(|_| signs(group))).chain(newer).collect()
}

/// The description of the signature of a request. Source: PIS-071, T5.
pub const SIGNATURE_MUST: &str =
    "Must be a detached JWS of the body, PS256, by a key that the application has published.";

/// Whether the bodies of a group are signed.
fn signs(group: EndpointGroup) -> bool {
    lombard_edge::signing::is_signed_path(&format!("/open-banking/v3.1{}", group.segment()))
}

/// The description of the interaction id in a response. Source: RW-050.
pub(super) const INTERACTION_ID_DESCRIPTION: &str = "The request's own id, or a new one. Source: RW-050.";

/// The definitions of response headers.
pub(super) fn answer_headers(group: EndpointGroup) -> Value {
    let header = |words: &str| json!({ "required": true, "description": words, "schema": { "type": "string" } });
    let mut all = Map::new();
    all.insert(INTERACTION_ID.to_string(), header(INTERACTION_ID_DESCRIPTION));
    for (name, words) in RATE_HEADERS {
        let header = json!({ "required": false, "description": words, "schema": { "type": "string" } });
        all.insert(name.to_owned(), header);
    }
    if signs(group) {
        let words = "A detached JWS of the body, PS256, by a key of the bank's. Source: RW-223.";
        all.insert(SIGNATURE.to_string(), header(words));
    }
    Value::Object(all)
}

/// The headers of a response of the group. A response with a body has a signature if the group signs bodies.
pub(super) fn headers_of_answer(group: EndpointGroup, has_body: bool) -> Value {
    let signature = (signs(group) && has_body).then_some(SIGNATURE);
    let names = [INTERACTION_ID].into_iter().chain(signature);
    names.map(|name| (name.to_string(), json!({ "$ref": format!("#/components/headers/{name}") }))).collect()
}

/// The headers that tell a client of v4.0 its rate. Source: RW-061.
const RATE_HEADERS: [(&str, &str); 2] = [
    ("RateLimit-Policy", "The calls (q) that are earned again within some seconds (w)."),
    ("RateLimit", "The calls that are left now (r), and the seconds until all are there again (t)."),
];

/// The headers of an operation's successful responses.
pub(super) fn headers_of_good_answer(operation: &Operation, has_body: bool) -> Value {
    let mut all = headers_of_answer(operation.endpoint.group, has_body);
    if let (Version::V4_0, Some(members)) = (operation.version, all.as_object_mut()) {
        let reference = |name: &str| json!({ "$ref": format!("#/components/headers/{name}") });
        members.extend(RATE_HEADERS.map(|(name, _)| (name.to_owned(), reference(name))));
    }
    all
}

/// The condition under which an error can occur.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ErrorCondition {
    Ever,
    /// Only if the request has a body.
    Body,
    /// Only if calls are limited. Source: RW-112.
    Limited,
    /// Only if a resource can be migrated to a newer version. Source: V4-030.
    Migration,
    /// Only in v4.0, where a request has an idempotency key. Source: RW-116.
    KeyReused,
}

/// The statuses and conditions of an operation's errors.
pub(super) fn error_statuses(operation: &Operation, has_body: bool, is_limited: bool) -> impl Iterator<Item = u16> {
    let endpoint = operation.endpoint;
    let migrates = matches!(endpoint.method, HttpMethod::Put | HttpMethod::Patch);
    let has_key = operation.version == Version::V4_0 && endpoint.idempotent;
    let can_happen = move |when: ErrorCondition| match when {
        ErrorCondition::Ever => true,
        ErrorCondition::Body => has_body,
        ErrorCondition::Limited => is_limited,
        ErrorCondition::Migration => migrates,
        ErrorCondition::KeyReused => has_key,
    };
    ERRORS.into_iter().filter(move |(_, when, _)| can_happen(*when)).map(|(status, ..)| status.as_u16())
}

const ERRORS: [(StatusCode, ErrorCondition, &str); 12] = [
    (StatusCode::BAD_REQUEST, ErrorCondition::Ever, "Something about the request is wrong; every fault is listed."),
    (
        StatusCode::UNAUTHORIZED,
        ErrorCondition::Ever,
        "The token is missing, unknown, expired, or bound to another certificate.",
    ),
    (StatusCode::FORBIDDEN, ErrorCondition::Ever, "The token, the consent or its permissions do not open this."),
    (StatusCode::METHOD_NOT_ALLOWED, ErrorCondition::Ever, "The resource has other methods."),
    (StatusCode::NOT_ACCEPTABLE, ErrorCondition::Ever, "No media type that is offered is accepted."),
    (StatusCode::CONFLICT, ErrorCondition::Migration, "The consent has the form of this version already."),
    (StatusCode::PAYLOAD_TOO_LARGE, ErrorCondition::Body, "The body is larger than this server reads."),
    (StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCondition::Body, "The body is not JSON in UTF-8."),
    (
        StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCondition::KeyReused,
        "The idempotency key was used before with another body.",
    ),
    (
        StatusCode::TOO_MANY_REQUESTS,
        ErrorCondition::Limited,
        "Too many calls; Retry-After says when the next may be made.",
    ),
    (StatusCode::INTERNAL_SERVER_ERROR, ErrorCondition::Ever, "Something broke here."),
    (StatusCode::SERVICE_UNAVAILABLE, ErrorCondition::Ever, "Something is not available for the moment."),
];

/// The error responses with these statuses, to which the operations of the group refer.
pub(super) fn errors(group: EndpointGroup, statuses: &BTreeSet<u16>) -> Map<String, Value> {
    let error = |(status, _, words): (StatusCode, ErrorCondition, &str)| {
        let has_body = status != StatusCode::UNAUTHORIZED;
        let mut error = json!({ "description": words, "headers": headers_of_answer(group, has_body) });
        // 401 may have no body (RW-109).
        if let Some(members) = error.as_object_mut() {
            let schema = json!({ "$ref": "#/components/schemas/Error" });
            members.insert("content".to_owned(), json!({ "application/json": { "schema": schema } }));
        }
        (status.as_str().to_owned(), error)
    };
    ERRORS.into_iter().filter(|(status, ..)| statuses.contains(&status.as_u16())).map(error).collect()
}

/// The security schemes of a group: the certificate, and both kinds of token with the scopes that its operations require.
pub(super) fn security(offer: &PublishedApi<'_>, group: EndpointGroup) -> Map<String, Value> {
    let of_token = |token: &'static str| {
        let operations = offer.served(group).filter(move |operation| tokens(operation.endpoint.grant).contains(&token));
        operations.flat_map(|operation| operation.endpoint.scopes).map(|scope| scope.name())
    };
    [certificate(), client_token(offer, of_token(CLIENT)), customer_token(offer, of_token(CUSTOMER))]
        .into_iter()
        .collect()
}

/// The security scheme of the client certificate.
pub(super) fn certificate() -> (String, Value) {
    let description = "A certificate of the application; tokens are bound to it.";
    (CERTIFICATE.to_owned(), json!({ "type": "mutualTLS", "description": description }))
}

/// The security scheme of a token of the client alone, with these scopes.
pub(super) fn client_token(offer: &PublishedApi<'_>, scopes: impl Iterator<Item = &'static str>) -> (String, Value) {
    let PublishedApi { discovery, token, .. } = offer;
    let scheme = json!({
        "type": "oauth2",
        "description": format!("The application for itself. All endpoints: {discovery}"),
        "flows": { "clientCredentials": { "tokenUrl": token, "scopes": scope_words(scopes) } },
    });
    (CLIENT.to_owned(), scheme)
}

/// The security scheme of a token for a customer's consent, with these scopes.
pub(super) fn customer_token(offer: &PublishedApi<'_>, scopes: impl Iterator<Item = &'static str>) -> (String, Value) {
    let PublishedApi { discovery, token, authorization, .. } = offer;
    let scheme = json!({
        "type": "oauth2",
        "description": format!("A customer, for one consent, through a signed request. All endpoints: {discovery}"),
        "flows": { "authorizationCode": {
            "authorizationUrl": authorization,
            "tokenUrl": token,
            "scopes": scope_words(scopes),
        } },
    });
    (CUSTOMER.to_owned(), scheme)
}

fn scope_words(scopes: impl Iterator<Item = &'static str>) -> Map<String, Value> {
    scopes.map(|scope| (scope.to_owned(), Value::from(""))).collect()
}

/// The `info` object of a document: title, description and release.
pub(super) fn info(offer: &PublishedApi<'_>, title: &str, description: &str) -> Value {
    json!({
        "title": format!("{}: {title}", offer.bank_name),
        "version": env!("CARGO_PKG_VERSION"),
        "description": description,
    })
}

/// The server of operations that require a client certificate.
pub(super) fn mtls_server(offer: &PublishedApi<'_>) -> Value {
    json!({ "url": offer.mtls_url, "description": "Asks every caller for a client certificate." })
}

/// Inserts an operation into the `paths` object.
pub(super) fn insert_operation(paths: &mut Map<String, Value>, path: String, method: HttpMethod, operation: Value) {
    if let Some(methods) = paths.entry(path).or_insert_with(|| json!({})).as_object_mut() {
        methods.insert(method.name().to_lowercase(), operation);
    }
}
