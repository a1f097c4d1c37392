//! Step 11: reads the bytes of a body as they arrive, up to a limit.

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http::request::Parts;
use http_body_util::BodyExt;
use lombard_domain::refusal::{Fault, FaultCode, Refusal};
use lombard_edge::error::ApiError;
use lombard_edge::listener::BodyTooSlow;
use std::error::Error;
use std::iter::successors;

/// A body with a size limit, read piece by piece. The listener limits its pace and discards the rest of a refused body, so that a refusal
/// never waits for the body.
#[derive(Debug)]
pub(super) struct BodyStream {
    rest: BodyRemainder,
    bytes_read: u64,
    bytes_max: u64,
}

/// The state of the bytes that have not been read.
#[derive(Debug)]
enum BodyRemainder {
    Coming(Body),
    Ended,
    /// The bytes were refused, or will never arrive.
    Lost(BodyFailure),
}

/// Why no more bytes of a body are read.
#[derive(Debug, Clone, Copy)]
enum BodyFailure {
    /// The body arrived more slowly than the listener allows.
    TooSlow,
    /// The body is too large, or it is incomplete.
    Broken,
}

impl BodyStream {
    /// Makes the stream of this request's body, of which nothing has been read.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`] if its announced length exceeds the limit.
    pub(super) fn of(parts: &Parts, body: Body, bytes_max: u64) -> Result<Self, ApiError> {
        let announced = announced_bytes(&parts.headers);
        if announced.is_some_and(|length| length > bytes_max) {
            return Err(ApiError::BodyTooLarge);
        }
        let bytes_max = announced.unwrap_or(bytes_max);
        Ok(Self { rest: BodyRemainder::Coming(body), bytes_read: 0, bytes_max })
    }

    /// The next piece; `None` after the last.
    ///
    /// # Errors
    /// [`ApiError::BodyTooLarge`]; 400 for a body that is incomplete or arrived too slowly. No more pieces follow an error.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let frame = match &mut self.rest {
            BodyRemainder::Coming(body) => body.frame().await,
            BodyRemainder::Ended => None,
            BodyRemainder::Lost(loss) => return Err(loss.refusal()),
        };
        let Some(frame) = frame else {
            self.rest = BodyRemainder::Ended;
            return Ok(None);
        };
        let piece = frame
            .map_err(|error| BodyFailure::because_of(&error))
            .and_then(|frame| frame.into_data().map_err(|_| BodyFailure::Broken));
        let piece = match piece {
            Ok(piece) => piece,
            Err(loss) => {
                self.rest = BodyRemainder::Lost(loss);
                return Err(loss.refusal());
            }
        };
        self.bytes_read = self.bytes_read.saturating_add(piece.len() as u64);
        if self.bytes_read > self.bytes_max {
            self.rest = BodyRemainder::Lost(BodyFailure::Broken);
            return Err(ApiError::BodyTooLarge);
        }
        Ok(Some(piece))
    }

    /// The most bytes of the body: the announced length or the limit.
    pub(super) fn bytes_max(&self) -> u64 {
        self.bytes_max
    }

    /// The number of bytes that have been read.
    pub(super) fn taken(&self) -> u64 {
        self.bytes_read
    }
}

impl BodyFailure {
    /// Converts an error of the body. A body that arrived too slowly is logged, as are all refusals by the listener's limits. Source:
    /// TLS-016.
    fn because_of(error: &axum::Error) -> Self {
        let mut causes = successors(error.source(), |cause| (*cause).source());
        if !causes.any(|cause| cause.is::<BodyTooSlow>()) {
            return Self::Broken;
        }
        tracing::info!(limit.refusal = "TLS-016", "a request is refused: its body comes too slowly");
        Self::TooSlow
    }

    fn refusal(self) -> ApiError {
        let message = match self {
            Self::TooSlow => "The body came too slowly.",
            Self::Broken => "The body ended before its end.",
        };
        ApiError::Refused(Refusal::invalid(vec![Fault::new(FaultCode::InvalidFormat, message)]))
    }
}

/// The length of the body that the headers announce, if they do.
pub fn announced_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use http::Request;
    use std::io;

    fn pieces<E: Into<axum::BoxError> + Send + 'static>(
        length: Option<usize>,
        chunks: Vec<Result<&'static str, E>>,
        max: u64,
    ) -> Result<BodyStream, ApiError> {
        let mut request = Request::builder();
        if let Some(length) = length {
            request = request.header(CONTENT_LENGTH, length);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        BodyStream::of(&parts, Body::from_stream(stream::iter(chunks)), max)
    }

    async fn read(length: Option<usize>, chunks: &[&'static str], max: u64) -> Result<String, ApiError> {
        let mut pieces = pieces(length, chunks.iter().copied().map(Ok::<_, io::Error>).collect(), max)?;
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
        let mut large = pieces(None, vec![Ok::<_, io::Error>("ab"), Ok("cd"), Ok("e")], 3).unwrap();
        assert_eq!(large.next().await.unwrap().unwrap(), "ab");
        assert!(matches!(large.next().await, Err(ApiError::BodyTooLarge)));
        assert!(matches!(large.next().await, Err(ApiError::Refused(_))));
        let mut broken = pieces(None, vec![Ok("ab"), Err(io::Error::from(io::ErrorKind::ConnectionReset))], 3).unwrap();
        assert!(broken.next().await.is_ok());
        for _ in 0..2 {
            let Err(ApiError::Refused(refusal)) = broken.next().await else { panic!("must be refused") };
            assert_eq!(refusal.faults[0].code, FaultCode::InvalidFormat);
            assert_eq!(refusal.faults[0].message, "The body ended before its end.");
        }
    }

    #[tokio::test]
    async fn tls_016_a_body_that_came_too_slowly_is_refused_as_such() {
        let direct = vec![Ok("ab"), Err(axum::BoxError::from(BodyTooSlow))];
        let wrapped = vec![Ok("ab"), Err(axum::BoxError::from(axum::Error::new(BodyTooSlow)))];
        for chunks in [direct, wrapped] {
            let mut slow = pieces(None, chunks, 3).unwrap();
            assert!(slow.next().await.is_ok());
            for _ in 0..2 {
                let Err(ApiError::Refused(refusal)) = slow.next().await else { panic!("must be refused") };
                assert_eq!(refusal.faults[0].message, "The body came too slowly.");
            }
        }
    }
}
