//! Responses that are signed without being held in memory: they are read once for the digest and once to be sent.
//! Source: PIS-073, PIS-074, FILE-020, FILE-022.

use super::signer::{BodyDigest, signer};
use crate::App;
use crate::error::ApiError;
use crate::layers::with_current_interaction;
use crate::listener::StreamedFromStorage;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use http_body::{Frame, SizeHint};
use lombard_domain::ids::FapiInteractionId;
use lombard_jose::{DetachedDigest, DetachedSigner};
use lombard_service::Failure;
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// Makes a response (200, with its length) that sends these pieces as this media type and holds only one of them at a time.
///
/// `pieces` is called twice: the first result is digested for the signature, which precedes the body, and the second is sent. Both must be
/// the same bytes. The response is signed if responses of its path are; `media_type` is its `Content-Type`, and the signature names it
/// without parameters (PIS-074).
///
/// If the second reading fails or differs from the first, the connection is cut before the last byte, so that no caller mistakes a part for
/// the whole and unsigned bytes are never sent completely.
///
/// # Errors
/// The error of the first reading; [`ApiError::Internal`] if no key can sign, or `media_type` is not a media type.
pub async fn signed_stream_response<S>(
    app: &App,
    media_type: &str,
    pieces: impl Fn() -> S + Send,
) -> Result<Response, ApiError>
where
    S: Stream<Item = Result<Bytes, Failure>> + Send + 'static,
{
    let media = HeaderValue::try_from(media_type).map_err(broken)?;
    let (key, header) = signer(app, Some(&media)).map_err(broken)?;
    let nothing = DetachedSigner::new(&header).map_err(broken)?;
    let (digest, bytes) = digested(nothing.clone(), pieces()).await?;
    let mut interaction = None;
    with_current_interaction(|id| interaction = Some(id.clone()));
    let pieces = Box::pin(pieces());
    let came = Some(nothing);
    let signed = digest.clone();
    let again = SecondReading { pieces, came, signed, left: bytes, interaction };
    let mut response = ([(CONTENT_TYPE, media)], Body::new(again)).into_response();
    response.extensions_mut().insert(StreamedFromStorage);
    // A response without a body is not signed (RW-135).
    if bytes > 0 {
        response.extensions_mut().insert(BodyDigest { key, digest });
    }
    Ok(response)
}

fn broken(error: impl Error + Send + Sync + 'static) -> ApiError {
    ApiError::Internal(error.into())
}

/// The digest and the number of bytes of all pieces.
async fn digested<S>(mut input: DetachedSigner, pieces: S) -> Result<(DetachedDigest, u64), Failure>
where
    S: Stream<Item = Result<Bytes, Failure>> + Send,
{
    let mut bytes = 0_u64;
    let mut pieces = Box::pin(pieces);
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        bytes = bytes.saturating_add(piece.len() as u64);
        input.update(&piece);
        // Pieces may be ready without a wait, so the task yields to others between them.
        tokio::task::yield_now().await;
    }
    Ok((input.finish(), bytes))
}

/// Why a response was cut.
#[derive(Debug, thiserror::Error)]
enum StreamError {
    #[error("the rest of the answer could not be read")]
    Failed(#[source] Failure),
    #[error("the answer is not what was signed")]
    Changed,
}

/// The body of a response that is read for the second time and sent.
struct SecondReading<S> {
    pieces: Pin<Box<S>>,
    /// The digest of the bytes sent; `None` after the end or a failure.
    came: Option<DetachedSigner>,
    signed: DetachedDigest,
    /// The number of bytes still to send.
    left: u64,
    /// The interaction id of the request, because the pieces are read after its handler has returned.
    interaction: Option<FapiInteractionId>,
}

impl<S> SecondReading<S> {
    /// Checks the next piece; the last piece may be sent only if all bytes equal those of the first reading.
    fn take(&mut self, piece: Option<Result<Bytes, Failure>>) -> Result<Bytes, StreamError> {
        let mut came = self.came.take().ok_or(StreamError::Changed)?;
        let piece = piece.ok_or(StreamError::Changed)?.map_err(StreamError::Failed)?;
        self.left = self.left.checked_sub(piece.len() as u64).ok_or(StreamError::Changed)?;
        came.update(&piece);
        if self.left > 0 {
            self.came = Some(came);
        } else if came.finish() != self.signed {
            return Err(StreamError::Changed);
        }
        Ok(piece)
    }
}

impl<S: Stream<Item = Result<Bytes, Failure>>> http_body::Body for SecondReading<S> {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.is_end_stream() {
            return Poll::Ready(None);
        }
        let piece = ready!(self.pieces.as_mut().poll_next(cx));
        let taken = self.take(piece).inspect_err(|cut| {
            let id = self.interaction.as_ref().map(FapiInteractionId::as_str);
            tracing::error!(interaction.id = id, error = cut as &dyn Error, "an answer was cut");
        });
        Poll::Ready(Some(taken.map(Frame::data).map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0 || self.came.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
