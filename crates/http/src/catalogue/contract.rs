//! What an operation asks and answers, told by the types of its handler: whatever describes an operation to people or
//! programs starts here. Nothing is written down a second time.

use crate::error::ApiError;
use crate::extract::{Call, Payload, Upload};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use lombard_domain::account::Shown;
use lombard_domain::consent::Permission;
use lombard_service::accounts::{AccountResource, Filter};
use lombard_wire::describe::Describe;
use serde_json::Value;
use std::marker::PhantomData;

/// What an operation asks and answers. Schemas are JSON Schema (2020-12), self-contained.
#[derive(Debug, Clone)]
pub struct Contract {
    /// The status of a good answer.
    pub status: StatusCode,
    /// The schema of a request's body, if it has one that is JSON.
    pub asked: Option<Value>,
    /// What a file that is sent may be, if one is: its media types.
    pub takes: &'static [&'static str],
    /// The schema of the answer's body, if it is JSON.
    pub answered: Option<Value>,
    /// Whether the answer comes in pages. Source: RW-271.
    pub paged: bool,
    /// How the list may be narrowed.
    pub filter: Filter,
    /// Of each of these groups the consent must hold at least one permission. Source: T6.
    pub opened_by: &'static [&'static [Permission]],
}

impl Contract {
    const NOTHING: Self = Self {
        status: StatusCode::NO_CONTENT,
        asked: None,
        takes: &[],
        answered: None,
        paged: false,
        filter: Filter::None,
        opened_by: &[],
    };

    /// Whether a good answer has a body.
    pub fn has_answer(&self) -> bool {
        self.status != StatusCode::NO_CONTENT && self.takes.is_empty()
    }

    pub(crate) fn answering(answered: Value) -> Self {
        Self { status: StatusCode::OK, answered: Some(answered), ..Self::NOTHING }
    }
}

/// An answer that may say what it holds.
pub(crate) trait Answers: IntoResponse {
    /// What it holds; none if its type does not say.
    fn contract() -> Option<Contract>;
}

/// An answer of any kind.
impl Answers for Response {
    fn contract() -> Option<Contract> {
        None
    }
}

/// A kind of answer.
pub(crate) trait Kind {
    /// What answers of this kind hold.
    fn contract() -> Contract;
}

/// An answer of one kind.
#[derive(Debug)]
pub(crate) struct Answer<K> {
    response: Response,
    kind: PhantomData<fn() -> K>,
}

impl<K> From<Response> for Answer<K> {
    fn from(response: Response) -> Self {
        Self { response, kind: PhantomData }
    }
}

impl<K> IntoResponse for Answer<K> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<K: Kind> Answers for Answer<K> {
    fn contract() -> Option<Contract> {
        Some(K::contract())
    }
}

/// What a handler's answer holds.
pub(super) fn contract_of<G, B, F, Answering, A>(_: F) -> Option<Contract>
where
    F: Fn(Call<G, B>) -> Answering,
    Answering: Future<Output = Result<A, ApiError>>,
    A: Answers,
{
    A::contract()
}

/// Nothing.
#[derive(Debug)]
pub(crate) struct Nothing;

impl Kind for Nothing {
    fn contract() -> Contract {
        Contract::NOTHING
    }
}

/// A `T`, as version `W` writes it.
#[derive(Debug)]
pub(crate) struct One<W, T: ?Sized>(PhantomData<(W, Box<T>)>);

impl<W: Describe<T>, T: ?Sized> Kind for One<W, T> {
    fn contract() -> Contract {
        Contract::answering(W::schema())
    }
}

/// A `T` made from a `D`.
#[derive(Debug)]
pub(crate) struct Made<W, D, T>(PhantomData<(W, D, T)>);

impl<W: Describe<D> + Describe<T>, D, T> Kind for Made<W, D, T> {
    fn contract() -> Contract {
        let asked = Some(<W as Describe<D>>::schema());
        let answered = <W as Describe<T>>::schema();
        Contract { status: StatusCode::CREATED, asked, ..Contract::answering(answered) }
    }
}

/// Records of a resource, page by page.
#[derive(Debug)]
pub(crate) struct Pages<W, R>(PhantomData<(W, R)>);

impl<W: Describe<[Shown<R::Seen>]>, R: AccountResource> Kind for Pages<W, R> {
    fn contract() -> Contract {
        Contract { paged: true, filter: R::FILTER, ..ResourceRecord::<W, R, [Shown<R::Seen>]>::contract() }
    }
}

/// A record of a resource, written as a `T`.
#[derive(Debug)]
pub(crate) struct ResourceRecord<W, R, T: ?Sized>(PhantomData<(W, R, Box<T>)>);

impl<W: Describe<T>, R: AccountResource, T: ?Sized> Kind for ResourceRecord<W, R, T> {
    fn contract() -> Contract {
        Contract { opened_by: R::READ, ..Contract::answering(W::schema()) }
    }
}

/// What says by which permissions something is opened that is no resource of accounts.
pub(crate) trait Opened {
    /// As [`AccountResource::READ`].
    const BY: &'static [&'static [Permission]];
}

/// A `T` that permissions open.
#[derive(Debug)]
pub(crate) struct PermissionGuarded<W, O, T>(PhantomData<(W, O, T)>);

impl<W: Describe<T>, O: Opened, T> Kind for PermissionGuarded<W, O, T> {
    fn contract() -> Contract {
        Contract { opened_by: O::BY, ..Contract::answering(W::schema()) }
    }
}

/// A file that permissions open.
#[derive(Debug)]
pub(crate) struct File<O>(PhantomData<O>);

impl<O: Opened> Kind for File<O> {
    fn contract() -> Contract {
        Contract { status: StatusCode::OK, opened_by: O::BY, ..Contract::NOTHING }
    }
}

/// Nothing, once a file of payments was taken. Source: FILE-009.
#[derive(Debug)]
pub(crate) struct FileAccepted;

impl Kind for FileAccepted {
    fn contract() -> Contract {
        Contract { status: StatusCode::OK, takes: Upload::READ, ..Contract::NOTHING }
    }
}

/// A file in the form of one that was sent.
#[derive(Debug)]
pub(crate) struct FileDownload;

impl Kind for FileDownload {
    fn contract() -> Contract {
        Contract { status: StatusCode::OK, ..Contract::NOTHING }
    }
}
