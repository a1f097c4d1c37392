//! Resolves the caller of a request by its token, and counts failed attempts against its certificate.

use super::App;
use crate::endpoint_facts::RateGroup;
use crate::layers::ClientForLog;
use crate::limits::{Attempt, RateExceeded, RateLimitKey};
use lombard_auth::callers::{Caller, CallerProblem};
use lombard_auth::certificates::ClientCertificate;
use std::sync::Arc;

impl App {
    /// Authenticates the caller by its token, and records the client for the log. After too many invalid tokens with this certificate, the
    /// request is refused without a query of storage.
    ///
    /// # Errors
    /// [`RateExceeded`]; the fault of the token, which counts as a failure; or storage's failure.
    pub async fn admit_caller<E: From<RateExceeded> + From<CallerProblem>>(
        &self,
        certificate: Option<&ClientCertificate>,
        authorization: Option<&str>,
        known: Option<&ClientForLog>,
    ) -> Result<Arc<Caller>, E> {
        let attempt = self.attempt_with(certificate)?;
        let found = self.auth.callers.resolve_caller_from_header(authorization, certificate).await;
        match &found {
            Ok(_) | Err(CallerProblem::Unavailable(_)) => attempt.uncount(),
            // This request is refused for its token; only the next one exceeds the rate.
            Err(_) => drop(attempt),
        }
        if let Some(known) = known {
            match &found {
                Ok(caller) => {
                    known.set(&caller.client);
                    caller.consent.iter().for_each(|consent| known.set_consent(&consent.id));
                }
                Err(problem) => problem.client().into_iter().for_each(|client| known.set_refused(client)),
            }
        }
        Ok(found?)
    }

    /// Counts a token or a client authentication of this certificate before it is checked.
    ///
    /// # Errors
    /// [`RateExceeded`] if too many of them were refused or are being checked.
    pub fn attempt_with(&self, certificate: Option<&ClientCertificate>) -> Result<Attempt<'_>, RateExceeded> {
        let Some(certificate) = certificate else { return Ok(Attempt::default()) };
        let holder = RateLimitKey::Certificate(certificate.thumbprint());
        self.throttle.attempt(RateGroup::Failures, holder, self.context.clocks.wall_now())
    }
}
