//! The effects of faults on response bodies: they are sent slowly, or their signatures do not verify.

use crate::header_names::SIGNATURE;
use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use http::{HeaderMap, HeaderValue};
use http_body_util::BodyExt;
use std::time::Duration;

/// The number of pieces in which a slow body is sent.
const PIECES: usize = 10;
/// The most bytes of a response that is read as a whole and sent in pieces.
const WHOLE_BYTES_MAX: u64 = 1 << 20;

/// Changes the signature of a response, if it has one, into a well-formed signature that does not verify.
pub(super) fn falsify_signature(headers: &mut HeaderMap) {
    let Some(text) = headers.get(SIGNATURE).and_then(|value| value.to_str().ok()) else { return };
    let Some((header, signature)) = text.rsplit_once('.') else { return };
    let mut letters = signature.chars();
    let other = if letters.next() == Some('A') { 'B' } else { 'A' };
    if let Ok(value) = HeaderValue::try_from(format!("{header}.{other}{}", letters.as_str())) {
        headers.insert(SIGNATURE, value);
    }
}

/// Sends the body in pieces, with equal pauses that add up to this time.
pub(super) fn slow_down(response: Response, time: Duration) -> Response {
    let (parts, body) = response.into_parts();
    let pause = time / u32::try_from(PIECES).unwrap_or(1);
    if http_body::Body::size_hint(&body).exact().is_none_or(|bytes| bytes > WHOLE_BYTES_MAX) {
        // Files are never held as a whole; their own pieces are delayed.
        let paced = body.into_data_stream().enumerate().then(move |(number, piece)| async move {
            if number < PIECES {
                tokio::time::sleep(pause).await;
            }
            piece
        });
        return Response::from_parts(parts, Body::from_stream(paced));
    }
    let pieces = stream::once(async move {
        let whole = body.collect().await.map(http_body_util::Collected::to_bytes);
        stream::iter(pieces(whole))
    });
    let paced = pieces.flatten().then(move |piece| async move {
        tokio::time::sleep(pause).await;
        piece
    });
    Response::from_parts(parts, Body::from_stream(paced))
}

fn pieces(whole: Result<Bytes, axum::Error>) -> Vec<Result<Bytes, axum::Error>> {
    let whole = match whole {
        Ok(whole) => whole,
        Err(error) => return vec![Err(error)],
    };
    let size = whole.len().div_ceil(PIECES).max(1);
    let starts = (0..whole.len()).step_by(size);
    starts.map(|start| Ok(whole.slice(start..whole.len().min(start.saturating_add(size))))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;

    #[tokio::test(start_paused = true)]
    async fn a_slow_body_arrives_whole_in_pieces() {
        let whole = "x".repeat(25);
        let response =
            slow_down(axum::response::Response::new(Body::from(whole.clone())), std::time::Duration::from_secs(10));
        let began = tokio::time::Instant::now();
        let read = to_bytes(response.into_body(), 1 << 10).await.unwrap();
        assert_eq!(read, whole);
        assert!(began.elapsed() >= std::time::Duration::from_secs(9), "{:?}", began.elapsed());
    }
}
