//! Bodies: read up to a limit, then understood. Step 11.

use crate::App;
use crate::error::ApiError;
use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_LENGTH, EXPECT};
use http::request::Parts;
use http_body_util::BodyExt;
use lombard_domain::refusal::{Fault, FaultCode, Refusal};
use lombard_wire::Parse;
use std::marker::PhantomData;

/// Most bytes that are read only to be thrown away. A caller who sends more may lose the answer.
const DRAIN_BYTES_MAX: usize = 8 * 1024 * 1024;

/// What a handler expects as a body.
pub(crate) trait Payload: Sized + Send + 'static {
    /// Whether there is one.
    const EXPECTED: bool;

    /// Reads it.
    fn read(app: &App, parts: &mut Parts, body: Body) -> impl Future<Output = Result<Self, ApiError>> + Send;
}

/// No body. One that comes all the same is ignored.
#[derive(Debug)]
pub(crate) struct NoBody;

impl Payload for NoBody {
    const EXPECTED: bool = false;

    async fn read(_: &App, _: &mut Parts, _: Body) -> Result<Self, ApiError> {
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

    async fn read(app: &App, parts: &mut Parts, body: Body) -> Result<Self, ApiError> {
        let Bounds { bytes_max, depth_max } = B::of(app);
        let bytes = whole(parts, body, bytes_max).await?;
        let value = W::parse(&bytes, depth_max).map_err(|faults| ApiError::Refused(Refusal::invalid(faults)))?;
        Ok(Self { value, release: PhantomData })
    }
}

/// Reads a body of at most `max` bytes.
async fn whole(parts: &Parts, mut body: Body, max: usize) -> Result<Bytes, ApiError> {
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
