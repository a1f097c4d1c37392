//! Fetches the key sets of clients again even if no signature needs them, so that revocations and withdrawals by a directory also take
//! effect for clients that sign nothing. Source: TLS-006, DCR-044.

use super::ClientKeys;
use super::published::REFRESH_AGE;
use crate::certificates::ClientCertificate;
use jiff::SignedDuration;
use lombard_domain::client::{Client, KeySetAddress};
use lombard_domain::ids::ClientId;
use lombard_ports::store::StoreError;
use std::collections::HashSet;
use tokio::task::JoinSet;

/// The interval between two checks for key sets that are due.
const LOOK_INTERVAL: SignedDuration = SignedDuration::from_secs(60);
/// The number of clients that are read at a time.
const PAGE: u32 = 500;
/// The most concurrent fetches.
const FETCHES_MAX: usize = 8;

impl ClientKeys {
    /// Reads the stored key sets of all clients without fetching any. To be called before the server accepts requests, so that revocations
    /// stay in force over a restart.
    ///
    /// # Errors
    /// [`StoreError`] if the clients cannot be listed. A key set that cannot be read is logged.
    pub async fn load_key_sets(&self) -> Result<(), StoreError> {
        let addresses = self.addresses().await?;
        self.retain_only(&addresses);
        for address in addresses {
            self.load(&address, &self.entry(&address)).await;
        }
        Ok(())
    }

    /// Fetches the key sets of all clients that are due, at most once a minute.
    ///
    /// # Errors
    /// [`StoreError`] if the clients cannot be listed. A key set that cannot be fetched is logged.
    pub async fn refresh_key_sets(&self) -> Result<(), StoreError> {
        let now = self.0.clocks.wall_now();
        {
            let mut looked_at = self.0.looked_at.lock();
            if looked_at.is_some_and(|then| now.duration_since(then) < LOOK_INTERVAL) {
                return Ok(());
            }
            *looked_at = Some(now);
        }
        let addresses = self.addresses().await?;
        self.retain_only(&addresses);
        let mut addresses = addresses.into_iter();
        let mut fetches = JoinSet::new();
        loop {
            while fetches.len() < FETCHES_MAX
                && let Some(address) = addresses.next()
            {
                let keys = self.clone();
                fetches.spawn(async move { keys.keys_at(&address, None, REFRESH_AGE).await.is_some() });
            }
            if fetches.join_next().await.is_none() {
                return Ok(());
            }
        }
    }

    /// Keeps the key sets at these addresses in memory, and allows the eviction of others.
    fn retain_only(&self, addresses: &HashSet<KeySetAddress>) {
        addresses.iter().for_each(|address| self.retain(address));
        let mut of_clients = self.0.of_clients.write();
        let gone: Vec<_> = of_clients.extract_if(|address, _| !addresses.contains(address)).collect();
        drop(of_clients);
        gone.into_iter().for_each(|(address, known)| self.0.published.insert(address, known));
    }

    /// The addresses at which the software of active clients publishes its keys.
    async fn addresses(&self) -> Result<HashSet<KeySetAddress>, StoreError> {
        let mut addresses = HashSet::new();
        let mut after: Option<ClientId> = None;
        loop {
            let from = after.take();
            let page = self.0.store.read::<_, StoreError, _>(move |tx| tx.clients_page(from.as_ref(), PAGE)).await?;
            let active = page.clients.iter().filter(|client| client.may_act());
            addresses.extend(active.filter_map(|client| client.jwks.address().cloned()));
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(addresses),
            }
        }
    }

    /// Whether the directory has revoked this certificate for the software of the client, by the key set fetched last. Source: TLS-006,
    /// DCR-022.
    pub fn is_revoked(&self, client: &Client, certificate: &ClientCertificate) -> bool {
        let published = client.jwks.address().and_then(|address| self.known(address));
        let keys = published.and_then(|published| published.state.lock().keys.clone());
        keys.is_some_and(|keys| keys.revokes_certificate(&certificate.thumbprint(), certificate.key_thumbprint()))
    }

    /// Whether the directory has withdrawn the software of the client: it publishes none of its keys any more. Source: DCR-044.
    pub fn is_withdrawn(&self, client: &Client) -> bool {
        let published = client.jwks.address().and_then(|address| self.known(address));
        published.is_some_and(|published| published.state.lock().is_withdrawn(self.0.clocks.wall_now()))
    }
}
