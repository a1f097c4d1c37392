//! What many operations share: headers, errors, ways to be trusted.

use crate::catalogue::{GrantKind, Group};
use crate::extract::known_headers;
use crate::openapi::Offer;
use http::StatusCode;
use serde_json::{Map, Value, json};

/// The names of the ways to be trusted.
pub(super) const CERTIFICATE: &str = "certificate";

/// By which name a kind of token goes.
pub(super) const fn token(grant: GrantKind) -> &'static str {
    match grant {
        GrantKind::Client => "client",
        GrantKind::Psu => "customer",
    }
}

/// The headers a request may carry.
pub(super) fn header_names() -> impl Iterator<Item = &'static str> {
    known_headers().map(|(name, _)| name)
}

pub(super) fn headers() -> Map<String, Value> {
    let header = |(name, must): (&str, &str)| {
        let schema = json!({ "type": "string" });
        let it = json!({ "name": name, "in": "header", "required": false, "description": must, "schema": schema });
        (name.to_owned(), it)
    };
    known_headers().map(header).collect()
}

pub(super) fn answer_headers() -> Value {
    let words = "The request's own id, or a new one. Source: RW-050.";
    json!({ "x-fapi-interaction-id": { "required": true, "description": words, "schema": { "type": "string" } } })
}

/// When an error can happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Ever,
    /// Only where there is a body to read.
    Body,
    /// Only where calls are limited. Source: RW-112.
    Limited,
}

/// What may go wrong with an operation.
pub(super) fn error_statuses(has_body: bool, is_limited: bool) -> impl Iterator<Item = u16> {
    let can_happen = move |when: When| match when {
        When::Ever => true,
        When::Body => has_body,
        When::Limited => is_limited,
    };
    ERRORS.into_iter().filter(move |(_, when, _)| can_happen(*when)).map(|(status, ..)| status.as_u16())
}

const ERRORS: [(StatusCode, When, &str); 10] = [
    (StatusCode::BAD_REQUEST, When::Ever, "Something about the request is wrong; every fault is listed."),
    (StatusCode::UNAUTHORIZED, When::Ever, "The token is missing, unknown, expired, or bound to another certificate."),
    (StatusCode::FORBIDDEN, When::Ever, "The token, the consent or its permissions do not open this."),
    (StatusCode::METHOD_NOT_ALLOWED, When::Ever, "The resource has other methods."),
    (StatusCode::NOT_ACCEPTABLE, When::Ever, "No media type that is offered is accepted."),
    (StatusCode::PAYLOAD_TOO_LARGE, When::Body, "The body is larger than this server reads."),
    (StatusCode::UNSUPPORTED_MEDIA_TYPE, When::Body, "The body is not JSON in UTF-8."),
    (StatusCode::TOO_MANY_REQUESTS, When::Limited, "Too many calls; Retry-After says when the next may be made."),
    (StatusCode::INTERNAL_SERVER_ERROR, When::Ever, "Something broke here."),
    (StatusCode::SERVICE_UNAVAILABLE, When::Ever, "Something is not available for the moment."),
];

pub(super) fn errors() -> Map<String, Value> {
    let error = |(status, _, words): (StatusCode, When, &str)| {
        let mut error = json!({
            "description": words,
            "headers": { "x-fapi-interaction-id": { "$ref": "#/components/headers/x-fapi-interaction-id" } },
        });
        // 401 may have no body (RW-109).
        if let Some(members) = error.as_object_mut() {
            let schema = json!({ "$ref": "#/components/schemas/Error" });
            members.insert("content".to_owned(), json!({ "application/json": { "schema": schema } }));
        }
        (status.as_str().to_owned(), error)
    };
    ERRORS.into_iter().map(error).collect()
}

/// A certificate, and a token of either kind, with the scopes that the group's operations ask for.
pub(super) fn security(offer: &Offer<'_>, group: Group) -> Value {
    let of_grant = |grant: GrantKind| {
        let operations = offer.served(group).filter(move |operation| operation.endpoint.grant == grant);
        let scopes = operations.flat_map(|operation| operation.endpoint.scopes);
        scopes.map(|scope| (scope.name().to_owned(), Value::from(""))).collect::<Map<_, _>>()
    };
    let Offer { discovery, token: token_url, authorization, .. } = offer;
    json!({
        CERTIFICATE: { "type": "mutualTLS", "description": "A certificate of the application; tokens are bound to it." },
        token(GrantKind::Client): {
            "type": "oauth2",
            "description": format!("The application for itself. All endpoints: {discovery}"),
            "flows": { "clientCredentials": {
                "tokenUrl": token_url,
                "scopes": of_grant(GrantKind::Client),
            } },
        },
        token(GrantKind::Psu): {
            "type": "oauth2",
            "description": format!("A customer, for one consent, through a signed request. All endpoints: {discovery}"),
            "flows": { "authorizationCode": {
                "authorizationUrl": authorization,
                "tokenUrl": token_url,
                "scopes": of_grant(GrantKind::Psu),
            } },
        },
    })
}
