//! One response on its way to its caller: given to the HTTP library in pieces, and counted until the last piece has
//! left for the socket.

use super::quotas::{CallerQuota, RequestUnderWay};
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

/// How large the pieces are in which a response is written, bytes: the least progress that can be seen.
const PIECE_BYTES: usize = 16 * 1024;

/// The responses of one connection on their way.
#[derive(Debug)]
pub(super) struct ConnectionDeliveries {
    pub(super) quota: Arc<CallerQuota>,
    /// Its own share of what is unread under the quota.
    pub(super) held: AtomicUsize,
    pace: ConnectionProgress,
    /// Those under way, if the connection has several at a time; empty otherwise.
    under_way: Option<Mutex<HashMap<u64, Weak<ResponseDelivery>>>>,
    next: AtomicU64,
}

impl ConnectionDeliveries {
    /// Those of a new connection; `several` at a time, or one after the other.
    pub(super) fn new(quota: Arc<CallerQuota>, pace: ConnectionProgress, several: bool) -> Self {
        let under_way = several.then(Mutex::default);
        Self { quota, held: AtomicUsize::new(0), pace, under_way, next: AtomicU64::new(0) }
    }

    /// Begins that of the response to this request.
    pub(super) fn begin(self: &Arc<Self>, request: Arc<RequestUnderWay>) -> Arc<ResponseDelivery> {
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

    /// Those under way, if there may be several at a time.
    pub(super) fn under_way(&self) -> Vec<Arc<ResponseDelivery>> {
        let Some(under_way) = &self.under_way else { return Vec::new() };
        under_way.lock().values().filter_map(Weak::upgrade).collect()
    }
}

/// One response on its way.
#[derive(Debug)]
pub(super) struct ResponseDelivery {
    /// By which its connection knows it.
    pub(super) number: u64,
    connection: Arc<ConnectionDeliveries>,
    /// Bytes that wait.
    pub(super) held: AtomicUsize,
    /// Bytes that have left.
    pub(super) written: AtomicU64,
    /// Ends its stream, if it has one of its own.
    pub(super) stream: Option<CancellationToken>,
    _answering: RequestInProgress,
    _request: Option<Arc<RequestUnderWay>>,
}

impl ResponseDelivery {
    /// Where its bytes are counted.
    fn counts(&self) -> [&AtomicUsize; 3] {
        [&self.held, &self.connection.held, &self.connection.quota.unread]
    }

    /// Counts bytes until what is returned is dropped.
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

/// Bytes that are counted.
#[derive(Debug)]
pub(super) struct HeldBytes {
    bytes: usize,
    delivery: Arc<ResponseDelivery>,
}

impl HeldBytes {
    /// Splits off so many bytes. Bytes beyond those held are added to the count first, so the count is never too low.
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

/// A part of what a handler gave, as long as any piece of it is somewhere.
#[derive(Debug)]
struct Chunk {
    rest: Bytes,
    held: Arc<HeldBytes>,
}

/// A piece on its way to the socket.
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
    /// That of these bytes, which are counted among those that were announced.
    fn of(bytes: Bytes, announced: &mut HeldBytes) -> Self {
        let held = Arc::new(announced.split(bytes.len()));
        Self { rest: bytes, held }
    }

    fn next_piece(&mut self) -> Bytes {
        let bytes = self.rest.split_to(self.rest.len().min(PIECE_BYTES));
        Bytes::from_owner(Piece { bytes, held: Arc::clone(&self.held) })
    }
}

/// A response's body, given in pieces that are counted.
#[derive(Debug)]
pub(super) struct DeliveredBody {
    inner: Body,
    /// What the handler gave last, less what was given on.
    chunk: Option<Chunk>,
    /// What is counted and has not been given by the handler.
    announced: HeldBytes,
}

impl DeliveredBody {
    /// The body of this first piece, if there is one, and the rest; of all of it so many bytes are there already.
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
