//! The request and the response of an operation, derived from the types of its handler. Every description of an
//! operation, for people or for programs, is made from this.

use crate::error::JSON;
use crate::request_log::BodyIsKept;
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

/// What an operation asks and answers. Schemas are JSON Schema (2020-12), self-contained.
#[derive(Debug, Clone)]
pub struct OperationContract {
    /// The status of a good answer.
    pub status: StatusCode,
    /// The schema of a request's body, if it has one that is JSON.
    pub asked: Option<Value>,
    /// The media type of such a body.
    pub asked_as: &'static str,
    /// What a file that is sent may be, if one is: its media types.
    pub takes: &'static [&'static str],
    /// The schema of the answer's body, if it is JSON.
    pub answered: Option<Value>,
    /// Whether the answer comes in pages. Source: RW-271.
    pub paged: bool,
    /// How the list may be narrowed.
    pub filter: DateFilter,
    /// Of each of these groups the consent must hold at least one permission. Source: T6.
    pub opened_by: &'static [&'static [Permission]],
}

impl OperationContract {
    const NOTHING: Self = Self {
        status: StatusCode::NO_CONTENT,
        asked: None,
        asked_as: "application/json",
        takes: &[],
        answered: None,
        paged: false,
        filter: DateFilter::None,
        opened_by: &[],
    };

    /// Whether a good answer has a body.
    pub fn has_answer(&self) -> bool {
        self.status != StatusCode::NO_CONTENT && self.takes.is_empty()
    }

    /// The contract of an operation that reads: the schema of its answer.
    pub fn answering(answered: Value) -> Self {
        Self { status: StatusCode::OK, answered: Some(answered), ..Self::NOTHING }
    }

    /// Files of these media types are taken, and the answer is empty.
    pub const fn taking(takes: &'static [&'static str]) -> Self {
        Self { status: StatusCode::OK, takes, ..Self::NOTHING }
    }

    /// A resource is changed by a body of this media type.
    pub fn changing(asked: Value, asked_as: &'static str, answered: Value) -> Self {
        Self { asked: Some(asked), asked_as, ..Self::answering(answered) }
    }

    /// The contract of an operation that creates: the schemas of its body and of its answer.
    pub fn creating(asked: Value, answered: Value) -> Self {
        Self { status: StatusCode::CREATED, asked: Some(asked), ..Self::answering(answered) }
    }
}

/// An answer that may say what it holds.
pub trait DescribesResponse: IntoResponse {
    /// What it holds; none if its type does not say.
    fn contract() -> Option<OperationContract>;

    /// [`OperationContract::opened_by`], without the schemas, which take milliseconds to make.
    fn opened_by() -> &'static [&'static [Permission]];
}

/// An answer of any kind.
impl DescribesResponse for Response {
    fn contract() -> Option<OperationContract> {
        None
    }

    fn opened_by() -> &'static [&'static [Permission]] {
        &[]
    }
}

/// A kind of answer.
pub trait ResponseKind {
    /// Of each of these groups the consent must hold at least one permission. Source: T6.
    const OPENED_BY: &'static [&'static [Permission]] = &[];

    /// What answers of this kind hold, beside the permissions that open it.
    fn contract() -> OperationContract;
}

/// An answer of one kind.
#[derive(Debug)]
pub struct TypedResponse<K> {
    response: Response,
    kind: PhantomData<fn() -> K>,
}

impl<K> TypedResponse<K> {
    /// An answer in JSON. Source: RW-071.
    pub fn json(status: StatusCode, body: Vec<u8>) -> Self {
        // Boxed, so that its capacity is its length: the count of unread bytes is the memory used.
        Self::json_bytes(status, Bytes::from(body.into_boxed_slice()))
    }

    /// The answer to a read, of bytes that are kept for further answers.
    pub fn kept_json_bytes(body: Bytes) -> Self {
        let mut answer = Self::json_bytes(StatusCode::OK, body);
        answer.response.extensions_mut().insert(BodyIsKept);
        answer
    }

    /// The same, of bytes that are shared.
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
        Some(OperationContract { opened_by: K::OPENED_BY, ..K::contract() })
    }

    fn opened_by() -> &'static [&'static [Permission]] {
        K::OPENED_BY
    }
}

/// Nothing.
#[derive(Debug)]
pub struct NoContent;

impl ResponseKind for NoContent {
    fn contract() -> OperationContract {
        OperationContract::NOTHING
    }
}

/// A `T`, as version `W` writes it.
#[derive(Debug)]
pub struct SingleResource<W, T: ?Sized>(PhantomData<(W, Box<T>)>);

impl<W: Describe<T>, T: ?Sized> ResponseKind for SingleResource<W, T> {
    fn contract() -> OperationContract {
        OperationContract::answering(W::schema())
    }
}

/// A `T` made from a `D`.
#[derive(Debug)]
pub struct CreatedResource<W, D, T>(PhantomData<(W, D, T)>);

impl<W: Describe<D> + Describe<T>, D, T> ResponseKind for CreatedResource<W, D, T> {
    fn contract() -> OperationContract {
        OperationContract::creating(<W as Describe<D>>::schema(), <W as Describe<T>>::schema())
    }
}

/// Records of a resource, page by page.
#[derive(Debug)]
pub struct PagedResource<W, R>(PhantomData<(W, R)>);

impl<W: Describe<[Aliased<R::Seen>]>, R: AccountResource> ResponseKind for PagedResource<W, R> {
    const OPENED_BY: &'static [&'static [Permission]] = R::READ;

    fn contract() -> OperationContract {
        OperationContract { paged: true, filter: R::FILTER, ..ResourceRecord::<W, R, [Aliased<R::Seen>]>::contract() }
    }
}

/// A record of a resource, written as a `T`.
#[derive(Debug)]
pub struct ResourceRecord<W, R, T: ?Sized>(PhantomData<(W, R, Box<T>)>);

impl<W: Describe<T>, R: AccountResource, T: ?Sized> ResponseKind for ResourceRecord<W, R, T> {
    const OPENED_BY: &'static [&'static [Permission]] = R::READ;

    fn contract() -> OperationContract {
        OperationContract::answering(W::schema())
    }
}

/// What says by which permissions something is opened that is no resource of accounts.
pub trait PermissionRequirement {
    /// As [`AccountResource::READ`].
    const BY: &'static [&'static [Permission]];
}

/// A `T` that permissions open.
#[derive(Debug)]
pub struct PermissionGuarded<W, O, T>(PhantomData<(W, O, T)>);

impl<W: Describe<T>, O: PermissionRequirement, T> ResponseKind for PermissionGuarded<W, O, T> {
    const OPENED_BY: &'static [&'static [Permission]] = O::BY;

    fn contract() -> OperationContract {
        OperationContract::answering(W::schema())
    }
}

/// A file that permissions open.
#[derive(Debug)]
pub struct PermissionGuardedFile<O>(PhantomData<O>);

impl<O: PermissionRequirement> ResponseKind for PermissionGuardedFile<O> {
    const OPENED_BY: &'static [&'static [Permission]] = O::BY;

    fn contract() -> OperationContract {
        OperationContract { status: StatusCode::OK, ..OperationContract::NOTHING }
    }
}

/// A file in the form of one that was sent.
#[derive(Debug)]
pub struct FileDownload;

impl ResponseKind for FileDownload {
    fn contract() -> OperationContract {
        OperationContract { status: StatusCode::OK, ..OperationContract::NOTHING }
    }
}
