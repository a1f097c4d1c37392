//! Sends a response: passes it to the HTTP library in pieces, and counts it until the last piece was written to the socket.

use super::quotas::{ActiveRequest, CallerQuota};
use super::streams;
use super::timeouts::{ConnectionProgress, RequestInProgress};
use axum::body::Body;
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};
use tokio_util::sync::CancellationToken;

/// The size of the pieces in which a response is written, bytes, which is the smallest observable progress.
const PIECE_BYTES: usize = 16 * 1024;

/// The unfinished responses of one connection.
#[derive(Debug)]
pub(super) struct ConnectionDeliveries {
    pub(super) quota: Arc<CallerQuota>,
    /// The unread bytes of this connection, which are part of the caller's quota.
    pub(super) held: AtomicUsize,
    pace: ConnectionProgress,
    /// The unfinished responses, if the connection can have several at a time.
    under_way: Option<Mutex<HashMap<u64, Weak<ResponseDelivery>>>>,
    next: AtomicU64,
}

impl ConnectionDeliveries {
    /// Makes the state of a new connection; `several` states whether it has several responses at a time.
    pub(super) fn new(quota: Arc<CallerQuota>, pace: ConnectionProgress, several: bool) -> Self {
        let under_way = several.then(Mutex::default);
        Self { quota, held: AtomicUsize::new(0), pace, under_way, next: AtomicU64::new(0) }
    }

    /// Begins the delivery of the response to this request.
    pub(super) fn begin(self: &Arc<Self>, request: Arc<ActiveRequest>) -> Arc<ResponseDelivery> {
        let delivery = Arc::new(ResponseDelivery {
            number: self.next.fetch_add(1, Ordering::Relaxed),
            connection: Arc::clone(self),
            held: AtomicUsize::new(0),
            written: AtomicU64::new(0),
            stream: streams::current(),
            _answering: self.pace.begin_answer(),
            _request: Some(request).filter(|request| request.lasts_until_read()),
        });
        if let Some(under_way) = &self.under_way {
            under_way.lock().insert(delivery.number, Arc::downgrade(&delivery));
        }
        delivery
    }

    /// The unfinished responses, if there can be several at a time.
    pub(super) fn under_way(&self) -> Vec<Arc<ResponseDelivery>> {
        let Some(under_way) = &self.under_way else { return Vec::new() };
        under_way.lock().values().filter_map(Weak::upgrade).collect()
    }
}

/// The delivery of one response.
#[derive(Debug)]
pub(super) struct ResponseDelivery {
    /// The number of the delivery within its connection.
    pub(super) number: u64,
    connection: Arc<ConnectionDeliveries>,
    /// The bytes that wait to be written.
    pub(super) held: AtomicUsize,
    /// The bytes that were written.
    pub(super) written: AtomicU64,
    /// The token that ends the stream of the response, if it has its own stream.
    pub(super) stream: Option<CancellationToken>,
    _answering: RequestInProgress,
    _request: Option<Arc<ActiveRequest>>,
}

impl ResponseDelivery {
    /// The counters of the response's bytes.
    fn counts(&self) -> [&AtomicUsize; 3] {
        [&self.held, &self.connection.held, &self.connection.quota.unread]
    }

    /// Counts bytes until the returned value is dropped.
    pub(super) fn hold(self: &Arc<Self>, bytes: usize) -> HeldBytes {
        self.count(bytes);
        HeldBytes { bytes, delivery: Arc::clone(self) }
    }

    fn count(&self, bytes: usize) {
        for count in self.counts() {
            count.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

impl Drop for ResponseDelivery {
    fn drop(&mut self) {
        if let Some(under_way) = &self.connection.under_way {
            under_way.lock().remove(&self.number);
        }
    }
}

/// Bytes that are counted until this value is dropped.
#[derive(Debug)]
pub(super) struct HeldBytes {
    bytes: usize,
    delivery: Arc<ResponseDelivery>,
}

impl HeldBytes {
    /// Splits off this number of bytes. Bytes beyond those held are added to the count first, so that the count is never too low.
    fn split(&mut self, bytes: usize) -> Self {
        let known = bytes.min(self.bytes);
        if bytes > known {
            self.delivery.count(bytes.saturating_sub(known));
        }
        self.bytes = self.bytes.saturating_sub(known);
        Self { bytes, delivery: Arc::clone(&self.delivery) }
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        for count in self.delivery.counts() {
            count.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}

/// A chunk of the handler's body, which is counted as long as any piece of it is in memory.
#[derive(Debug)]
struct Chunk {
    rest: Bytes,
    held: Arc<HeldBytes>,
}

/// A piece that is being written to the socket.
struct Piece {
    bytes: Bytes,
    held: Arc<HeldBytes>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.held.delivery.written.fetch_add(self.bytes.len() as u64, Ordering::Relaxed);
    }
}

impl Chunk {
    /// Makes a piece of these bytes, which are part of the announced ones.
    fn of(bytes: Bytes, announced: &mut HeldBytes) -> Self {
        let held = Arc::new(announced.split(bytes.len()));
        Self { rest: bytes, held }
    }

    fn next_piece(&mut self) -> Bytes {
        let bytes = self.rest.split_to(self.rest.len().min(PIECE_BYTES));
        Bytes::from_owner(Piece { bytes, held: Arc::clone(&self.held) })
    }
}

/// The body of a response as counted pieces.
#[derive(Debug)]
pub(super) struct DeliveredBody {
    inner: Body,
    /// The rest of the handler's last chunk.
    chunk: Option<Chunk>,
    /// The counted bytes that the handler has not produced yet.
    announced: HeldBytes,
}

impl DeliveredBody {
    /// Makes a body from the first piece, if there is one, and the rest. `bytes` is the number of bytes that are already in memory.
    pub(super) fn new(first: Option<Bytes>, rest: Body, bytes: usize, delivery: Arc<ResponseDelivery>) -> Self {
        let mut announced = delivery.hold(bytes);
        let chunk = first.map(|first| Chunk::of(first, &mut announced));
        Self { inner: rest, chunk, announced }
    }
}

impl http_body::Body for DeliveredBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        loop {
            if let Some(chunk) = &mut self.chunk {
                let piece = chunk.next_piece();
                if chunk.rest.is_empty() {
                    self.chunk = None;
                }
                return Poll::Ready(Some(Ok(Frame::data(piece))));
            }
            let Some(frame) = ready!(Pin::new(&mut self.inner).poll_frame(cx)) else { return Poll::Ready(None) };
            match frame.map(Frame::into_data) {
                Ok(Ok(data)) if data.is_empty() => {}
                Ok(Ok(data)) => self.chunk = Some(Chunk::of(data, &mut self.announced)),
                Ok(Err(trailers)) => return Poll::Ready(Some(Ok(trailers))),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.chunk.is_none() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let inner = self.inner.size_hint();
        let ahead = self.chunk.as_ref().map_or(0, |chunk| chunk.rest.len()) as u64;
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower().saturating_add(ahead));
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper.saturating_add(ahead));
        }
        hint
    }
}
