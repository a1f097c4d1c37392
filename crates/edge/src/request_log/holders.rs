//! Finds the applications whose certificate came with a request, for requests whose client is not known otherwise: an undefined path or
//! method, or a missing or unknown token.

use jiff::{SignedDuration, Timestamp};
use lombard_auth::AuthorisationServer;
use lombard_auth::certificates::ClientCertificate;
use lombard_auth::portal::find_clients_of_certificate;
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How long the holders of a certificate are cached.
const KEPT_FOR: SignedDuration = SignedDuration::from_secs(10);
/// How long it is cached that a certificate has no holder or that the search failed; short, because its client may be registered at any
/// moment.
const NOBODYS_FOR: SignedDuration = SignedDuration::from_secs(1);
/// The longest time that a response waits for the search.
const FOUND_WITHIN: Duration = Duration::from_millis(250);
/// The most cached certificates.
const KEPT_MAX: usize = 1024;

/// Finds the applications that a certificate belongs to. Clones share the cache.
#[derive(Debug, Clone)]
pub struct CertificateHolders(Arc<HolderCache>);

#[derive(Debug)]
struct HolderCache {
    auth: AuthorisationServer,
    found: Mutex<HashMap<Digest, FoundHolders>>,
    /// Held during a search in storage, so that one search runs at a time.
    search: tokio::sync::Mutex<()>,
}

/// The holders of a certificate, and until when they are cached (wall clock).
#[derive(Debug)]
struct FoundHolders {
    clients: Arc<[ClientId]>,
    until: Timestamp,
}

impl CertificateHolders {
    /// Searches the clients of this authorisation server.
    pub fn new(auth: AuthorisationServer) -> Self {
        Self(Arc::new(HolderCache { auth, found: Mutex::default(), search: tokio::sync::Mutex::default() }))
    }

    /// The active clients whose certificate this is; empty if they cannot be read within the time limit. Storage is searched at most once
    /// in some seconds for each certificate. Source: AS-022, AS-029.
    pub(super) async fn find(&self, certificate: &ClientCertificate) -> Arc<[ClientId]> {
        let HolderCache { auth, search, .. } = &*self.0;
        let thumbprint = certificate.thumbprint();
        if let Some(found) = self.found(&thumbprint) {
            return found;
        }
        let searching = async {
            let _searching = search.lock().await;
            if let Some(found) = self.found(&thumbprint) {
                return Ok(found);
            }
            let clients = find_clients_of_certificate(auth, certificate, None).await?;
            Ok::<_, StoreError>(clients.into_iter().map(|client| client.id).collect())
        };
        let clients: Arc<[ClientId]> = match timeout(FOUND_WITHIN, searching).await {
            Ok(Ok(clients)) => clients,
            Ok(Err(error)) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "the applications of a certificate cannot be read");
                Arc::default()
            }
            // The response does not wait longer for the log.
            Err(_) => Arc::default(),
        };
        self.keep(thumbprint, Arc::clone(&clients));
        clients
    }

    fn now(&self) -> Timestamp {
        self.0.auth.context.clocks.wall_now()
    }

    fn found(&self, thumbprint: &Digest) -> Option<Arc<[ClientId]>> {
        let now = self.now();
        let found = self.0.found.lock();
        found.get(thumbprint).filter(|it| now < it.until).map(|it| Arc::clone(&it.clients))
    }

    fn keep(&self, thumbprint: Digest, clients: Arc<[ClientId]>) {
        let now = self.now();
        let kept_for = if clients.is_empty() { NOBODYS_FOR } else { KEPT_FOR };
        let until = now.saturating_add(kept_for).unwrap_or(now);
        let mut found = self.0.found.lock();
        if found.len() >= KEPT_MAX {
            found.retain(|_, it| now < it.until);
        }
        if found.len() < KEPT_MAX {
            found.insert(thumbprint, FoundHolders { clients, until });
        }
    }
}
