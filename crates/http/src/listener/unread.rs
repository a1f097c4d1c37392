//! What is held for each client: responses that it has not taken yet, bodies that have not arrived completely, requests under way;
//! and which of a connection's responses make no progress. Source: TLS-016.
//!
//! A caller that asks and does not read costs nothing but memory, which is why it is bounded. Bytes count from when a
//! handler has given its response until the last piece of them has left for the socket, wherever they wait in between:
//! in the body, in the HTTP library's queue or in that of a stream without window.

use super::delivery::{DeliveredBody, Delivery};
use super::pace::Pace;
use super::streams;
use axum::body::Body;
use axum::response::Response;
use lombard_domain::grant::Digest;
use lombard_domain::network::Network;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(super) const CUT: &str = "lombard_http_responses_cut_total";

/// Responses up to this size are given although the quota is used up: only the next request is refused for them. What is larger
/// is weighed first.
const SMALL_BYTES: usize = 16 * 1024;
/// What a connection without a certificate may leave unread in any case. Many customers may share an address, and none
/// of them is refused for what another leaves.
const ANONYMOUS_BYTES: usize = 64 * 1024;
/// Small responses are given until this many times the quota waits.
const SMALL_QUOTAS: usize = 4;
/// Requests of one network without a certificate that may be under way at a time. The rates of clients bound those with one.
const ANONYMOUS_REQUESTS_MAX: usize = 256;
/// How often within the time allowed it is looked whether a response makes progress.
const LOOKS: u32 = 4;

/// On a response that is read from storage while it is sent: its length says nothing about the bytes that are held for it.
/// A response extension.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StreamedFromStorage;

/// The caller has as many bytes waiting for it as it may.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnreadLimitExceeded;

/// Whose unread bytes are counted together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reader {
    /// Whoever holds this certificate, by its thumbprint.
    Certificate(Digest),
    /// Whoever calls from there without a certificate.
    Network(Network),
}

/// The quotas of all readers. Cloning shares them.
#[derive(Debug, Clone)]
pub(super) struct UnreadQuotas {
    bytes_max: usize,
    gathered_max: usize,
    by_reader: Arc<Mutex<HashMap<Reader, Weak<UnreadQuota>>>>,
}

/// The quota of one reader, shared by its connections.
#[derive(Debug)]
pub(super) struct UnreadQuota {
    reader: Reader,
    pub(super) held: AtomicUsize,
    gathered: AtomicUsize,
    requests: AtomicUsize,
    all: UnreadQuotas,
}

impl UnreadQuotas {
    /// So many bytes of responses and of bodies for each reader.
    pub(super) fn new(bytes_max: usize, gathered_max: usize) -> Self {
        Self { bytes_max, gathered_max, by_reader: Arc::default() }
    }

    fn of(&self, reader: Reader) -> Arc<UnreadQuota> {
        let mut known = self.by_reader.lock();
        if let Some(quota) = known.get(&reader).and_then(Weak::upgrade) {
            return quota;
        }
        let [held, gathered, requests] = [const { AtomicUsize::new(0) }; 3];
        let quota = Arc::new(UnreadQuota { reader, held, gathered, requests, all: self.clone() });
        known.insert(reader, Arc::downgrade(&quota));
        quota
    }
}

impl UnreadQuota {
    fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

impl Drop for UnreadQuota {
    fn drop(&mut self) {
        let mut known = self.all.by_reader.lock();
        // Another connection may have begun a new one since.
        if known.get(&self.reader).is_some_and(|quota| quota.strong_count() == 0) {
            known.remove(&self.reader);
        }
    }
}

/// A request that is under way; dropped when its response has been made.
#[derive(Debug)]
pub(crate) struct RequestUnderWay(Arc<UnreadQuota>);

impl Drop for RequestUnderWay {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Bytes of a body that are held until all of it has arrived.
#[derive(Debug)]
pub(crate) struct GatheredBytes {
    quota: Arc<UnreadQuota>,
    bytes: usize,
}

impl GatheredBytes {
    /// Counts so many bytes more.
    ///
    /// # Errors
    /// [`UnreadLimitExceeded`] if too much of this caller's bodies is held already.
    pub(crate) fn add(&mut self, bytes: usize) -> Result<(), UnreadLimitExceeded> {
        let before = self.quota.gathered.fetch_add(bytes, Ordering::Relaxed);
        self.bytes = self.bytes.saturating_add(bytes);
        if before.saturating_add(bytes) > self.quota.all.gathered_max { Err(UnreadLimitExceeded) } else { Ok(()) }
    }
}

impl Drop for GatheredBytes {
    fn drop(&mut self) {
        self.quota.gathered.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The unread responses of one connection. A request extension; cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct Unread(Arc<Connection>);

/// A connection with its unread responses.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) quota: Arc<UnreadQuota>,
    /// Its own share of what is held under the quota.
    pub(super) held: AtomicUsize,
    pace: Pace,
    /// Those under way, if the connection has several at a time; empty otherwise.
    pub(super) under_way: Option<Mutex<HashMap<u64, Weak<Delivery>>>>,
    next: AtomicU64,
}

impl Unread {
    /// Those of a new connection; `several` at a time, or one after the other.
    pub(super) fn new(quotas: &UnreadQuotas, reader: Reader, pace: Pace, several: bool) -> Self {
        let (quota, under_way) = (quotas.of(reader), several.then(Mutex::default));
        Self(Arc::new(Connection { quota, held: AtomicUsize::new(0), pace, under_way, next: AtomicU64::new(0) }))
    }

    /// Whether the caller must read before it is answered any more.
    pub(crate) fn is_full(&self) -> bool {
        !self.has_capacity(1)
    }

    /// Counts a request until what is returned is dropped.
    ///
    /// # Errors
    /// [`UnreadLimitExceeded`] if as many are under way as may be without a certificate.
    pub(crate) fn begin_request(&self) -> Result<RequestUnderWay, UnreadLimitExceeded> {
        let quota = &self.0.quota;
        let under_way = RequestUnderWay(Arc::clone(quota));
        let before = quota.requests.fetch_add(1, Ordering::Relaxed);
        let is_anonymous = matches!(quota.reader, Reader::Network(_));
        if is_anonymous && before >= ANONYMOUS_REQUESTS_MAX { Err(UnreadLimitExceeded) } else { Ok(under_way) }
    }

    /// Counts the bytes of a body that is held until it is complete.
    pub(crate) fn gather(&self) -> GatheredBytes {
        GatheredBytes { quota: Arc::clone(&self.0.quota), bytes: 0 }
    }

    /// Whether so many bytes more may wait: for a certificate as many as its quota has, for an address too, except that
    /// each connection has a little of its own.
    fn has_capacity(&self, bytes: usize) -> bool {
        let (quota, own) = (&self.0.quota, self.0.held.load(Ordering::Relaxed));
        let is_anonymous = matches!(quota.reader, Reader::Network(_));
        quota.held().saturating_add(bytes) <= quota.all.bytes_max
            || (is_anonymous && own.saturating_add(bytes) <= ANONYMOUS_BYTES)
    }

    /// The response, its bytes counted until they are written; the first one of a caller has any size.
    ///
    /// # Errors
    /// [`UnreadLimitExceeded`] if there is no room for it; a small one has more room.
    pub(crate) fn admit(&self, response: Response) -> Result<Response, UnreadLimitExceeded> {
        let (parts, body) = response.into_parts();
        if http_body::Body::is_end_stream(&body) {
            return Ok(Response::from_parts(parts, body));
        }
        let whole = if parts.extensions.get::<StreamedFromStorage>().is_some() {
            0
        } else {
            http_body::Body::size_hint(&body).lower()
        };
        let whole = usize::try_from(whole).unwrap_or(usize::MAX);
        let held = self.0.quota.held();
        let small_fits = held.saturating_add(whole) <= self.0.quota.all.bytes_max.saturating_mul(SMALL_QUOTAS);
        if held > 0 && !self.has_capacity(whole) && !(whole <= SMALL_BYTES && small_fits) {
            return Err(UnreadLimitExceeded);
        }
        let body = Body::new(DeliveredBody::new(body, whole, self.begin()));
        Ok(Response::from_parts(parts, body))
    }

    fn begin(&self) -> Arc<Delivery> {
        let connection = &self.0;
        let delivery = Arc::new(Delivery {
            number: connection.next.fetch_add(1, Ordering::Relaxed),
            connection: Arc::clone(connection),
            held: AtomicUsize::new(0),
            written: AtomicU64::new(0),
            stream: streams::current(),
            _answering: connection.pace.begin_answer(),
        });
        if let Some(under_way) = &connection.under_way {
            under_way.lock().insert(delivery.number, Arc::downgrade(&delivery));
        }
        delivery
    }

    /// Ends streams whose response makes less progress than so many bytes in this time. Returns when a response is
    /// stuck that only ends with its connection: its last pieces are with the HTTP library.
    pub(super) async fn watch(&self, time: Duration, bytes_min: u64) {
        let mut windows: HashMap<u64, Window> = HashMap::new();
        loop {
            tokio::time::sleep(time / LOOKS).await;
            let mut open = HashMap::new();
            for delivery in self.under_way() {
                let mut window = windows.remove(&delivery.number).unwrap_or_else(|| Window::begin(&delivery));
                if window.is_stuck(&delivery, time, bytes_min) {
                    match delivery.stream.as_ref().filter(|stream| !stream.is_cancelled()) {
                        Some(stream) => cut(stream),
                        None => return,
                    }
                }
                open.insert(delivery.number, window);
            }
            windows = open;
        }
    }

    fn under_way(&self) -> Vec<Arc<Delivery>> {
        let Some(under_way) = &self.0.under_way else { return Vec::new() };
        under_way.lock().values().filter_map(Weak::upgrade).collect()
    }
}

fn cut(stream: &CancellationToken) {
    stream.cancel();
    metrics::counter!(CUT).increment(1);
    tracing::info!(limit.refusal = "TLS-016", "a response was cut: its caller does not read it");
}

/// The time over which the progress of a response is judged.
#[derive(Debug)]
struct Window {
    since: Instant,
    written: u64,
}

impl Window {
    fn begin(delivery: &Delivery) -> Self {
        Self { since: Instant::now(), written: delivery.written.load(Ordering::Relaxed) }
    }

    /// Whether bytes have waited all this time and too few of them have left. Begins again when the time is over.
    fn is_stuck(&mut self, delivery: &Delivery, time: Duration, bytes_min: u64) -> bool {
        if delivery.held.load(Ordering::Relaxed) == 0 {
            *self = Self::begin(delivery);
            return false;
        }
        if self.since.elapsed() < time {
            return false;
        }
        let before = std::mem::replace(self, Self::begin(delivery));
        self.written.saturating_sub(before.written) < bytes_min
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use hyper::rt::Executor;
    use tokio::sync::mpsc;

    const TIME: Duration = Duration::from_secs(30);
    const BYTES_MIN: u64 = 30 * 1024;

    fn unread(quotas: &UnreadQuotas) -> Unread {
        Unread::new(quotas, Reader::Certificate(Digest([7; 32])), Pace::new(None), true)
    }

    /// Reads a piece of a response every so often, as a stream of its own; tells when it has all of it.
    fn read(unread: &Unread, bytes: usize, every: Duration) -> mpsc::Receiver<()> {
        let (unread, (told, tells)) = (unread.clone(), mpsc::channel(1));
        streams::StreamExecutor::default().execute(async move {
            let mut body = unread.admit(Response::new(Body::from(vec![0; bytes]))).unwrap().into_body();
            while let Some(piece) = body.frame().await {
                tokio::time::sleep(every).await;
                drop(piece);
            }
            told.send(()).await.unwrap();
        });
        tells
    }

    #[tokio::test(start_paused = true)]
    async fn tls_016_a_response_may_be_read_slowly_and_not_as_good_as_never() {
        let quotas = UnreadQuotas::new(1 << 20, 0);
        let unread = unread(&quotas);
        let watched = unread.clone();
        tokio::spawn(async move { watched.watch(TIME, BYTES_MIN).await });
        for (every, all) in [(Duration::from_secs(5), Some(())), (TIME, None), (Duration::from_secs(3600), None)] {
            assert_eq!(read(&unread, 500_000, every).recv().await, all, "a piece every {every:?}");
            assert_eq!(unread.0.quota.held(), 0, "nothing is left");
        }
        assert!(unread.under_way().is_empty());
        drop(unread);
    }

    #[tokio::test(start_paused = true)]
    async fn tls_016_what_the_library_keeps_ends_with_the_connection() {
        let quotas = UnreadQuotas::new(1 << 20, 0);
        let unread = unread(&quotas);
        let body = unread.admit(Response::new(Body::from(vec![0; 100]))).unwrap().into_body();
        let kept = body.into_data_stream();
        let kept: Vec<_> = futures_util::StreamExt::collect(kept).await;
        assert_eq!(unread.0.quota.held(), 100, "given to the library, and nowhere yet");
        unread.watch(TIME, BYTES_MIN).await;
        drop(kept);
        assert_eq!(unread.0.quota.held(), 0);
    }

    #[tokio::test]
    async fn rw_112_a_caller_is_given_no_more_than_it_reads() {
        let quotas = UnreadQuotas::new(100_000, 1000);
        let (one, same) = (unread(&quotas), unread(&quotas));
        let other = Unread::new(&quotas, Reader::Certificate(Digest([8; 32])), Pace::new(None), false);
        let respond = |unread: &Unread, bytes| unread.admit(Response::new(Body::from(vec![0; bytes])));
        let first = respond(&one, 200_000).expect("the first response has any size");
        assert!(one.is_full() && same.is_full() && !other.is_full(), "all connections of a caller together");
        assert!(respond(&same, SMALL_BYTES + 1).is_err() && respond(&same, SMALL_BYTES).is_ok());
        assert!(respond(&other, SMALL_BYTES + 1).is_ok());
        // Small ones have more room, and not without end.
        let small: Vec<_> = (0..100).map_while(|_| respond(&same, SMALL_BYTES).ok()).collect();
        assert_eq!(small.len(), (SMALL_QUOTAS * 100_000 - 200_000) / SMALL_BYTES);
        drop(small);
        // A piece that is somewhere keeps all that it is a piece of.
        let mut body = first.into_body();
        let mut last = None;
        while let Some(piece) = body.frame().await {
            last = Some(piece);
        }
        drop(body);
        assert!(one.is_full());
        drop(last);
        assert!(!one.is_full() && respond(&same, 100_000).is_ok());
        drop((one, same, other));
        // Behind one address there may be many customers.
        let network = Reader::Network(Network::of(std::net::Ipv4Addr::LOCALHOST.into()));
        let [lazy, innocent] = [(); 2].map(|()| Unread::new(&quotas, network, Pace::new(None), false));
        let unread = respond(&lazy, 200_000).unwrap();
        assert!(lazy.is_full() && !innocent.is_full());
        assert!(respond(&innocent, ANONYMOUS_BYTES).is_ok() && respond(&innocent, ANONYMOUS_BYTES + 1).is_err());
        drop((unread, lazy, innocent));
        assert!(quotas.by_reader.lock().is_empty(), "those who left are forgotten");
    }

    #[tokio::test]
    async fn tls_016_without_a_certificate_only_so_many_requests_are_under_way() {
        let quotas = UnreadQuotas::new(100_000, 1000);
        let network = Reader::Network(Network::of(std::net::Ipv4Addr::LOCALHOST.into()));
        let [one, same] = [(); 2].map(|()| Unread::new(&quotas, network, Pace::new(None), true));
        let mut under_way: Vec<_> = (0..ANONYMOUS_REQUESTS_MAX).map(|_| one.begin_request().unwrap()).collect();
        assert!(same.begin_request().is_err() && unread(&quotas).begin_request().is_ok());
        under_way.pop();
        assert!(same.begin_request().is_ok(), "those that were refused do not count");
    }

    #[tokio::test]
    async fn tls_016_only_so_much_of_a_callers_bodies_is_held() {
        let quotas = UnreadQuotas::new(100_000, 1000);
        let [one, same] = [(); 2].map(|()| unread(&quotas));
        let other = Unread::new(&quotas, Reader::Certificate(Digest([8; 32])), Pace::new(None), false);
        let mut first = one.gather();
        assert!(first.add(400).is_ok() && first.add(600).is_ok());
        assert!(same.gather().add(1).is_err() && other.gather().add(1000).is_ok());
        drop(first);
        assert!(same.gather().add(1000).is_ok());
    }
}
