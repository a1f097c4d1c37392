//! A cached caller whose epochs are being read: a request that only reads may be worked on meanwhile. Nothing of it may be
//! answered before the caller is confirmed.

use super::{CachedCaller, Caller, CallerProblem, CallerResolver};
use crate::callers::bearer_token;
use crate::certificates::ClientCertificate;
use lombard_domain::grant::Digest;
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// A caller as it was when it was cached. What is done for it is thrown away unless [`CallerResolver::confirm`] says that it is
/// still so.
#[derive(Debug)]
#[must_use = "a caller that is not confirmed may have lost its access"]
pub struct UnconfirmedCaller {
    hash: Digest,
    known: CachedCaller,
}

impl UnconfirmedCaller {
    /// The caller as it was.
    pub fn caller(&self) -> Arc<Caller> {
        Arc::clone(&self.known.caller)
    }
}

impl CallerResolver {
    /// The caller behind an `Authorization` header and a certificate, if it is cached and neither time nor certificate speak
    /// against it. Asks nobody; whoever is not found here is to be resolved.
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

    /// Whether the caller is still as it was: the same check, by the same epochs, that every request makes. If not, the caller
    /// is to be resolved anew.
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
        // Time has passed since it was found.
        match self.admit(found.known.clone(), certificate) {
            Ok(_) => Ok(true),
            Err(CallerProblem::Unavailable(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }
}
