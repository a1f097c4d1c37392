//! The part of an ephemeral server's start that runs while it already answers requests: what takes long and only some
//! requests need.

use super::signing::add_first_key;
use super::tls_reload::TlsReloader;
use super::{CoreServices, Sandbox, StartError};
use lombard_edge::start_barrier::{StartBarrier, StartBarrierOpener};

/// The rest of a start.
#[derive(Debug)]
pub(super) struct StartRemainder<S> {
    sandbox: Option<Sandbox>,
    seeded: S,
    openers: (StartBarrierOpener, StartBarrierOpener),
    barriers: StartBarriers,
}

/// What holds requests back until it is there.
#[derive(Debug, Clone)]
pub(super) struct StartBarriers {
    /// The first signing key, and the customers with their histories.
    pub(super) data: StartBarrier,
    /// The RSA certificate of the servers.
    pub(super) rsa: StartBarrier,
}

impl<S: Future<Output = Result<(), StartError>>> StartRemainder<S> {
    /// The rest of the start of this sandbox, whose customers this future makes.
    pub(super) fn new(sandbox: Option<Sandbox>, seeded: S) -> Self {
        let ((data_opener, data), (rsa_opener, rsa)) = (StartBarrier::closed(), StartBarrier::closed());
        Self { sandbox, seeded, openers: (data_opener, rsa_opener), barriers: StartBarriers { data, rsa } }
    }

    /// Its barriers, which are closed.
    pub(super) fn barriers(&self) -> StartBarriers {
        self.barriers.clone()
    }

    /// Does the rest, side by side, and opens the barriers.
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
