//! The request and the responses of an endpoint of the authorisation server, described for documents and pages. Each
//! operation is described where it is routed ([`DescribedRoutes`](super::described_routes::DescribedRoutes)), so that
//! none is served without a description.

use super::members::BodyMember;
use axum::http::StatusCode;
use lombard_auth::endpoints::OAuthEndpoint;
use lombard_edge::endpoint_facts::{HttpMethod, RateGroup};
use serde_json::Value;

/// An operation of the authorisation server.
#[derive(Debug, Clone)]
pub struct OAuthOperation {
    /// Its name, which no other operation has.
    pub name: &'static str,
    /// The endpoint.
    pub endpoint: OAuthEndpoint,
    /// What follows the path of the endpoint: ids in braces.
    pub segment: &'static str,
    /// The method.
    pub method: HttpMethod,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What it does, in sentences.
    pub description: &'static str,
    /// How the caller shows who it is.
    pub caller: RequiredCaller,
    /// The parameters of its query.
    pub query: &'static [BodyMember],
    /// The body of its requests.
    pub request: Option<RequestBody>,
    /// The answers to requests that are carried out.
    pub success: SuccessResponse,
    /// What is answered otherwise: a status, and when.
    pub errors: Vec<(StatusCode, &'static str)>,
    /// How errors are written.
    pub error_form: ErrorForm,
    /// What counts its calls.
    pub rate: Option<RateGroup>,
}

/// How the caller of an operation shows who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequiredCaller {
    /// Anybody may call.
    Anybody,
    /// A client certificate alone.
    Certificate,
    /// A client, by its certificate and by what stands in the form.
    Client,
    /// A token of the client alone.
    ClientToken,
    /// A token for a customer's consent.
    CustomerToken,
}

/// The body of a request.
#[derive(Debug, Clone)]
pub enum RequestBody {
    /// A form.
    Form {
        /// The name of its schema.
        name: &'static str,
        /// Its fields.
        fields: Vec<BodyMember>,
        /// Examples, each with its name.
        examples: Vec<(&'static str, Value)>,
    },
    /// A signed JWT.
    Jwt {
        /// The name of its schema.
        name: &'static str,
        /// The schema of its claims.
        claims: Value,
        /// The claims of an example.
        example: Value,
        /// The media types in which it may be sent.
        media: [String; 2],
    },
}

/// The answer to a request that is carried out.
#[derive(Debug, Clone)]
pub struct SuccessResponse {
    /// Its status.
    pub status: StatusCode,
    /// What it means.
    pub description: &'static str,
    /// Its headers, each with what it holds.
    pub headers: &'static [(&'static str, &'static str)],
    /// Media type, name of the schema, and the schema. None if there is no body.
    pub content: Vec<(&'static str, &'static str, Value)>,
}

/// How an operation writes its errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// As RFC 6749 and RFC 7591 have it, in JSON.
    Json,
    /// As a page for the customer.
    Page,
}

impl OAuthOperation {
    /// The whole path, ids in braces.
    pub fn path(&self) -> String {
        format!("{}{}", self.endpoint.path(), self.segment)
    }

    /// An operation of an endpoint that answers with JSON that nobody may keep, with the errors that every such operation has.
    pub(super) fn new(name: &'static str, method: HttpMethod, endpoint: OAuthEndpoint, caller: RequiredCaller) -> Self {
        Self {
            name,
            endpoint,
            segment: "",
            method,
            summary: "",
            description: "",
            caller,
            query: &[],
            request: None,
            success: SuccessResponse::empty(StatusCode::NO_CONTENT, ""),
            errors: SERVER_ERRORS.into(),
            error_form: ErrorForm::Json,
            rate: None,
        }
    }

    /// With these words.
    pub(super) fn described(self, summary: &'static str, description: &'static str) -> Self {
        Self { summary, description, ..self }
    }

    /// With what counts its calls.
    pub(super) fn counted(mut self, rate: RateGroup) -> Self {
        self.rate = Some(rate);
        self
    }

    /// With this body, and the errors that a body may have.
    pub(super) fn taking(mut self, request: RequestBody) -> Self {
        self.request = Some(request);
        self.errors.push((StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than this endpoint reads."));
        self
    }

    /// With this answer.
    pub(super) fn answering(self, success: SuccessResponse) -> Self {
        Self { success, ..self }
    }

    /// With these errors besides.
    pub(super) fn failing(mut self, errors: &[(StatusCode, &'static str)]) -> Self {
        self.errors.extend(errors);
        self
    }
}

impl SuccessResponse {
    /// An answer without a body.
    pub(super) const fn empty(status: StatusCode, description: &'static str) -> Self {
        Self { status, description, headers: &[], content: Vec::new() }
    }

    /// An answer in JSON: the name of its schema, and the schema.
    pub(super) fn json(status: StatusCode, description: &'static str, name: &'static str, schema: Value) -> Self {
        Self { content: vec![("application/json", name, schema)], ..Self::empty(status, description) }
    }
}

/// What every operation may answer.
const SERVER_ERRORS: [(StatusCode, &str); 3] = [
    (StatusCode::METHOD_NOT_ALLOWED, "The endpoint has other methods; the header Allow names them."),
    (StatusCode::INTERNAL_SERVER_ERROR, "An internal error."),
    (StatusCode::SERVICE_UNAVAILABLE, "The server cannot answer now; the same request may succeed later."),
];

/// A request that the endpoint refuses.
pub(super) const BAD_REQUEST: (StatusCode, &str) =
    (StatusCode::BAD_REQUEST, "The request is refused; the member error says why.");
/// A caller that is not a client that it claims to be.
pub(super) const NOT_THE_CLIENT: (StatusCode, &str) =
    (StatusCode::UNAUTHORIZED, "The client was not authenticated, or its connection has no client certificate.");
/// A token that is worth nothing.
pub(super) const NO_TOKEN: (StatusCode, &str) = (
    StatusCode::UNAUTHORIZED,
    "The token is missing, unknown, expired, or bound to another certificate; or the connection has no client certificate.",
);
