//! Permits for connections, with a limit in total and a limit for each address, so that no address can use all of them.

use super::caller_connections::CallerConnections;
use super::limits::ListenerLimits;
use lombard_domain::network::Network;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(super) const REFUSED: &str = "lombard_connections_refused_total";

/// The connection permits of one listener. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct ConnectionPermits {
    listener: &'static str,
    all: Arc<Semaphore>,
    of_one_max: usize,
    anonymous_max: usize,
    taken: Arc<Mutex<HashMap<Network, NetworkPlaces>>>,
    /// The connections of proxies, which connect for many callers.
    of_proxies: CallerConnections,
}

/// The connections of one network.
#[derive(Debug)]
struct NetworkPlaces {
    taken: usize,
    anonymous: CallerConnections,
}

/// A permit that is not assigned to a network yet.
#[derive(Debug)]
pub(super) struct UnassignedPermit {
    permits: ConnectionPermits,
    permit: OwnedSemaphorePermit,
}

/// The permit of a connection, which is freed when it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    /// The network whose connection it is, if any.
    network: Option<Network>,
    anonymous: CallerConnections,
    taken: Arc<Mutex<HashMap<Network, NetworkPlaces>>>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionPermits {
    /// Makes the permits with these limits; at least one for each address.
    pub(super) fn new(listener: &'static str, limits: &ListenerLimits) -> Self {
        Self {
            listener,
            all: Arc::new(Semaphore::new(limits.connections_max)),
            of_one_max: limits.address_connections_max.max(1),
            anonymous_max: limits.anonymous_connections_max,
            taken: Arc::default(),
            of_proxies: CallerConnections::new(limits.connections_max),
        }
    }

    /// Waits for a permit; `None` when the listener has ended.
    pub(super) async fn acquire(&self) -> Option<UnassignedPermit> {
        let permit = Arc::clone(&self.all).acquire_owned().await.ok()?;
        Some(UnassignedPermit { permits: self.clone(), permit })
    }
}

impl UnassignedPermit {
    /// Assigns the permit to a connection of a proxy, which has no limit of its own because it connects for many callers.
    pub(super) fn assign_to_proxy(self) -> ConnectionPermit {
        let ConnectionPermits { of_proxies, taken, .. } = self.permits;
        ConnectionPermit { network: None, anonymous: of_proxies, taken, _permit: self.permit }
    }

    /// Frees the permit and counts a refused connection with this reason.
    pub(super) fn refuse(self, reason: &'static str) {
        metrics::counter!(REFUSED, "listener" => self.permits.listener, "reason" => reason).increment(1);
    }

    /// Assigns the permit to a connection from this address. If the address has reached its limit, the refusal is counted and `None` is
    /// returned.
    pub(super) fn assign_to(self, address: IpAddr) -> Option<ConnectionPermit> {
        let network = Network::from_address(address);
        let mut taken = self.permits.taken.lock();
        let new = || NetworkPlaces { taken: 0, anonymous: CallerConnections::new(self.permits.anonymous_max) };
        let own = taken.entry(network).or_insert_with(new);
        if own.taken >= self.permits.of_one_max {
            metrics::counter!(REFUSED, "listener" => self.permits.listener, "reason" => "address").increment(1);
            return None;
        }
        own.taken = own.taken.saturating_add(1);
        let anonymous = own.anonymous.clone();
        drop(taken);
        let taken = Arc::clone(&self.permits.taken);
        Some(ConnectionPermit { network: Some(network), anonymous, taken, _permit: self.permit })
    }
}

impl ConnectionPermit {
    /// The connections of the network that have shown no certificate.
    pub(super) fn anonymous(&self) -> CallerConnections {
        self.anonymous.clone()
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let Some(network) = &self.network else { return };
        let mut taken = self.taken.lock();
        if let Some(own) = taken.get_mut(network) {
            own.taken = own.taken.saturating_sub(1);
            if own.taken == 0 {
                taken.remove(network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listener::tests::LIMITS;

    #[tokio::test]
    async fn tls_016_an_address_or_ipv6_subnet_has_a_limit_of_connections() {
        for (first, second, are_one) in [
            ("192.0.2.1", "192.0.2.2", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
        ] {
            let limits = ListenerLimits { connections_max: 8, address_connections_max: 1, ..LIMITS };
            let places = ConnectionPermits::new("test", &limits);
            let take = async |address: &str| places.acquire().await.unwrap().assign_to(address.parse().unwrap());
            let held = take(first).await.unwrap();
            assert_eq!(take(second).await.is_none(), are_one, "{first} {second}");
            drop(held);
            assert!(take(second).await.is_some(), "a place is free again: {first} {second}");
            assert_eq!((places.all.available_permits(), places.taken.lock().len()), (8, 0), "nothing is left behind");
        }
    }
}
