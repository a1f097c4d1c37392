//! Request bodies: they must arrive at a minimum rate and within a total time, and the part that a handler leaves unread is read and
//! discarded.
//!
//! If a server responds and closes while the caller is still sending, the caller's system discards the response. The rest of a refused body
//! is therefore read and discarded, within bounds, so that the 413 arrives.

use bytes::{Buf, Bytes};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// The most bytes that are read after a handler stopped reading: the default size limit of a payment file. A longer body ends in a closed
/// connection.
pub(super) const LEFTOVER_BYTES_MAX: usize = 64 * 1024 * 1024;

/// The size below which a piece of a body is copied out of the read buffer.
const SMALL_PIECE_BYTES: usize = 8 * 1024;

/// The body arrived too slowly, or took too long altogether.
#[derive(Debug, thiserror::Error)]
#[error("the request body arrived too slowly")]
pub struct BodyTooSlow;

/// The minimum rate of a request body. Only time spent waiting for the caller counts. Source: TLS-016.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyPace {
    /// The waiting time over which the minimum rate is measured.
    pub(super) idle: Duration,
    /// The least bytes in each such time; at least one.
    pub(super) bytes_min: u64,
    /// The longest total waiting time.
    pub(super) total: Duration,
}

/// A request body under the limits of its listener.
#[derive(Debug)]
pub(super) struct LimitedBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    /// The body; `None` after it failed or was given up.
    inner: Option<B>,
    pace: BodyPace,
    /// The total waiting time, without the present wait.
    waited: Duration,
    window: ReadRateWindow,
    waiting: Option<BodyWait>,
    /// Whether the caller waits for `100 Continue` (`Expect: 100-continue`).
    awaits_continue: bool,
}

/// The waiting time over which the rate is measured next.
#[derive(Debug, Default)]
struct ReadRateWindow {
    waited: Duration,
    bytes: u64,
}

/// A present wait for the caller.
#[derive(Debug)]
struct BodyWait {
    since: Instant,
    /// The end of the window or of the total time.
    end: Pin<Box<Sleep>>,
}

impl<B> LimitedBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    pub(super) fn new(inner: B, pace: BodyPace, awaits_continue: bool) -> Self {
        let waited = Duration::ZERO;
        let window = ReadRateWindow::default();
        let waiting = None;
        Self { inner: Some(inner), pace, waited, window, waiting, awaits_continue }
    }

    /// Registers a wait for the caller; returns whether the caller has become too slow.
    fn is_late(&mut self, cx: &mut Context<'_>) -> bool {
        loop {
            let left =
                self.pace.idle.saturating_sub(self.window.waited).min(self.pace.total.saturating_sub(self.waited));
            let waiting = self
                .waiting
                .get_or_insert_with(|| BodyWait { since: Instant::now(), end: Box::pin(tokio::time::sleep(left)) });
            if waiting.end.as_mut().poll(cx).is_pending() {
                return false;
            }
            self.end_wait();
            let window = std::mem::take(&mut self.window);
            if self.waited >= self.pace.total || window.bytes < self.pace.bytes_min {
                return true;
            }
        }
    }

    fn end_wait(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            let waited = waiting.since.elapsed();
            self.waited = self.waited.saturating_add(waited);
            self.window.waited = self.window.waited.saturating_add(waited);
        }
    }
}

impl<B> Body for LimitedBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.awaits_continue = false;
        loop {
            let Some(inner) = &mut self.inner else { return Poll::Ready(None) };
            match Pin::new(inner).poll_frame(cx) {
                Poll::Ready(Some(Err(error))) => {
                    self.inner = None;
                    return Poll::Ready(Some(Err(error.into())));
                }
                // Trailer fields have no meaning in any request of the API. Source: RFC 9110 section 6.5.1.
                Poll::Ready(Some(Ok(frame))) if frame.is_trailers() => {}
                Poll::Ready(frame) => {
                    self.end_wait();
                    if let Some(Ok(frame)) = &frame {
                        let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
                        self.window.bytes = self.window.bytes.saturating_add(bytes);
                    }
                    return Poll::Ready(frame.map(|frame| frame.map(compact).map_err(Into::into)));
                }
                Poll::Pending => {
                    if !self.is_late(cx) {
                        return Poll::Pending;
                    }
                    self.inner = None;
                    return Poll::Ready(Some(Err(BodyTooSlow.into())));
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl<B> Drop for LimitedBody<B>
where
    B: Body<Data = Bytes> + Send + Unpin + 'static,
{
    fn drop(&mut self) {
        let Some(rest) = self.inner.take() else { return };
        let declared_too_long = rest.size_hint().lower() > LEFTOVER_BYTES_MAX as u64;
        if rest.is_end_stream() || self.awaits_continue || declared_too_long {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(self.pace.idle, read_off(rest)));
        }
    }
}

/// Copies a small piece, so that it holds no more memory than its bytes. The HTTP library returns slices of its read buffers; a body that
/// arrives byte by byte would otherwise keep a buffer of 8 KiB or more for each byte.
fn compact(frame: Frame<Bytes>) -> Frame<Bytes> {
    frame.map_data(|piece| if piece.len() < SMALL_PIECE_BYTES { Bytes::copy_from_slice(&piece) } else { piece })
}

async fn read_off<B: Body<Data = Bytes> + Unpin>(mut body: B) {
    let mut left = LEFTOVER_BYTES_MAX;
    while let Some(Ok(frame)) = body.frame().await {
        let bytes = frame.data_ref().map_or(0, Buf::remaining);
        let Some(rest) = left.checked_sub(bytes) else { return };
        left = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{StreamExt, stream};
    use std::sync::Arc;

    const PACE: BodyPace =
        BodyPace { idle: Duration::from_secs(30), bytes_min: 30 * 1024, total: Duration::from_secs(900) };

    /// A body with this number of pieces of this size, each after this many seconds.
    fn body(pieces: usize, bytes: usize, secs: u64) -> LimitedBody<axum::body::Body> {
        let pieces = stream::iter(0..pieces).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(secs)).await;
            Ok::<_, std::io::Error>(Bytes::from(vec![0; bytes]))
        });
        LimitedBody::new(axum::body::Body::from_stream(pieces.boxed()), PACE, false)
    }

    #[tokio::test(start_paused = true)]
    async fn tls_016_a_body_comes_at_a_least_rate_and_within_a_time() {
        for (body, given_up_after) in [
            (body(60, 1, 0), None),
            (body(1, 1, 29), None),
            (body(1, 1, 31), Some(30)),
            (body(3600, 1, 1), Some(30)),
            (body(30, 2048, 29), Some(30)),
            (body(300, 2000, 2), Some(30)),
            (body(300, 4096, 2), None),
            (body(1000, 4096, 1), Some(900)),
        ] {
            let began = Instant::now();
            let read = body.collect().await;
            let after = read.is_err().then(|| began.elapsed().as_secs());
            assert_eq!(after, given_up_after);
        }
    }

    #[tokio::test]
    async fn tls_016_what_is_kept_of_a_body_is_no_larger_than_the_body() {
        let buffers = Arc::new(());
        let pieces = (0..100).map(|_| {
            let buffer = Bytes::from_owner(Buffer { bytes: vec![0; 64 * 1024], _count: Arc::clone(&buffers) });
            Ok::<_, std::io::Error>(buffer.slice(7..8))
        });
        let pieces: Vec<_> = pieces.collect();
        let mut body = LimitedBody::new(axum::body::Body::from_stream(stream::iter(pieces)), PACE, false);
        let mut gathered = Vec::new();
        while let Some(piece) = body.frame().await {
            gathered.push(piece.unwrap().into_data().unwrap());
        }
        assert_eq!((gathered.len(), Arc::strong_count(&buffers)), (100, 1), "no buffer is kept");
    }

    /// A read buffer of a connection.
    struct Buffer {
        bytes: Vec<u8>,
        _count: Arc<()>,
    }

    impl AsRef<[u8]> for Buffer {
        fn as_ref(&self) -> &[u8] {
            &self.bytes
        }
    }

    #[tokio::test]
    async fn rfc_9110_6_5_trailers_are_ignored() {
        let mut fields = http::HeaderMap::new();
        fields.insert("x-checksum", http::HeaderValue::from_static("1"));
        let frames = [Frame::data(Bytes::from_static(b"a")), Frame::trailers(fields)].map(Ok::<_, std::io::Error>);
        let sent = http_body_util::StreamBody::new(stream::iter(frames));
        let read = LimitedBody::new(axum::body::Body::new(sent), PACE, false).collect().await.unwrap();
        assert!(read.trailers().is_none());
        assert_eq!(read.to_bytes(), b"a".as_slice());
    }

    #[tokio::test(start_paused = true)]
    async fn time_that_is_not_spent_on_waiting_for_the_caller_does_not_count() {
        let mut body = body(100, 1, 0);
        while let Some(piece) = body.frame().await {
            piece.unwrap();
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
    }
}
