//! The request pipeline before every API handler: authentication, scope, headers and body, checked in the order of RW-025.
//!
//! The type of a handler's [`AuthorisedCall`] states the required kind of grant and the body; the catalogue's row states the scope. The
//! router checks path and method; the use-case checks permission, id and state.

mod accept;
mod authorization;
mod body;
mod body_stream;
mod call_context;
mod checked_request;
mod early_read;
mod grant;
mod headers;
mod media_type;
mod payload_version;
mod query;
mod rate_headers;
mod upload;

pub use accept::accepts_json;
pub use accept::names_media_type;
pub use body::SUBMITTED_BYTES_MAX;
pub(crate) use body::{BodyBounds, BoundsSource, IdempotentJson, Json, NoBody, PatchJson, RequestBody};
pub use body_stream::announced_bytes;
pub use grant::ClientOnly;
pub(crate) use grant::{ClientOrPsu, PsuBound};
pub use headers::KEY_MUST;
pub use headers::known_headers;
pub use media_type::has_content_type;
pub(crate) use query::ListQuery;
pub use query::PAGE;
pub use query::filter_names;
pub use rate_headers::rate_policy;
pub use upload::FileUploadRequest;
pub use upload::SignedUpload;

use authorization::authorization;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, on};
use checked_request::CheckedHttpRequest;
use early_read::EarlyRead;
use grant::GrantRequirement;
use http::request::Parts;
use http::uri::PathAndQuery;
use lombard_auth::callers::Caller;
use lombard_auth::certificates::ClientCertificate;
use lombard_domain::consent::Permission;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::refusal::{FaultCode, FaultLocation, Refusal, RefusalKind};
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint::contract::{DescribesResponse, OperationContract};
use lombard_edge::endpoint_facts::{RateGroup, ResponseMedia};
use lombard_edge::error::{ApiError, InsufficientToken};
use lombard_edge::faults;
use lombard_edge::layers::{ClientForLog, certificate};
use lombard_edge::listener::{ActiveRequest, QuotaExemption};
use lombard_edge::rendered_pages::PageOwner;
use lombard_edge::signing::ClaimedSignature;
use lombard_jose::SignedPayload;
use lombard_ports::store::IdempotencyKey;
use lombard_service::Context;
use lombard_service::accounts::DateFilter;
use lombard_service::payments::orders::PAYLOAD_VERSION;
use media_type::ContentType;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use std::borrow::Cow;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

/// An authenticated request that has passed every check of the pipeline.
#[derive(Debug)]
pub struct AuthorisedCall<G, B = NoBody> {
    /// The application.
    pub app: App,
    /// The caller of the request.
    pub caller: Arc<Caller>,
    /// The grant of the token.
    pub(crate) grant: G,
    /// The media type of the response.
    pub(crate) media: ResponseMedia,
    /// The request body.
    pub(crate) body: B,
    head: Arc<RequestHead>,
}

/// The request line, the headers and the ids of the path.
#[derive(Debug)]
struct RequestHead {
    parts: Parts,
    /// The variables of the path, decoded once (RW-011). `None` if one of them is not text.
    path_ids: Option<RawPathParams>,
    /// The rate limit group of the call, once its caller is known.
    rate_group: OnceLock<RateGroup>,
}

/// A type-erased handler with its pipeline, in one version.
struct Pipeline {
    endpoint: &'static ApiEndpoint,
    version: Version,
    /// The media types that the handler's body may have.
    read: &'static [&'static str],
    handler: ErasedHandler,
}

/// The type-erased handler, which receives the body, runs the handler and renders the response.
type ErasedHandler = Arc<dyn Fn(PassedChecks, RawCall) -> ErasedResponse + Send + Sync>;
type ErasedResponse = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send>>;

/// A request before any check.
type RawCall = (App, Arc<RequestHead>, Body);

/// Wraps a handler: the pipeline runs before it, and its result is rendered in the version of the path.
pub fn with_pipeline<G, B, F, Answering, A>(
    endpoint: &'static ApiEndpoint,
    version: Version,
    handler: F,
) -> MethodRouter<App>
where
    G: GrantRequirement,
    B: RequestBody,
    F: Fn(AuthorisedCall<G, B>) -> Answering + Clone + Send + Sync + 'static,
    Answering: Future<Output = Result<A, ApiError>> + Send,
    A: DescribesResponse,
{
    debug_assert_eq!(
        (endpoint.grant, endpoint.idempotent),
        (G::KIND, B::IS_IDEMPOTENT),
        "the row and the handler of {endpoint:?} disagree"
    );
    let handler = move |passed: PassedChecks, call: RawCall| -> ErasedResponse {
        let handler = handler.clone();
        Box::pin(async move {
            let call = AuthorisedCall::<G, B>::receive(passed, call).await?;
            handler(call).await.map(IntoResponse::into_response)
        })
    };
    Pipeline { endpoint, version, read: B::READ, handler: Arc::new(handler) }.route()
}

impl Pipeline {
    /// The route of the handler. This code does not depend on the handler's types, so that it and axum's routing are compiled once instead
    /// of for each handler in each version.
    fn route(self) -> MethodRouter<App> {
        let method = self.endpoint.method.filter();
        let pipeline = Arc::new(self);
        let route = move |State(app): State<App>, request: Request| async move {
            if let Some(refusal) = certificate::refusal(&request) {
                return refusal;
            }
            let version = pipeline.version;
            // Maintenance is checked before the token: checking a token needs the database, which may itself be under
            // maintenance.
            if let Some(downtime) = app.downtime() {
                return ApiError::InMaintenance(downtime).respond(&app, version);
            }
            let (mut parts, body) = request.into_parts();
            let client = parts.extensions.get::<ClientForLog>().cloned();
            let path_ids = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
            let head = Arc::new(RequestHead { parts, path_ids, rate_group: OnceLock::new() });
            let answer = pipeline.answer((app.clone(), Arc::clone(&head), body)).await;
            let mut answer = answer.unwrap_or_else(|error| error.respond(&app, version));
            if let Some(client) = client.as_ref().filter(|_| answer.status().is_success()) {
                log_path_ids(client, head.path_ids.as_ref());
            }
            // An unauthenticated caller has no rate yet, and v3.1 has no such headers (RW-061).
            if let (Version::V4_0, Some(client), Some(group)) =
                (version, client.as_ref().and_then(ClientForLog::client), head.rate_group.get())
            {
                answer.headers_mut().extend(rate_headers::rate_headers(&app, *group, client).into_iter().flatten());
            }
            answer
        };
        on(method, route)
    }

    /// Runs steps 3 to 11 of RW-025, in their order, and the handler. A request that is refused before its body is read gets its response
    /// without waiting for the body; the listener reads and discards the rest, so that the response reaches a caller who is still sending.
    async fn answer(&self, (app, head, body): RawCall) -> Result<Response, ApiError> {
        if let Some(early) = EarlyRead::find(self.endpoint, &app, &head.parts) {
            let work = self.admit(early.caller(), (app.clone(), Arc::clone(&head), Body::empty()));
            // The future is boxed, so that other requests need no memory for it.
            if let Some(answer) = Box::pin(early.confirmed(&app, work)).await? {
                return answer;
            }
        }
        let caller = caller(&app, &head.parts).await?;
        self.note_rate_group(&head, &caller);
        faults::apply_fault(&caller.client).await?;
        self.admit(caller, (app, head, body)).await
    }

    /// Runs the second half of step 4 to step 11, and the handler.
    async fn admit(&self, caller: Arc<Caller>, call: RawCall) -> Result<Response, ApiError> {
        self.note_rate_group(&call.1, &caller);
        let passed = check_before_body(self.endpoint, self.version, caller, (&call.0, &call.1.parts), self.read)?;
        (self.handler)(passed, call).await
    }
}

impl Pipeline {
    /// Keeps the rate limit group of the call, for the headers of its response. Only the first value is kept, because the kind of
    /// a token never changes.
    fn note_rate_group(&self, head: &RequestHead, caller: &Caller) {
        let _is_first = head.rate_group.set(self.endpoint.rate_group(&caller.subject));
    }
}

/// Keeps the ids of the path for the access line. The request has succeeded, so they are the client's own.
fn log_path_ids(log: &ClientForLog, ids: Option<&RawPathParams>) {
    for (name, id) in ids.into_iter().flat_map(|ids| ids.iter()) {
        if name == CONSENT_ID {
            log.set_consent(&ConsentId::from(id.to_owned()));
        } else if ORDER_IDS.iter().any(|end| name.ends_with(end)) {
            log.set_order(&OrderId::from(id.to_owned()));
        }
    }
}

/// The name of consents' ids in paths.
const CONSENT_ID: &str = "ConsentId";
/// The ends of the names of orders' ids in paths.
const ORDER_IDS: [&str; 3] = ["PaymentId", "StandingOrderId", "DomesticVRPId"];

/// The contract of a handler's request and response.
pub(crate) fn contract_of<G, B, F, Answering, A>(_: F) -> Option<OperationContract>
where
    F: Fn(AuthorisedCall<G, B>) -> Answering,
    Answering: Future<Output = Result<A, ApiError>>,
    A: DescribesResponse,
{
    A::contract()
}

/// The permissions that a handler's response requires.
pub(crate) fn permissions_of<G, B, F, Answering, A>(_: F) -> &'static [&'static [Permission]]
where
    F: Fn(AuthorisedCall<G, B>) -> Answering,
    Answering: Future<Output = Result<A, ApiError>>,
    A: DescribesResponse,
{
    A::required_permissions()
}

impl<G: GrantRequirement, B: RequestBody> AuthorisedCall<G, B> {
    /// Receives the body, which is the last step, and makes the call.
    async fn receive(passed: PassedChecks, (app, head, body): RawCall) -> Result<Self, ApiError> {
        let PassedChecks { caller, media, content, key, signature } = passed;
        let grant =
            G::from_caller(&caller).ok_or_else(|| ApiError::invalid_token(InsufficientToken::OtherGrant(G::KIND)))?;
        let parts = &head.parts;
        let arrived = CheckedHttpRequest { app: &app, caller: &caller, parts, body, content, key, signature };
        let body = B::receive(arrived).await?;
        Ok(Self { app, caller, grant, media, body, head })
    }

    /// Exempts the call from its client's limit of concurrent requests until the returned value is dropped. For waits that have their own
    /// limits.
    pub(crate) fn exempt_from_quota(&self) -> Option<QuotaExemption<'_>> {
        self.head.parts.extensions.get::<Arc<ActiveRequest>>().map(|under_way| under_way.exempt_from_quota())
    }

    /// The use-case context of this request: events that it raises carry the request's interaction id (SET-016), and the bank
    /// is told for whom it is called.
    pub(crate) fn context(&self) -> Context {
        self.app.context.for_call(call_context::of_request(&self.caller, &self.head.parts))
    }

    /// The record for the access line.
    pub(crate) fn log(&self) -> Option<&ClientForLog> {
        self.head.parts.extensions.get()
    }

    /// Separates the body from the call.
    pub fn split(self) -> (AuthorisedCall<G>, B) {
        let Self { app, caller, grant, media, body, head } = self;
        (AuthorisedCall { app, caller, grant, media, body: NoBody, head }, body)
    }

    /// Checks again, after a wait, that token, client and certificate are still valid. Source: EVT-077.
    ///
    /// # Errors
    /// The errors of the first authentication.
    pub(crate) async fn still_admitted(&self) -> Result<(), ApiError> {
        let now = caller(&self.app, &self.head.parts).await?;
        let same = now.grant == self.caller.grant && self.caller.scopes.is_subset_of(now.scopes);
        if same { Ok(()) } else { Err(ApiError::invalid_token(InsufficientToken::Replaced)) }
    }

    /// An id of the path, decoded once (RW-011).
    ///
    /// # Errors
    /// 404 if the id is not valid UTF-8; no id of this server is such a value.
    pub fn path_id<T: From<String>>(&self, name: &str) -> Result<T, ApiError> {
        let [id] = self.path_ids([name])?;
        id.map(T::from).ok_or_else(not_found)
    }

    /// The ids with these names; `None` for each one that is not in the row's path.
    ///
    /// # Errors
    /// Not found, if one of the ids is not text.
    pub(crate) fn path_ids<const N: usize>(&self, names: [&str; N]) -> Result<[Option<String>; N], ApiError> {
        let ids = self.head.path_ids.as_ref().ok_or_else(not_found)?;
        Ok(names.map(|name| ids.iter().find(|(found, _)| *found == name).map(|(_, id)| id.to_owned())))
    }

    /// The id of a path with exactly one id, whose name depends on the product (SO-017).
    ///
    /// # Errors
    /// As [`path_id`](Self::path_id).
    pub(crate) fn only_path_id<T: From<String>>(&self) -> Result<T, ApiError> {
        let mut ids = self.head.path_ids.iter().flat_map(|ids| ids.iter());
        ids.next().map(|(_, id)| T::from(id.to_owned())).ok_or_else(not_found)
    }

    /// Parses the query string of a list.
    ///
    /// # Errors
    /// Every fault of the query string.
    pub(crate) fn list_query(&self, filter: DateFilter) -> Result<ListQuery, ApiError> {
        ListQuery::read(self.head.parts.uri.query().unwrap_or(""), filter, self.app.settings.page_size)
    }

    /// The customer's network address, if the caller states it. Source: PIS-014.
    pub(crate) fn customer_address(&self) -> Option<IpAddr> {
        headers::customer_address(&self.head.parts.headers)
    }

    /// The version whose schema the body follows, by its `payload-version`. Source: V4-029.
    ///
    /// # Errors
    /// 400 for a value that names no version.
    pub(crate) fn payload_version(&self, endpoint_version: Version) -> Result<Version, ApiError> {
        payload_version::read(&self.head.parts.headers, endpoint_version)
    }

    /// Refuses a request whose `payload-version` names another version. Source: V4-029.
    ///
    /// # Errors
    /// 400 for another version, or a value that names none.
    pub(crate) fn require_payload_of(&self, endpoint_version: Version) -> Result<(), ApiError> {
        if self.payload_version(endpoint_version)? == endpoint_version {
            return Ok(());
        }
        let message = "The schema of this version is required here.";
        Err(ApiError::fault(FaultCode::HeaderInvalid, FaultLocation::Header(PAYLOAD_VERSION), message))
    }

    /// The cache key of the requested page.
    pub(crate) fn page_owner(&self) -> PageOwner<'_> {
        PageOwner::new(&self.caller, self.head.parts.uri.path_and_query().map_or("", PathAndQuery::as_str))
    }

    /// The absolute address of this resource, without query or trailing slash. Source: RW-241, RW-243.
    pub(crate) fn address(&self) -> String {
        format!("{}{}", self.app.settings.mtls_url, without_slash(self.head.parts.uri.path()))
    }
}

fn not_found() -> ApiError {
    ApiError::Refused(Refusal::from_kind(RefusalKind::NotFound))
}

/// The result of the checks that precede the body.
struct PassedChecks {
    caller: Arc<Caller>,
    media: ResponseMedia,
    /// The content type of the body, if one is expected.
    content: Option<ContentType>,
    /// The idempotency key with its client and operation, if the endpoint is idempotent. Source: PIS-062.
    key: Option<IdempotencyKey>,
    /// The signature, if the request is signed.
    signature: Option<ClaimedSignature>,
}

/// Runs the second half of step 4 to step 10 of RW-025, in their order. `read` holds the media types that the handler's body may have.
fn check_before_body(
    endpoint: &ApiEndpoint,
    version: Version,
    caller: Arc<Caller>,
    (app, parts): (&App, &Parts),
    read: &'static [&'static str],
) -> Result<PassedChecks, ApiError> {
    // The call is counted before the token's kind and scope are checked, because a valid token of the wrong kind has cost a query.
    app.throttle.count_call(endpoint.rate_group(&caller.subject), &caller.client, app.context.clocks.wall_now())?;
    if !grant::is_met(endpoint.grant, &caller) {
        return Err(ApiError::invalid_token(InsufficientToken::OtherGrant(endpoint.grant)));
    }
    if !endpoint.scopes.iter().any(|scope| caller.scopes.contains(*scope)) {
        return Err(ApiError::ScopeMissing { needed: endpoint.scopes, held: caller.scopes });
    }
    // Like the scope, this check needs only token and path, so it runs here and not in each handler.
    if caller.consent.as_ref().is_some_and(|consent| !consent.is_known_to(version)) {
        return Err(ApiError::ConsentVersionNewer);
    }
    if let (Some(consent), Some(days)) = (&caller.consent, app.settings.reauthentication_days)
        && consent.awaits_reauthentication(days, app.context.clocks.bank_now())
    {
        return Err(ApiError::ReauthenticationRequired);
    }
    let media = accept::choose_media_type(&parts.headers, endpoint.response_media)?;
    let content = if read.is_empty() { None } else { Some(media_type::check(&parts.headers, read)?) };
    let key = headers::check(&parts.headers, endpoint.idempotent)?;
    let key = key.map(|key| IdempotencyKey {
        client: caller.client.clone(),
        operation: format!("{} {}", endpoint.method.name(), one_spelling(parts.uri.path())),
        key,
    });
    let signed_as = content.as_ref().map_or(SignedPayload::Json, ContentType::signed_as);
    let signature = endpoint.signs_requests().then(|| ClaimedSignature::read(app, &caller, &parts.headers, signed_as));
    Ok(PassedChecks { caller, media, content, key, signature: signature.transpose()? })
}

/// Removes one trailing slash, because the path with it means the same resource. Source: RW-007.
fn without_slash(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

/// The characters that are escaped in a path. Source: RFC 3986 section 2.3.
const ESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path with only the necessary escapes, so that different spellings of an id with the same idempotency key are the same request.
/// Source: RW-007, RW-011, PIS-062.
fn one_spelling(path: &str) -> String {
    let segments = without_slash(path).split('/').map(|segment| {
        let plain: Cow<'_, [u8]> = percent_decode_str(segment).into();
        percent_encode(&plain, &ESCAPED).to_string()
    });
    segments.collect::<Vec<_>>().join("/")
}

/// Runs step 3 and the first half of step 4: checks the token and the certificate that it is bound to. Source: AS-110 to AS-112.
async fn caller(app: &App, parts: &Parts) -> Result<Arc<Caller>, ApiError> {
    let certificate = parts.extensions.get::<Arc<ClientCertificate>>();
    let token = match authorization(parts) {
        Ok(token) => token,
        Err(_) if certificate.is_none() => None,
        Err(several) => return Err(several),
    };
    let certificate = certificate.map(|certificate| &**certificate);
    app.admit_caller(certificate, token, parts.extensions.get::<ClientForLog>()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pis_062_rw_007_rw_011_a_path_has_one_spelling() {
        let plain = "/open-banking/v3.1/pisp/file-payment-consents/a-1_~b/file";
        for path in [plain, &format!("{plain}/"), &plain.replace("a-1", "%61%2d1"), &plain.replace("a-1", "%61%2D%31")]
        {
            assert_eq!(one_spelling(path), plain);
        }
        for (path, spelled) in [
            ("/a%2Fb/c", "/a%2Fb/c"),
            ("/a%2fb/c", "/a%2Fb/c"),
            ("/a/b/c", "/a/b/c"),
            ("/%25%36%31", "/%2561"),
            ("/a:b", "/a%3Ab"),
            ("/%ff", "/%FF"),
            ("/%zz", "/%25zz"),
            ("/", ""),
        ] {
            assert_eq!(one_spelling(path), spelled, "{path}");
        }
    }
}
