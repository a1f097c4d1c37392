//! Responses that their callers have not read: whether further requests are admitted, and which responses of a
//! connection make no progress. Source: TLS-016.
//!
//! A caller that sends requests and does not read responses occupies memory, which is therefore limited. The bytes of a response count from
//! the return of its handler until the last of them was written to the socket, whether they wait in the body, in the HTTP library's queue,
//! or in the queue of a stream without window.

use super::delivery::{ConnectionDeliveries, DeliveredBody, ResponseDelivery};
use super::opened_response::OpenedResponse;
use super::quotas::{ActiveRequest, CallerQuota, QuotaExceeded};
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

/// The size up to which a response is sent even if the quota is used up; only the next request is then refused. A larger response is
/// checked first.
const SMALL_BYTES: usize = 16 * 1024;
/// The unread bytes that each connection without a certificate may have in any case. Many customers may share an address and must not be
/// refused for each other's unread bytes.
const ANONYMOUS_BYTES: usize = 64 * 1024;
/// The multiple of the quota up to which small responses are sent.
const SMALL_QUOTAS: usize = 4;
/// How often within the time limit the progress of a response is checked.
const LOOKS: u32 = 4;

/// The unread responses of one connection. A request extension; clones share them.
#[derive(Debug, Clone)]
pub(crate) struct UnreadResponses(Arc<ConnectionDeliveries>);

impl UnreadResponses {
    /// Makes the state of a new connection; `several` states whether it has several responses at a time.
    pub(super) fn new(quota: Arc<CallerQuota>, pace: ConnectionProgress, several: bool) -> Self {
        Self(Arc::new(ConnectionDeliveries::new(quota, pace, several)))
    }

    /// Whether the caller must read responses before it gets another one.
    pub(crate) fn is_full(&self) -> bool {
        !self.has_capacity(1)
    }

    /// Whether this number of further bytes may wait. The quota applies to a certificate or an address; each connection of an address also
    /// has a small allowance of its own.
    fn has_capacity(&self, bytes: usize) -> bool {
        let quota = &self.0.quota;
        let own = self.0.held.load(Ordering::Relaxed);
        quota.unread().saturating_add(bytes) <= quota.unread_max()
            || (quota.is_anonymous() && own.saturating_add(bytes) <= ANONYMOUS_BYTES)
    }

    /// Counts the bytes of this request's response until they are written. The first response of a caller may have any size.
    ///
    /// # Errors
    /// [`QuotaExceeded`] if the response exceeds the quota; small responses have a larger quota.
    pub(crate) fn admit(
        &self,
        response: OpenedResponse,
        request: Arc<ActiveRequest>,
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

    /// Ends streams whose responses progress by less than `bytes_min` bytes in this time. Returns when a stuck response can only be stopped
    /// by ending its connection, because its last pieces are in the HTTP library.
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

/// The window over which the progress of a response is measured.
#[derive(Debug)]
struct ReadProgressWindow {
    since: Instant,
    written: u64,
}

impl ReadProgressWindow {
    fn begin(delivery: &ResponseDelivery) -> Self {
        Self { since: Instant::now(), written: delivery.written.load(Ordering::Relaxed) }
    }

    /// Whether bytes have waited for the whole window and too few of them were written. At its end the window begins again.
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

    /// A response of this size to a request of this caller.
    fn respond(unread: &UnreadResponses, bytes: usize) -> Result<Response, QuotaExceeded> {
        let request = Arc::new(unread.0.quota.begin_request()?);
        unread.admit(OpenedResponse::open(Response::new(Body::from(vec![0; bytes]))), request)
    }

    /// Reads a piece of a response at this interval, in its own stream; signals when the response is complete.
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

    /// A body with a known length that records that it was polled.
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
        // EVT-057: the events of a refused response do not count as sent.
        let polled = Arc::new(AtomicBool::new(false));
        let mut tracked = Response::new(Body::new(PolledBody(Arc::clone(&polled))));
        tracked.extensions_mut().insert(TrackedBody(Bytes::new()));
        let request = Arc::new(same.0.quota.begin_request().unwrap());
        assert!(same.admit(OpenedResponse::open(tracked), request).is_err() && !polled.load(Ordering::Relaxed));
        // Small responses have a larger quota, which is limited too.
        let small: Vec<_> = (0..100).map_while(|_| respond(&same, SMALL_BYTES).ok()).collect();
        assert_eq!(small.len(), (SMALL_QUOTAS * 100_000 - 200_000) / SMALL_BYTES);
        drop(small);
        // A piece in memory keeps its whole chunk in memory.
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
        // Many customers may share one address.
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
