//! Step 11: bodies that are read completely, up to a limit, and then parsed.

use super::checked_request::{CheckedHttpRequest, VerifiedBody, require_key};
use bytes::Bytes;
use lombard_domain::refusal::{Fault, Refusal};
use lombard_edge::App;
use lombard_edge::error::ApiError;
use lombard_jose::sha256;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::IdempotentRequest;
use lombard_wire::patch::ConsentPatch;
use lombard_wire::{Parse, document};
use std::marker::PhantomData;

/// The media type of every body that is not a file. Source: RW-067.
const JSON: &[&str] = &["application/json"];

/// The most bytes of a JSON submission, independent of the configured limit. An order with every member at its longest is far smaller, and
/// submissions are stored for years. Polls for events have their own limit. Source: RW-279.
pub const SUBMITTED_BYTES_MAX: usize = 64 * 1024;

/// The body that a handler expects.
pub trait RequestBody: Sized + Send + 'static {
    /// The accepted media types; empty if there is no body.
    const READ: &'static [&'static str];

    /// Whether the request carries an idempotency key.
    const IS_IDEMPOTENT: bool = false;

    /// Receives the body as its type requires: ignores it, reads it completely, or returns a stream.
    ///
    /// # Errors
    /// Every fault of the body.
    fn receive(arrived: CheckedHttpRequest<'_>) -> impl Future<Output = Result<Self, ApiError>> + Send;
}

/// A request without a body; a body that is sent nevertheless is ignored.
#[derive(Debug)]
pub struct NoBody;

impl RequestBody for NoBody {
    const READ: &'static [&'static str] = &[];

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        arrived.verify_empty_body().await.map(|()| Self)
    }
}

/// The limits of a JSON body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyBounds {
    pub(crate) bytes_max: usize,
    pub(crate) depth_max: usize,
}

/// The source of the limits of some bodies.
pub(crate) trait BoundsSource: Send + 'static {
    /// The limits of these bodies.
    fn of(app: &App) -> BodyBounds;
}

/// The default limits of submissions.
#[derive(Debug)]
pub(crate) struct DefaultBounds;

impl BoundsSource for DefaultBounds {
    fn of(app: &App) -> BodyBounds {
        BodyBounds {
            bytes_max: app.settings.body_bytes_max.min(SUBMITTED_BYTES_MAX),
            depth_max: app.settings.json_depth_max,
        }
    }
}

/// A JSON body within limits, parsed as version `W` parses a `T`.
#[derive(Debug)]
pub(crate) struct Json<W, T, B = DefaultBounds> {
    pub(crate) value: T,
    release: PhantomData<(W, B)>,
}

impl<W: Parse<T>, T: Send + 'static, B: BoundsSource> RequestBody for Json<W, T, B> {
    const READ: &'static [&'static str] = JSON;

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        let BodyBounds { bytes_max, depth_max } = B::of(arrived.app);
        let VerifiedBody { bytes, .. } = arrived.read_verified_body(bytes_max).await?;
        let value = W::parse(&bytes, depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        Ok(Self { value, release: PhantomData })
    }
}

/// The media type of an idempotent request in JSON.
pub(crate) trait JsonMedia: Send + 'static {
    /// The accepted media types.
    const READ: &'static [&'static str];
}

/// The media type `application/json`.
#[derive(Debug)]
pub(crate) struct PlainJson;

impl JsonMedia for PlainJson {
    const READ: &'static [&'static str] = JSON;
}

/// The media type of a JSON patch of a resource. Source: V4-020, RFC 6902.
#[derive(Debug)]
pub(crate) struct PatchJson;

impl JsonMedia for PatchJson {
    const READ: &'static [&'static str] = &[ConsentPatch::MEDIA_TYPE];
}

/// The JSON body of an idempotent request, whose signature is verified and which is not parsed yet.
#[derive(Debug)]
pub(crate) struct IdempotentJson<M = PlainJson> {
    bytes: Bytes,
    depth_max: usize,
    key: IdempotencyKey,
    media: PhantomData<fn() -> M>,
}

impl<M> IdempotentJson<M> {
    /// The deepest permitted nesting.
    pub(crate) const fn depth_max(&self) -> usize {
        self.depth_max
    }

    /// Parses the body with this reader and returns it with its idempotency key and digest.
    ///
    /// # Errors
    /// Every fault of the body.
    pub(crate) fn parse<T>(
        self,
        read: fn(&[u8], usize) -> Result<T, Vec<Fault>>,
    ) -> Result<(T, IdempotentRequest), ApiError> {
        let Self { bytes, depth_max, key, .. } = self;
        let value = read(&bytes, depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        // The body has been parsed, so it has a canonical form.
        let canonical = document::canonical_bytes(&bytes)?;
        Ok((value, IdempotentRequest { key, body_digest: sha256(&canonical) }))
    }
}

impl<M: JsonMedia> RequestBody for IdempotentJson<M> {
    const READ: &'static [&'static str] = M::READ;
    const IS_IDEMPOTENT: bool = true;

    async fn receive(arrived: CheckedHttpRequest<'_>) -> Result<Self, ApiError> {
        let BodyBounds { bytes_max, depth_max } = DefaultBounds::of(arrived.app);
        let VerifiedBody { bytes, key } = arrived.read_verified_body(bytes_max).await?;
        Ok(Self { bytes, depth_max, key: require_key(key)?, media: PhantomData })
    }
}
