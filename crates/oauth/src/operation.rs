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
    /// The unique name of the operation.
    pub name: &'static str,
    /// The endpoint of the operation.
    pub endpoint: OAuthEndpoint,
    /// The segment after the path of the endpoint, with ids in braces.
    pub segment: &'static str,
    /// The HTTP method.
    pub method: HttpMethod,
    /// The effect of the operation in a few words.
    pub summary: &'static str,
    /// The effect of the operation in sentences.
    pub description: &'static str,
    /// How the caller authenticates.
    pub caller: RequiredCaller,
    /// The query parameters.
    pub query: &'static [BodyMember],
    /// The body of requests, if they have one.
    pub request: Option<RequestBody>,
    /// The response to requests that succeed.
    pub success: SuccessResponse,
    /// The statuses of errors, each with the condition of the error.
    pub errors: Vec<(StatusCode, &'static str)>,
    /// The format of errors.
    pub error_form: ErrorForm,
    /// The rate limit group in which calls count, if there is one.
    pub rate: Option<RateGroup>,
}

/// How the caller of an operation authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequiredCaller {
    /// The caller need not authenticate.
    Anybody,
    /// The caller presents a client certificate.
    Certificate,
    /// The caller is a client that authenticates by its certificate and the members of the form.
    Client,
    /// The caller presents a token of the client alone.
    ClientToken,
    /// The caller presents a token for a customer's consent.
    CustomerToken,
}

/// The body of a request.
#[derive(Debug, Clone)]
pub enum RequestBody {
    /// A form.
    Form {
        /// The name of the schema.
        name: &'static str,
        /// The fields of the form.
        fields: Vec<BodyMember>,
        /// Examples, each with its name.
        examples: Vec<(&'static str, Value)>,
    },
    /// A signed JWT.
    Jwt {
        /// The name of the schema.
        name: &'static str,
        /// The schema of the claims.
        claims: Value,
        /// The claims of an example.
        example: Value,
        /// The media types in which the JWT may be sent.
        media: [String; 2],
    },
}

/// The response to a request that succeeds.
#[derive(Debug, Clone)]
pub struct SuccessResponse {
    /// The status of the response.
    pub status: StatusCode,
    /// The meaning of the response.
    pub description: &'static str,
    /// The headers of the response, each with a description of its value.
    pub headers: &'static [(&'static str, &'static str)],
    /// The media type, the name of the schema, and the schema; empty if there is no body.
    pub content: Vec<(&'static str, &'static str, Value)>,
}

/// The format of an operation's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// JSON, as RFC 6749 and RFC 7591 define it.
    Json,
    /// A page for the customer.
    Page,
}

impl OAuthOperation {
    /// The whole path of the operation, with ids in braces.
    pub fn path(&self) -> String {
        format!("{}{}", self.endpoint.path(), self.segment)
    }

    /// An operation of an endpoint that responds with JSON that must not be cached, with the errors that every such operation has.
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

    /// Sets summary and description.
    pub(super) fn with_description(self, summary: &'static str, description: &'static str) -> Self {
        Self { summary, description, ..self }
    }

    /// Sets the rate limit group.
    pub(super) fn with_rate(mut self, rate: RateGroup) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Sets the body, and adds the errors that a body may have.
    pub(super) fn with_request(mut self, request: RequestBody) -> Self {
        self.request = Some(request);
        self.errors.push((StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than this endpoint reads."));
        self
    }

    /// Sets the response of success.
    pub(super) fn with_success(self, success: SuccessResponse) -> Self {
        Self { success, ..self }
    }

    /// Adds errors.
    pub(super) fn with_errors(mut self, errors: &[(StatusCode, &'static str)]) -> Self {
        self.errors.extend(errors);
        self
    }
}

impl SuccessResponse {
    /// A response without a body.
    pub(super) const fn empty(status: StatusCode, description: &'static str) -> Self {
        Self { status, description, headers: &[], content: Vec::new() }
    }

    /// A response in JSON with this schema and the name of the schema.
    pub(super) fn json(status: StatusCode, description: &'static str, name: &'static str, schema: Value) -> Self {
        Self { content: vec![("application/json", name, schema)], ..Self::empty(status, description) }
    }
}

/// The server errors that every operation may return.
const SERVER_ERRORS: [(StatusCode, &str); 3] = [
    (StatusCode::METHOD_NOT_ALLOWED, "The endpoint has other methods; the header Allow names them."),
    (StatusCode::INTERNAL_SERVER_ERROR, "An internal error."),
    (StatusCode::SERVICE_UNAVAILABLE, "The server cannot answer now; the same request may succeed later."),
];

/// The error for a request that the endpoint refuses.
pub(super) const BAD_REQUEST: (StatusCode, &str) =
    (StatusCode::BAD_REQUEST, "The request is refused; the member error says why.");
/// The error for a caller that is not authenticated as the client that it names.
pub(super) const NOT_THE_CLIENT: (StatusCode, &str) =
    (StatusCode::UNAUTHORIZED, "The client was not authenticated, or its connection has no client certificate.");
/// The error for a token that is not valid.
pub(super) const NO_TOKEN: (StatusCode, &str) = (
    StatusCode::UNAUTHORIZED,
    "The token is missing, unknown, expired, or bound to another certificate; or the connection has no client certificate.",
);
