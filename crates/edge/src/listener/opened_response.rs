//! Polls the body of a response once, so that a complete body can be recorded and sent without a wrapper.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use http_body::{Body as _, Frame};
use http_body_util::BodyExt;

/// Marks a response that is read from storage while it is sent, so that its length is not the number of bytes in memory. A response
/// extension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StreamedFromStorage;

/// Marks a response whose body records when it is sent and must not be polled before that. Holds its bytes, for the request log. A response
/// extension.
#[derive(Debug, Clone)]
pub struct TrackedBody(pub Bytes);

/// A response, and the first piece of its body if that was available at once.
#[derive(Debug)]
pub(crate) struct OpenedResponse {
    /// The response with the rest of the body after the first piece.
    response: Response,
    first: Option<Bytes>,
    /// Whether the first piece is all of the body.
    is_whole: bool,
    /// The body, if it must not be polled.
    tracked: Option<Bytes>,
    /// The least number of bytes of the body.
    bytes: u64,
}

impl OpenedResponse {
    /// Takes out the first piece of the body, if the body's length is known, without copying or waiting. The body of a response that is
    /// read from storage while it is sent, and a [`TrackedBody`], are not polled.
    pub(crate) fn open(mut response: Response) -> Self {
        let size = response.body().size_hint();
        let tracked = response.extensions().get::<TrackedBody>().map(|body| body.0.clone());
        let is_streamed = response.extensions().get::<StreamedFromStorage>().is_some();
        let known = size.exact().filter(|bytes| *bytes > 0 && !is_streamed && tracked.is_none());
        let first = known.and_then(|_| response.body_mut().frame().now_or_never().flatten());
        let first = match first.map(|first| first.map(Frame::into_data)) {
            None | Some(Ok(Err(_))) => None,
            Some(Ok(Ok(data))) => Some(data),
            Some(Err(error)) => {
                *response.body_mut() = Body::from_stream(stream::once(async { Err::<Bytes, _>(error) }));
                None
            }
        };
        let is_whole = first.as_ref().is_some_and(|first| known == Some(first.len() as u64));
        Self { response, first, is_whole, tracked, bytes: size.lower() }
    }

    /// The response without its body.
    pub(crate) const fn head(&self) -> &Response {
        &self.response
    }

    /// The body, if it is completely in memory.
    pub(crate) fn whole_body(&self) -> Option<&Bytes> {
        self.tracked.as_ref().or(self.first.as_ref().filter(|_| self.is_whole))
    }

    /// The least number of bytes of the body; 0 for a body that is read from storage while it is sent.
    pub(super) fn bytes(&self) -> usize {
        let is_streamed = self.response.extensions().get::<StreamedFromStorage>().is_some();
        if is_streamed { 0 } else { usize::try_from(self.bytes).unwrap_or(usize::MAX) }
    }

    /// The response without its body, the first piece of the body, and the rest of it.
    pub(super) fn into_parts(mut self) -> (Response, Option<Bytes>, Body) {
        let rest = std::mem::replace(self.response.body_mut(), Body::empty());
        (self.response, self.first, rest)
    }

    /// The response with all of its body.
    pub(crate) fn into_response(self) -> Response {
        let (mut response, first, rest) = self.into_parts();
        *response.body_mut() = match first {
            None => rest,
            Some(first) if rest.is_end_stream() => Body::from(first),
            Some(first) => Body::from_stream(stream::once(async { Ok(first) }).chain(rest.into_data_stream())),
        };
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn pieces(pieces: &'static [&str]) -> impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send {
        stream::iter(pieces.iter().map(|piece| Ok(Bytes::from_static(piece.as_bytes()))))
    }

    /// A body of a known length that comes in pieces.
    struct PiecesOfKnownLength(Body, u64);

    impl http_body::Body for PiecesOfKnownLength {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(
            mut self: std::pin::Pin<&mut Self>,
            cx: &mut std::task::Context<'_>,
        ) -> std::task::Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
            std::pin::Pin::new(&mut self.0).poll_frame(cx)
        }

        fn size_hint(&self) -> http_body::SizeHint {
            http_body::SizeHint::with_exact(self.1)
        }
    }

    async fn read(response: OpenedResponse) -> Result<Bytes, axum::Error> {
        Ok(response.into_response().into_body().collect().await?.to_bytes())
    }

    #[tokio::test]
    async fn whole_body_is_offered_only_if_the_first_piece_is_all_and_no_byte_lost() {
        let known = |list| Body::new(PiecesOfKnownLength(Body::from_stream(pieces(list)), 6));
        let bodies = [
            ("whole", Body::from("abcdef"), true),
            ("of one piece", known(&["abcdef"]), true),
            ("of two pieces", known(&["abc", "def"]), false),
            ("of an unknown length", Body::from_stream(pieces(&["abcdef"])), false),
        ];
        for (name, body, is_whole) in bodies {
            let opened = OpenedResponse::open(Response::new(body));
            assert_eq!(opened.whole_body().is_some(), is_whole, "{name}");
            assert_eq!(read(opened).await.unwrap(), "abcdef", "{name}");
        }
        let empty = OpenedResponse::open(Response::new(Body::empty()));
        assert!(empty.whole_body().is_none() && read(empty).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_streamed_body_is_not_polled_early_and_its_failure_is_passed_on() {
        let mut streamed = Response::new(Body::from("abc"));
        streamed.extensions_mut().insert(StreamedFromStorage);
        let streamed = OpenedResponse::open(streamed);
        assert!(streamed.whole_body().is_none());
        assert_eq!(read(streamed).await.unwrap(), "abc");
        // EVT-057: polling such a body records that it is sent.
        let polled = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&polled);
        let mark = stream::once(async move {
            seen.store(true, Ordering::SeqCst);
            Ok::<_, std::io::Error>(Bytes::from_static(b"abc"))
        });
        let mut tracked = Response::new(Body::new(PiecesOfKnownLength(Body::from_stream(mark), 3)));
        tracked.extensions_mut().insert(TrackedBody(Bytes::from_static(b"abc")));
        let tracked = OpenedResponse::open(tracked);
        assert_eq!((tracked.whole_body().map(|it| &**it), tracked.bytes()), (Some(&b"abc"[..]), 3));
        assert!(!polled.load(Ordering::SeqCst));
        assert_eq!(read(tracked).await.unwrap(), "abc");
        assert!(polled.load(Ordering::SeqCst));
        let failing = Body::from_stream(stream::iter([Err::<Bytes, _>(std::io::Error::other("lost"))]));
        let failed = OpenedResponse::open(Response::new(Body::new(PiecesOfKnownLength(failing, 3))));
        assert!(failed.whole_body().is_none() && read(failed).await.is_err());
    }
}
