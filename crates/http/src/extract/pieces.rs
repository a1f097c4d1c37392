//! The bytes of a body, as they come, up to a limit. Step 11.

use crate::error::ApiError;
use axum::body::Body;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, EXPECT};
use http::request::Parts;
use http_body_util::BodyExt;
use lombard_domain::refusal::{Fault, FaultCode, Refusal};

/// Most bytes that are read only to be thrown away. A caller who sends more may lose the answer.
const DRAIN_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A body of at most so many bytes, piece by piece. How long it may stand still is the listener's question.
#[derive(Debug)]
pub(super) struct Pieces {
    rest: Rest,
    taken: u64,
    bytes_max: u64,
    /// The caller sends only after it is told to.
    awaits_continue: bool,
}

/// What is known of the bytes that have not been taken.
#[derive(Debug)]
enum Rest {
    Coming(Body),
    Ended,
    /// They were refused, or will never come.
    Lost,
}

impl Pieces {
    /// The body of this request, of which nothing is read yet.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`] if it is announced to be larger.
    pub(super) async fn of(parts: &Parts, body: Body, bytes_max: u64) -> Result<Self, ApiError> {
        let announced = announced(parts);
        if announced.is_some_and(|length| length > bytes_max) {
            drain(parts, body).await;
            return Err(ApiError::BodyTooLarge);
        }
        let awaits_continue = parts.headers.contains_key(EXPECT);
        let bytes_max = announced.unwrap_or(bytes_max);
        Ok(Self { rest: Rest::Coming(body), taken: 0, bytes_max, awaits_continue })
    }

    /// The next piece; none after the last.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`]; 400 for a body that ended before its end. Neither is followed by more pieces.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let frame = match &mut self.rest {
            Rest::Coming(body) => body.frame().await,
            Rest::Ended => None,
            Rest::Lost => return Err(broken_off()),
        };
        let Some(frame) = frame else {
            self.rest = Rest::Ended;
            return Ok(None);
        };
        let Some(piece) = frame.ok().and_then(|frame| frame.into_data().ok()) else {
            self.rest = Rest::Lost;
            return Err(broken_off());
        };
        self.taken = self.taken.saturating_add(piece.len() as u64);
        if self.taken > self.bytes_max {
            if let Rest::Coming(body) = std::mem::replace(&mut self.rest, Rest::Lost) {
                throw_away(body, self.awaits_continue).await;
            }
            return Err(ApiError::BodyTooLarge);
        }
        Ok(Some(piece))
    }

    /// How many bytes come at most: as many as were announced.
    pub(super) fn bytes_max(&self) -> u64 {
        self.bytes_max
    }

    /// How many bytes have been taken.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }
}

fn broken_off() -> ApiError {
    let fault = Fault::new(FaultCode::InvalidFormat, "The body ended before its end.");
    ApiError::Refused(Refusal::invalid(vec![fault]))
}

/// Reads what is left of a body and throws it away: a connection that is closed while the caller still sends loses the
/// answer with it. A caller who waits for leave to send gets the answer at once.
pub(super) async fn drain(parts: &Parts, body: Body) {
    throw_away(body, parts.headers.contains_key(EXPECT)).await;
}

async fn throw_away(mut body: Body, awaits_continue: bool) {
    let mut left = if awaits_continue { return } else { DRAIN_BYTES_MAX };
    while let Some(Ok(frame)) = body.frame().await {
        let Some(rest) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { return };
        left = rest;
    }
}

fn announced(parts: &Parts) -> Option<u64> {
    parts.headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use http::Request;
    use std::io;

    async fn pieces(
        length: Option<usize>,
        chunks: Vec<io::Result<&'static str>>,
        max: u64,
    ) -> Result<Pieces, ApiError> {
        let mut request = Request::builder();
        if let Some(length) = length {
            request = request.header(CONTENT_LENGTH, length);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        Pieces::of(&parts, Body::from_stream(stream::iter(chunks)), max).await
    }

    async fn read(length: Option<usize>, chunks: &[&'static str], max: u64) -> Result<String, ApiError> {
        let mut pieces = pieces(length, chunks.iter().copied().map(Ok).collect(), max).await?;
        let mut gathered = Vec::new();
        while let Some(piece) = pieces.next().await? {
            gathered.extend_from_slice(&piece);
        }
        assert_eq!(pieces.taken(), gathered.len() as u64);
        assert!(pieces.next().await.unwrap().is_none(), "what has ended stays so");
        Ok(String::from_utf8(gathered).unwrap())
    }

    #[tokio::test]
    async fn a_body_may_be_as_large_as_the_limit_and_no_larger() {
        assert_eq!(read(None, &["ab", "cd"], 4).await.unwrap(), "abcd");
        assert_eq!(read(Some(4), &["abcd"], 4).await.unwrap(), "abcd");
        assert_eq!(read(None, &[], 4).await.unwrap(), "");
        assert!(matches!(read(None, &["ab", "cde"], 4).await, Err(ApiError::BodyTooLarge)));
        assert!(matches!(read(Some(5), &["abcde"], 4).await, Err(ApiError::BodyTooLarge)));
    }

    #[tokio::test]
    async fn nothing_follows_what_was_refused() {
        let mut large = pieces(None, vec![Ok("ab"), Ok("cd"), Ok("e")], 3).await.unwrap();
        assert_eq!(large.next().await.unwrap().unwrap(), "ab");
        assert!(matches!(large.next().await, Err(ApiError::BodyTooLarge)));
        assert!(matches!(large.next().await, Err(ApiError::Refused(_))));
        let mut broken = pieces(None, vec![Ok("ab"), Err(io::ErrorKind::ConnectionReset.into())], 3).await.unwrap();
        assert!(broken.next().await.is_ok());
        for _ in 0..2 {
            let Err(ApiError::Refused(refusal)) = broken.next().await else { panic!("must be refused") };
            assert_eq!(refusal.faults[0].code, FaultCode::InvalidFormat);
        }
    }
}
