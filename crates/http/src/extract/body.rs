//! Bodies: read up to a limit, then understood. Step 11.

use crate::App;
use crate::error::ApiError;
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, EXPECT};
use http::request::Parts;
use http_body_util::BodyExt;
use lombard_domain::refusal::{Fault, FaultCode, Refusal};
use lombard_jose::sha256;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::Once;
use lombard_wire::{Parse, document};
use std::marker::PhantomData;

/// Most bytes that are read only to be thrown away. A caller who sends more may lose the answer.
const DRAIN_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Most bytes of a request that is kept and shown again, whatever is configured for others: an order to pay with every
/// member at its longest is far below, and what is kept is kept for years.
const SUBMITTED_BYTES_MAX: usize = 64 * 1024;

/// What a handler expects as a body.
pub(crate) trait Payload: Sized + Send + 'static {
    /// Whether there is one.
    const EXPECTED: bool;

    /// Whether it comes with the key of a request that is carried out once.
    const ONCE: bool = false;

    /// How much is read.
    fn bounds(app: &App) -> Bounds;

    /// Understands it.
    ///
    /// # Errors
    /// Every fault of it.
    fn read(body: &[u8], bounds: Bounds, key: Option<IdempotencyKey>) -> Result<Self, ApiError>;
}

/// No body. One that comes all the same is ignored.
#[derive(Debug)]
pub(crate) struct NoBody;

impl Payload for NoBody {
    const EXPECTED: bool = false;

    fn bounds(_: &App) -> Bounds {
        Bounds { bytes_max: 0, depth_max: 0 }
    }

    fn read(_: &[u8], _: Bounds, _: Option<IdempotencyKey>) -> Result<Self, ApiError> {
        Ok(Self)
    }
}

/// How much JSON is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) bytes_max: usize,
    pub(crate) depth_max: usize,
}

/// The bounds of some bodies.
pub(crate) trait BodyBounds: Send + 'static {
    /// What is configured.
    fn of(app: &App) -> Bounds;
}

/// The bounds of bodies that have none of their own.
#[derive(Debug)]
pub(crate) struct Usual;

impl BodyBounds for Usual {
    fn of(app: &App) -> Bounds {
        Bounds { bytes_max: app.settings.body_bytes_max, depth_max: app.settings.json_depth_max }
    }
}

/// A JSON body within bounds, read as release `W` reads a `T`.
#[derive(Debug)]
pub(crate) struct Json<W, T, B = Usual> {
    pub(crate) value: T,
    release: PhantomData<(W, B)>,
}

impl<W: Parse<T>, T: Send + 'static, B: BodyBounds> Payload for Json<W, T, B> {
    const EXPECTED: bool = true;

    fn bounds(app: &App) -> Bounds {
        B::of(app)
    }

    fn read(body: &[u8], bounds: Bounds, _: Option<IdempotencyKey>) -> Result<Self, ApiError> {
        let value = W::parse(body, bounds.depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        Ok(Self { value, release: PhantomData })
    }
}

/// How a body is understood.
pub(crate) trait Reading: Send + 'static {
    /// What it says.
    type Read: Send + 'static;

    /// Reads it.
    ///
    /// # Errors
    /// Every fault found, at least one.
    fn read(body: &[u8], depth_max: usize) -> Result<Self::Read, Vec<Fault>>;
}

/// A JSON body that is carried out once, however often it comes.
#[derive(Debug)]
pub(crate) struct Submitted<R: Reading> {
    /// What it says.
    pub(crate) value: R::Read,
    /// By what it is known when it comes again.
    pub(crate) once: Once,
}

impl<R: Reading> Payload for Submitted<R> {
    const EXPECTED: bool = true;
    const ONCE: bool = true;

    fn bounds(app: &App) -> Bounds {
        let usual = Usual::of(app);
        Bounds { bytes_max: usual.bytes_max.min(SUBMITTED_BYTES_MAX), ..usual }
    }

    fn read(body: &[u8], bounds: Bounds, key: Option<IdempotencyKey>) -> Result<Self, ApiError> {
        let broken = |cause: &'static str| ApiError::Broken(cause.into());
        let key = key.ok_or_else(|| broken("the row of a request that is carried out once asks for no key"))?;
        let value = R::read(body, bounds.depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        // It has been read, so it has a canonical form.
        let canonical = document::canonical(body).map_err(|error| ApiError::Broken(error.into()))?;
        Ok(Self { value, once: Once { key, body: sha256(&canonical) } })
    }
}

/// Reads a body of at most `max` bytes.
pub(super) async fn whole(parts: &Parts, mut body: Body, max: usize) -> Result<Bytes, ApiError> {
    if announced(parts).is_some_and(|length| length > max) {
        drain(parts, body).await;
        return Err(ApiError::BodyTooLarge);
    }
    let mut gathered = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame.map_err(|_| ()).and_then(|frame| frame.into_data().map_err(|_| ())) else {
            let fault = Fault::new(FaultCode::InvalidFormat, "The body ended before its end.");
            return Err(ApiError::Refused(Refusal::invalid(vec![fault])));
        };
        if gathered.len().saturating_add(frame.len()) > max {
            drain(parts, body).await;
            return Err(ApiError::BodyTooLarge);
        }
        gathered.extend_from_slice(&frame);
    }
    Ok(gathered.freeze())
}

/// Reads what is left of a body and throws it away: a connection that is closed while the caller still sends loses the
/// answer with it. A caller who waits for leave to send gets the answer at once.
pub(super) async fn drain(parts: &Parts, mut body: Body) {
    if parts.headers.contains_key(EXPECT) {
        return;
    }
    let mut left = DRAIN_BYTES_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { return };
        left = rest;
    }
}

fn announced(parts: &Parts) -> Option<usize> {
    parts.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;

    async fn read(length: Option<usize>, chunks: &[&'static str], max: usize) -> Result<Bytes, ApiError> {
        let mut request = Request::builder();
        if let Some(length) = length {
            request = request.header(CONTENT_LENGTH, length);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let chunks: Vec<Result<&'static str, std::io::Error>> = chunks.iter().copied().map(Ok).collect();
        whole(&parts, Body::from_stream(futures_util::stream::iter(chunks)), max).await
    }

    #[tokio::test]
    async fn a_body_may_be_as_large_as_the_limit_and_no_larger() {
        assert_eq!(read(None, &["ab", "cd"], 4).await.unwrap(), "abcd");
        assert_eq!(read(Some(4), &["abcd"], 4).await.unwrap(), "abcd");
        assert!(matches!(read(None, &["ab", "cde"], 4).await, Err(ApiError::BodyTooLarge)));
        assert!(matches!(read(Some(5), &["abcde"], 4).await, Err(ApiError::BodyTooLarge)));
    }
}
