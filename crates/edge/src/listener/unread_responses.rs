//! Responses that their callers have not read: whether further requests are admitted, and which responses of a
//! connection make no progress. Source: TLS-016.
//!
//! A caller that sends requests and does not read costs memory only, so that memory is bounded. Bytes count from when a
//! handler has returned its response until the last of them has left for the socket, wherever they wait in between: in
//! the body, in the HTTP library's queue, or in the queue of a stream without window.

use super::delivery::{ConnectionDeliveries, DeliveredBody, ResponseDelivery};
use super::opened_response::OpenedResponse;
use super::quotas::{CallerQuota, QuotaExceeded, RequestUnderWay};
use super::timeouts::ConnectionProgress;
use axum::body::Body;
use axum::response::Response;
use http_body::Body as _;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
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
/// How often within the time allowed it is looked whether a response makes progress.
const LOOKS: u32 = 4;

/// The unread responses of one connection. A request extension; cloning shares them.
#[derive(Debug, Clone)]
pub(crate) struct UnreadResponses(Arc<ConnectionDeliveries>);

impl UnreadResponses {
    /// Those of a new connection; `several` at a time, or one after the other.
    pub(super) fn new(quota: Arc<CallerQuota>, pace: ConnectionProgress, several: bool) -> Self {
        Self(Arc::new(ConnectionDeliveries::new(quota, pace, several)))
    }

    /// Whether the caller must read before it is answered any more.
    pub(crate) fn is_full(&self) -> bool {
        !self.has_capacity(1)
    }

    /// Whether so many bytes more may wait: for a certificate as many as its quota has, for an address too, except that
    /// each connection has a little of its own.
    fn has_capacity(&self, bytes: usize) -> bool {
        let quota = &self.0.quota;
        let own = self.0.held.load(Ordering::Relaxed);
        quota.unread().saturating_add(bytes) <= quota.unread_max()
            || (quota.is_anonymous() && own.saturating_add(bytes) <= ANONYMOUS_BYTES)
    }

    /// The response to this request, its bytes counted until they are written; the first one of a caller has any size.
    ///
    /// # Errors
    /// [`QuotaExceeded`] if there is no room for it; a small one has more room.
    pub(crate) fn admit(
        &self,
        response: OpenedResponse,
        request: Arc<RequestUnderWay>,
    ) -> Result<Response, QuotaExceeded> {
        let whole = response.bytes();
        let (mut response, first, rest) = response.into_parts();
        if first.is_none() && rest.is_end_stream() {
            return Ok(response);
        }
        let held = self.0.quota.unread();
        let small_fits = held.saturating_add(whole) <= self.0.quota.unread_max().saturating_mul(SMALL_QUOTAS);
        if held > 0 && !self.has_capacity(whole) && !(whole <= SMALL_BYTES && small_fits) {
            return Err(QuotaExceeded);
        }
        *response.body_mut() = Body::new(DeliveredBody::new(first, rest, whole, self.0.begin(request)));
        Ok(response)
    }

    /// Ends streams whose response makes less progress than so many bytes in this time. Returns when a response is
    /// stuck that only ends with its connection: its last pieces are with the HTTP library.
    pub(super) async fn watch(&self, time: Duration, bytes_min: u64) {
        let mut windows: HashMap<u64, ReadProgressWindow> = HashMap::new();
        loop {
            tokio::time::sleep(time / LOOKS).await;
            let mut open = HashMap::new();
            for delivery in self.0.under_way() {
                let mut window =
                    windows.remove(&delivery.number).unwrap_or_else(|| ReadProgressWindow::begin(&delivery));
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
}

fn cut(stream: &CancellationToken) {
    stream.cancel();
    metrics::counter!(CUT).increment(1);
    tracing::info!(limit.refusal = "TLS-016", "a response was cut: its caller does not read it");
}

/// The time over which the progress of a response is judged.
#[derive(Debug)]
struct ReadProgressWindow {
    since: Instant,
    written: u64,
}

impl ReadProgressWindow {
    fn begin(delivery: &ResponseDelivery) -> Self {
        Self { since: Instant::now(), written: delivery.written.load(Ordering::Relaxed) }
    }

    /// Whether bytes have waited all this time and too few of them have left. Begins again when the time is over.
    fn is_stuck(&mut self, delivery: &ResponseDelivery, time: Duration, bytes_min: u64) -> bool {
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
    use crate::listener::TrackedBody;
    use crate::listener::quotas::{CallerQuotas, QuotaOwner};
    use crate::listener::tests::LIMITS;
    use crate::listener::{ListenerLimits, streams};
    use bytes::Bytes;
    use http_body::{Frame, SizeHint};
    use http_body_util::BodyExt;
    use hyper::rt::Executor;
    use lombard_domain::grant::Digest;
    use lombard_domain::network::Network;
    use std::pin::Pin;
    use std::sync::atomic::AtomicBool;
    use std::task::{Context, Poll};
    use tokio::sync::mpsc;

    const SMALL: ListenerLimits =
        ListenerLimits { unread_bytes_max: 100_000, client_requests_max: usize::MAX, ..LIMITS };
    const TIME: Duration = Duration::from_secs(30);
    const BYTES_MIN: u64 = 30 * 1024;

    fn unread(quotas: &CallerQuotas) -> UnreadResponses {
        unread_of(quotas, QuotaOwner::Certificate(Digest([7; 32])))
    }

    fn unread_of(quotas: &CallerQuotas, owner: QuotaOwner) -> UnreadResponses {
        UnreadResponses::new(quotas.of(owner), ConnectionProgress::new(None), true)
    }

    /// A response of so many bytes to a request of this caller.
    fn respond(unread: &UnreadResponses, bytes: usize) -> Result<Response, QuotaExceeded> {
        let request = Arc::new(unread.0.quota.begin_request()?);
        unread.admit(OpenedResponse::open(Response::new(Body::from(vec![0; bytes]))), request)
    }

    /// Reads a piece of a response every so often, as a stream of its own; tells when it has all of it.
    fn read(unread: &UnreadResponses, bytes: usize, every: Duration) -> mpsc::Receiver<()> {
        let (unread, (told, tells)) = (unread.clone(), mpsc::channel(1));
        streams::StreamExecutor::default().execute(async move {
            let mut body = respond(&unread, bytes).unwrap().into_body();
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
        let quotas = CallerQuotas::new(&LIMITS);
        let unread = unread(&quotas);
        let watched = unread.clone();
        tokio::spawn(async move { watched.watch(TIME, BYTES_MIN).await });
        for (every, all) in [(Duration::from_secs(5), Some(())), (TIME, None), (Duration::from_secs(3600), None)] {
            assert_eq!(read(&unread, 500_000, every).recv().await, all, "a piece every {every:?}");
            assert_eq!(unread.0.quota.unread(), 0, "nothing is left");
        }
        assert!(unread.0.under_way().is_empty());
        drop(unread);
    }

    #[tokio::test(start_paused = true)]
    async fn tls_016_what_the_library_keeps_ends_with_the_connection() {
        let quotas = CallerQuotas::new(&LIMITS);
        let unread = unread(&quotas);
        let body = respond(&unread, 100).unwrap().into_body();
        let kept = body.into_data_stream();
        let kept: Vec<_> = futures_util::StreamExt::collect(kept).await;
        assert_eq!(unread.0.quota.unread(), 100, "given to the library, and nowhere yet");
        unread.watch(TIME, BYTES_MIN).await;
        drop(kept);
        assert_eq!(unread.0.quota.unread(), 0);
    }

    /// A body that notes that it was polled, of a length that counts.
    struct PolledBody(Arc<AtomicBool>);

    impl http_body::Body for PolledBody {
        type Data = Bytes;
        type Error = axum::Error;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
            self.0.store(true, Ordering::Relaxed);
            Poll::Ready(None)
        }

        fn size_hint(&self) -> SizeHint {
            SizeHint::with_exact(SMALL_BYTES as u64 + 1)
        }
    }

    #[tokio::test]
    async fn rw_112_a_caller_is_given_no_more_than_it_reads() {
        let quotas = CallerQuotas::new(&SMALL);
        let one = unread(&quotas);
        let same = unread(&quotas);
        let other = unread_of(&quotas, QuotaOwner::Certificate(Digest([8; 32])));
        let first = respond(&one, 200_000).expect("the first response has any size");
        assert!(one.is_full() && same.is_full() && !other.is_full(), "all connections of a caller together");
        assert!(respond(&same, SMALL_BYTES + 1).is_err() && respond(&same, SMALL_BYTES).is_ok());
        assert!(respond(&other, SMALL_BYTES + 1).is_ok());
        // EVT-057: events of a response that is refused were not sent.
        let polled = Arc::new(AtomicBool::new(false));
        let mut tracked = Response::new(Body::new(PolledBody(Arc::clone(&polled))));
        tracked.extensions_mut().insert(TrackedBody(Bytes::new()));
        let request = Arc::new(same.0.quota.begin_request().unwrap());
        assert!(same.admit(OpenedResponse::open(tracked), request).is_err() && !polled.load(Ordering::Relaxed));
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
        let network = QuotaOwner::Network(Network::from_address(std::net::Ipv4Addr::LOCALHOST.into()));
        let [lazy, innocent] = [(); 2].map(|()| unread_of(&quotas, network));
        let unread = respond(&lazy, 200_000).unwrap();
        assert!(lazy.is_full() && !innocent.is_full());
        assert!(respond(&innocent, ANONYMOUS_BYTES).is_ok() && respond(&innocent, ANONYMOUS_BYTES + 1).is_err());
        drop((unread, lazy, innocent));
    }

    #[tokio::test]
    async fn rw_112_a_clients_request_is_under_way_until_its_response_has_been_read() {
        let quotas = CallerQuotas::new(&ListenerLimits { client_requests_max: 2, ..LIMITS });
        let one = unread(&quotas);
        let same = unread(&quotas);
        let [unread, mut read] = [1, 1].map(|bytes| respond(&one, bytes).unwrap().into_body());
        assert!(respond(&same, 1).is_err(), "all connections of a client together");
        while let Some(piece) = read.frame().await {
            drop(piece);
        }
        drop(read);
        assert!(respond(&same, 1).is_ok());
        drop((unread, one, same));
    }
}
