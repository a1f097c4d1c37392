//! Cached callers whose epochs are still being read. A request that only reads may be processed meanwhile, but no response may be sent
//! before the caller is confirmed.

use super::{CachedCaller, Caller, CallerProblem, CallerResolver};
use crate::callers::bearer_token;
use crate::certificates::ClientCertificate;
use lombard_domain::grant::Digest;
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// A caller as it was cached. Work done for it must be discarded unless [`CallerResolver::confirm`] returns `true`.
#[derive(Debug)]
#[must_use = "a caller that is not confirmed may have lost its access"]
pub struct UnconfirmedCaller {
    hash: Digest,
    known: CachedCaller,
}

impl UnconfirmedCaller {
    /// The cached caller.
    pub fn caller(&self) -> Arc<Caller> {
        Arc::clone(&self.known.caller)
    }
}

impl CallerResolver {
    /// Finds the caller of an `Authorization` header and a certificate, if it is cached, has not expired, and is bound to this certificate.
    /// Does not read storage. A caller that is not found here must be resolved.
    pub fn find_unconfirmed(
        &self,
        authorization: Option<&str>,
        certificate: &ClientCertificate,
    ) -> Option<UnconfirmedCaller> {
        let hash = lombard_jose::sha256(bearer_token(authorization).ok()?.as_bytes());
        let known = self.known.get(&hash)?;
        self.check(&known.caller, certificate).ok()?;
        Some(UnconfirmedCaller { hash, known })
    }

    /// Whether the cached caller is still current, by the same check of epochs that every request makes. If not, the caller must be
    /// resolved again.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn confirm(
        &self,
        found: &UnconfirmedCaller,
        certificate: &ClientCertificate,
    ) -> Result<bool, StoreError> {
        if self.unchanged(&found.hash).await?.is_none_or(|known| !Arc::ptr_eq(&known.caller, &found.known.caller)) {
            return Ok(false);
        }
        // Time has passed since the caller was found.
        match self.admit(found.known.clone(), certificate) {
            Ok(_) => Ok(true),
            Err(CallerProblem::Unavailable(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}
