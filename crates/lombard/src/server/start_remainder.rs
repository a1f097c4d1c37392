//! The part of an ephemeral server's start that continues while the server already answers requests. It contains slow work that only some
//! requests need.

use super::signing::add_first_key;
use super::tls_reload::TlsReloader;
use super::{CoreServices, Sandbox, StartError};
use lombard_edge::start_barrier::{StartBarrier, StartBarrierOpener};
use lombard_sandbox::seed::SeedProgress;

/// The remaining work of a start.
#[derive(Debug)]
pub(super) struct DeferredStart<S> {
    sandbox: Option<Sandbox>,
    seeded: S,
    openers: (StartBarrierOpener, StartBarrierOpener),
    barriers: StartBarriers,
}

/// The barriers at which requests wait until the data that they need is available.
#[derive(Debug, Clone)]
pub(super) struct StartBarriers {
    /// Opened when the first signing key and the customers with their histories exist.
    pub(super) data: StartBarrier,
    /// Opened when the RSA certificate of the servers exists.
    pub(super) rsa: StartBarrier,
}

impl<S: Future<Output = Result<(), StartError>>> DeferredStart<S> {
    /// The remaining start of this sandbox. The future `seeded` creates its customers.
    pub(super) fn new(sandbox: Option<Sandbox>, seeded: S) -> Self {
        let ((data_opener, data), (rsa_opener, rsa)) = (StartBarrier::closed(), StartBarrier::closed());
        Self { sandbox, seeded, openers: (data_opener, rsa_opener), barriers: StartBarriers { data, rsa } }
    }

    /// The barriers of the remaining work, which are closed at first.
    pub(super) fn barriers(&self) -> StartBarriers {
        self.barriers.clone()
    }

    /// Does the remaining work concurrently and opens the barriers.
    pub(super) async fn complete(self, services: &CoreServices, tls: &TlsReloader) -> Result<(), StartError> {
        let Self { sandbox, seeded, openers: (data, rsa), .. } = self;
        let data = async {
            tokio::try_join!(add_first_key(services, sandbox.as_ref()), seeded)?;
            data.open();
            Ok::<(), StartError>(())
        };
        let rsa = async {
            tls.add_rsa_certificate().await?;
            rsa.open();
            Ok::<(), StartError>(())
        };
        tokio::try_join!(rsa, data).map(drop)
    }
}

/// Discards progress.
#[derive(Debug)]
pub(super) struct NoSeedProgress;

impl SeedProgress for NoSeedProgress {
    fn set_total(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}
