//! The request and the response of an operation, derived from the types of its handler. Every description of an operation, for people or
//! for programs, is made from them.

use crate::error::JSON;
use crate::request_log::BodyIsCached;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use lombard_domain::account::Aliased;
use lombard_domain::consent::Permission;
use lombard_service::accounts::{AccountResource, DateFilter};
use lombard_wire::describe::Describe;
use serde_json::Value;
use std::marker::PhantomData;

/// The request and the response of an operation. Schemas are self-contained JSON Schema (2020-12).
#[derive(Debug, Clone)]
pub struct OperationContract {
    /// The status of a successful response.
    pub status: StatusCode,
    /// The schema of the request body, if it is JSON.
    pub request_schema: Option<Value>,
    /// The media type of a JSON request body.
    pub request_media_type: &'static str,
    /// The accepted media types of an uploaded file; empty if no file is uploaded.
    pub accepted_files: &'static [&'static str],
    /// The schema of the response body, if it is JSON.
    pub response_schema: Option<Value>,
    /// Whether the response is paged. Source: RW-271.
    pub paged: bool,
    /// The filters of the list.
    pub filter: DateFilter,
    /// Groups of permissions; the consent must hold at least one permission of each. Source: T6.
    pub required_permissions: &'static [&'static [Permission]],
}

impl OperationContract {
    const NOTHING: Self = Self {
        status: StatusCode::NO_CONTENT,
        request_schema: None,
        request_media_type: "application/json",
        accepted_files: &[],
        response_schema: None,
        paged: false,
        filter: DateFilter::None,
        required_permissions: &[],
    };

    /// Whether a successful response has a body.
    pub fn has_answer(&self) -> bool {
        self.status != StatusCode::NO_CONTENT && self.accepted_files.is_empty()
    }

    /// The contract of an operation that reads, with the schema of its response.
    pub fn reading(answered: Value) -> Self {
        Self { status: StatusCode::OK, response_schema: Some(answered), ..Self::NOTHING }
    }

    /// The contract of an operation that accepts files of these media types and responds without a body.
    pub const fn accepting_files(takes: &'static [&'static str]) -> Self {
        Self { status: StatusCode::OK, accepted_files: takes, ..Self::NOTHING }
    }

    /// The contract of an operation that changes a resource by a body of this media type.
    pub fn changing(asked: Value, asked_as: &'static str, answered: Value) -> Self {
        Self { request_schema: Some(asked), request_media_type: asked_as, ..Self::reading(answered) }
    }

    /// The contract of an operation that creates, with the schemas of its request and of its response.
    pub fn creating(asked: Value, answered: Value) -> Self {
        Self { status: StatusCode::CREATED, request_schema: Some(asked), ..Self::reading(answered) }
    }
}

/// A response type that may declare its contract.
pub trait DescribesResponse: IntoResponse {
    /// The contract of the response; `None` if the type declares none.
    fn contract() -> Option<OperationContract>;

    /// [`OperationContract::required_permissions`], without the schemas, which take milliseconds to make.
    fn required_permissions() -> &'static [&'static [Permission]];
}

/// An untyped response, which declares no contract.
impl DescribesResponse for Response {
    fn contract() -> Option<OperationContract> {
        None
    }

    fn required_permissions() -> &'static [&'static [Permission]] {
        &[]
    }
}

/// A kind of typed response.
pub trait ResponseKind {
    /// Groups of permissions; the consent must hold at least one permission of each. Source: T6.
    const OPENED_BY: &'static [&'static [Permission]] = &[];

    /// The contract of responses of this kind, without the required permissions.
    fn contract() -> OperationContract;
}

/// A response of one kind.
#[derive(Debug)]
pub struct TypedResponse<K> {
    response: Response,
    kind: PhantomData<fn() -> K>,
}

impl<K> TypedResponse<K> {
    /// A JSON response. Source: RW-071.
    pub fn json(status: StatusCode, body: Vec<u8>) -> Self {
        // Boxing shrinks the capacity to the length, so that the count of unread bytes is the memory used.
        Self::json_bytes(status, Bytes::from(body.into_boxed_slice()))
    }

    /// A successful JSON response of cached bytes, which further responses may share.
    pub fn kept_json_bytes(body: Bytes) -> Self {
        let mut answer = Self::json_bytes(StatusCode::OK, body);
        answer.response.extensions_mut().insert(BodyIsCached);
        answer
    }

    /// A JSON response of shared bytes.
    pub fn json_bytes(status: StatusCode, body: Bytes) -> Self {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, JSON);
        response.into()
    }
}

impl<K> From<Response> for TypedResponse<K> {
    fn from(response: Response) -> Self {
        Self { response, kind: PhantomData }
    }
}

impl<K> IntoResponse for TypedResponse<K> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<K: ResponseKind> DescribesResponse for TypedResponse<K> {
    fn contract() -> Option<OperationContract> {
        Some(OperationContract { required_permissions: K::OPENED_BY, ..K::contract() })
    }

    fn required_permissions() -> &'static [&'static [Permission]] {
        K::OPENED_BY
    }
}

/// A response without content.
#[derive(Debug)]
pub struct NoContent;

impl ResponseKind for NoContent {
    fn contract() -> OperationContract {
        OperationContract::NOTHING
    }
}

/// A response with one `T`, as version `W` serialises it.
#[derive(Debug)]
pub struct SingleResource<W, T: ?Sized>(PhantomData<(W, Box<T>)>);

impl<W: Describe<T>, T: ?Sized> ResponseKind for SingleResource<W, T> {
    fn contract() -> OperationContract {
        OperationContract::reading(W::schema())
    }
}

/// A response with a `T` that was created from a `D`.
#[derive(Debug)]
pub struct CreatedResource<W, D, T>(PhantomData<(W, D, T)>);

impl<W: Describe<D> + Describe<T>, D, T> ResponseKind for CreatedResource<W, D, T> {
    fn contract() -> OperationContract {
        OperationContract::creating(<W as Describe<D>>::schema(), <W as Describe<T>>::schema())
    }
}

/// A response with a page of a resource's records.
#[derive(Debug)]
pub struct PagedResource<W, R>(PhantomData<(W, R)>);

impl<W: Describe<[Aliased<R::Seen>]>, R: AccountResource> ResponseKind for PagedResource<W, R> {
    const OPENED_BY: &'static [&'static [Permission]] = R::READ;

    fn contract() -> OperationContract {
        OperationContract { paged: true, filter: R::FILTER, ..ResourceRecord::<W, R, [Aliased<R::Seen>]>::contract() }
    }
}

/// A response with one record of a resource, serialised as a `T`.
#[derive(Debug)]
pub struct ResourceRecord<W, R, T: ?Sized>(PhantomData<(W, R, Box<T>)>);

impl<W: Describe<T>, R: AccountResource, T: ?Sized> ResponseKind for ResourceRecord<W, R, T> {
    const OPENED_BY: &'static [&'static [Permission]] = R::READ;

    fn contract() -> OperationContract {
        OperationContract::reading(W::schema())
    }
}

/// States the required permissions of something that is not a resource of accounts.
pub trait PermissionRequirement {
    /// As [`AccountResource::READ`].
    const BY: &'static [&'static [Permission]];
}

/// A response with a `T` that requires permissions.
#[derive(Debug)]
pub struct PermissionGuarded<W, O, T>(PhantomData<(W, O, T)>);

impl<W: Describe<T>, O: PermissionRequirement, T> ResponseKind for PermissionGuarded<W, O, T> {
    const OPENED_BY: &'static [&'static [Permission]] = O::BY;

    fn contract() -> OperationContract {
        OperationContract::reading(W::schema())
    }
}

/// A file that requires permissions.
#[derive(Debug)]
pub struct PermissionGuardedFile<O>(PhantomData<O>);

impl<O: PermissionRequirement> ResponseKind for PermissionGuardedFile<O> {
    const OPENED_BY: &'static [&'static [Permission]] = O::BY;

    fn contract() -> OperationContract {
        OperationContract { status: StatusCode::OK, ..OperationContract::NOTHING }
    }
}

/// A download of a file, in the media type in which it was uploaded.
#[derive(Debug)]
pub struct FileDownload;

impl ResponseKind for FileDownload {
    fn contract() -> OperationContract {
        OperationContract { status: StatusCode::OK, ..OperationContract::NOTHING }
    }
}
