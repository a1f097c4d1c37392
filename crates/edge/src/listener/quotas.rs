//! The quotas of each caller of a listener: connections and, over all connections, unread bytes of responses, bytes of incomplete request
//! bodies, and requests in progress. Source: TLS-016, RW-112.

use super::caller_connections::CallerConnections;
use super::limits::ListenerLimits;
use lombard_domain::grant::Digest;
use lombard_domain::network::Network;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// The most concurrent requests of one network without a certificate.
const ANONYMOUS_REQUESTS_MAX: usize = 256;

/// The error for a caller that has reached a quota.
#[derive(Debug, Clone, Copy)]
pub struct QuotaExceeded;

/// The owner of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum QuotaOwner {
    /// The holder of a certificate, by its thumbprint.
    Certificate(Digest),
    /// All callers from a network without a certificate.
    Network(Network),
}

/// The quotas of all callers of a listener. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct CallerQuotas {
    limits: QuotaLimits,
    by_owner: Arc<Mutex<HashMap<QuotaOwner, Weak<CallerQuota>>>>,
}

/// The limits of each caller.
#[derive(Debug, Clone, Copy)]
struct QuotaLimits {
    unread_max: usize,
    gathered_max: usize,
    client_requests_max: usize,
    client_connections_max: usize,
}

/// The quota of one caller, shared by its connections. A request extension.
#[derive(Debug)]
pub struct CallerQuota {
    owner: QuotaOwner,
    /// The connections of the caller, if it has shown a certificate.
    pub(super) connections: CallerConnections,
    /// The unread bytes of responses.
    pub(super) unread: AtomicUsize,
    gathered: AtomicUsize,
    requests: AtomicUsize,
    all: CallerQuotas,
}

impl CallerQuotas {
    /// Makes quotas with these limits.
    pub(super) fn new(limits: &ListenerLimits) -> Self {
        let limits = QuotaLimits {
            unread_max: limits.unread_bytes_max,
            gathered_max: limits.gathered_bytes_max,
            client_requests_max: limits.client_requests_max,
            client_connections_max: limits.client_connections_max,
        };
        Self { limits, by_owner: Arc::default() }
    }

    /// The quota of this caller.
    pub(super) fn of(&self, owner: QuotaOwner) -> Arc<CallerQuota> {
        let mut known = self.by_owner.lock();
        if let Some(quota) = known.get(&owner).and_then(Weak::upgrade) {
            return quota;
        }
        let [unread, gathered, requests] = [const { AtomicUsize::new(0) }; 3];
        let connections = CallerConnections::new(self.limits.client_connections_max);
        let quota = Arc::new(CallerQuota { owner, connections, unread, gathered, requests, all: self.clone() });
        known.insert(owner, Arc::downgrade(&quota));
        quota
    }
}

impl CallerQuota {
    /// The unread bytes of this caller's responses.
    pub(super) fn unread(&self) -> usize {
        self.unread.load(Ordering::Relaxed)
    }

    /// The most unread bytes of this caller's responses.
    pub(super) fn unread_max(&self) -> usize {
        self.all.limits.unread_max
    }

    /// Whether this is the quota of a network, which many callers may share.
    pub(super) fn is_anonymous(&self) -> bool {
        matches!(self.owner, QuotaOwner::Network(_))
    }

    /// Counts a request until the returned value is dropped.
    ///
    /// # Errors
    /// [`QuotaExceeded`] if the caller has reached its limit of concurrent requests.
    pub(crate) fn begin_request(self: &Arc<Self>) -> Result<ActiveRequest, QuotaExceeded> {
        let under_way = ActiveRequest(Arc::clone(self));
        let before = self.requests.fetch_add(1, Ordering::Relaxed);
        let most = if self.is_anonymous() { ANONYMOUS_REQUESTS_MAX } else { self.all.limits.client_requests_max };
        if before >= most { Err(QuotaExceeded) } else { Ok(under_way) }
    }

    /// Counts the bytes of a body that is held until it is complete.
    pub fn gather(self: &Arc<Self>) -> GatheredBytes {
        GatheredBytes { quota: Arc::clone(self), bytes: 0 }
    }
}

impl Drop for CallerQuota {
    fn drop(&mut self) {
        let mut known = self.all.by_owner.lock();
        // Another connection may have added a new quota since.
        if known.get(&self.owner).is_some_and(|quota| quota.strong_count() == 0) {
            known.remove(&self.owner);
        }
    }
}

/// A request in progress. It is dropped when its response has been made or, for a client with a certificate, read. A shared request
/// extension.
#[derive(Debug)]
pub struct ActiveRequest(Arc<CallerQuota>);

/// Exempts a request from the quota until it is dropped.
#[derive(Debug)]
pub struct QuotaExemption<'a>(&'a ActiveRequest);

impl ActiveRequest {
    /// Exempts the request from the quota while it waits for something that has its own limits.
    pub fn exempt_from_quota(&self) -> QuotaExemption<'_> {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
        QuotaExemption(self)
    }

    /// Whether the request counts until its response has been read. Requests without a certificate do not, because many customers may share
    /// an address and must not be refused for each other's unread responses.
    pub(super) fn lasts_until_read(&self) -> bool {
        !self.0.is_anonymous()
    }
}

impl Drop for QuotaExemption<'_> {
    fn drop(&mut self) {
        self.0.0.requests.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The bytes of a body that are held in memory until the body is complete.
#[derive(Debug)]
pub struct GatheredBytes {
    quota: Arc<CallerQuota>,
    bytes: usize,
}

impl GatheredBytes {
    /// Counts this number of further bytes.
    ///
    /// # Errors
    /// [`QuotaExceeded`] if too many bytes of this caller's bodies are in memory.
    pub fn add(&mut self, bytes: usize) -> Result<(), QuotaExceeded> {
        let before = self.quota.gathered.fetch_add(bytes, Ordering::Relaxed);
        self.bytes = self.bytes.saturating_add(bytes);
        if before.saturating_add(bytes) > self.quota.all.limits.gathered_max { Err(QuotaExceeded) } else { Ok(()) }
    }
}

impl Drop for GatheredBytes {
    fn drop(&mut self) {
        self.quota.gathered.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listener::tests::LIMITS;

    const SMALL: ListenerLimits =
        ListenerLimits { unread_bytes_max: 100_000, gathered_bytes_max: 1000, client_requests_max: 3, ..LIMITS };

    fn certificate(holder: u8) -> QuotaOwner {
        QuotaOwner::Certificate(Digest([holder; 32]))
    }

    #[test]
    fn rw_112_only_so_many_requests_of_a_caller_are_under_way() {
        let network = QuotaOwner::Network(Network::from_address(std::net::Ipv4Addr::LOCALHOST.into()));
        for (owner, most) in [(network, ANONYMOUS_REQUESTS_MAX), (certificate(8), SMALL.client_requests_max)] {
            let quotas = CallerQuotas::new(&SMALL);
            let [one, same] = [(); 2].map(|()| quotas.of(owner));
            let mut under_way: Vec<_> = (0..most).map(|_| one.begin_request().unwrap()).collect();
            assert!(same.begin_request().is_err() && quotas.of(certificate(7)).begin_request().is_ok());
            let waits = under_way[0].exempt_from_quota();
            let instead = same.begin_request().expect("one that waits for an event does not count");
            drop(waits);
            assert!(same.begin_request().is_err(), "it counts again");
            drop(instead);
            under_way.pop();
            assert!(same.begin_request().is_ok(), "those that were refused do not count");
        }
    }

    #[test]
    fn tls_016_only_so_much_of_a_callers_bodies_is_held() {
        let quotas = CallerQuotas::new(&SMALL);
        let [one, same, other] = [7, 7, 8].map(|holder| quotas.of(certificate(holder)));
        let mut first = one.gather();
        assert!(first.add(400).is_ok() && first.add(600).is_ok());
        assert!(same.gather().add(1).is_err() && other.gather().add(1000).is_ok());
        drop(first);
        assert!(same.gather().add(1000).is_ok());
        drop((one, same, other));
        assert!(quotas.by_owner.lock().is_empty(), "those who left are forgotten");
    }
}
