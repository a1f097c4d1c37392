//! Reads account information before the caller is confirmed: the records are read at the same time as the epochs of client, grant and
//! consent.
//!
//! No response is sent unless the check succeeds. If anything has changed, the response, even a refusal, is discarded, and the request
//! begins again with an unknown caller. Only lists and records of account information are read early, because they change nothing, and only
//! from a bank that permits it (`Bank::allows_early_reads`).

use super::authorization::authorization;
use axum::response::Response;
use futures_util::future::join;
use http::request::Parts;
use lombard_auth::callers::{Caller, CallerProblem, UnconfirmedCaller};
use lombard_auth::certificates::ClientCertificate;
use lombard_edge::App;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::{EndpointGroup, HttpMethod, RequiredGrant};
use lombard_edge::error::ApiError;
use lombard_edge::faults::has_fault_point;
use lombard_edge::layers::ClientForLog;
use std::future::Future;
use std::sync::Arc;

/// A request whose caller is cached.
pub(super) struct EarlyRead {
    found: UnconfirmedCaller,
    certificate: Arc<ClientCertificate>,
    log: Option<ClientForLog>,
}

impl EarlyRead {
    /// Finds the cached caller of a request that may be processed before the caller is confirmed.
    pub(super) fn find(endpoint: &ApiEndpoint, app: &App, parts: &Parts) -> Option<Self> {
        let is_plain_read = endpoint.method == HttpMethod::Get
            && endpoint.group == EndpointGroup::AccountInformation
            && endpoint.grant == RequiredGrant::Psu;
        // An injected fault applies before any work is done.
        if !is_plain_read || !app.context.bank.allows_early_reads() || has_fault_point() {
            return None;
        }
        let certificate = parts.extensions.get::<Arc<ClientCertificate>>()?;
        // After too many invalid tokens with this certificate, the request is refused without checking its token.
        app.attempt_with(Some(certificate)).ok()?.uncount();
        let found = app.auth.callers.find_unconfirmed(authorization(parts).ok()?, certificate)?;
        let log = parts.extensions.get::<ClientForLog>().cloned();
        Some(Self { found, certificate: Arc::clone(certificate), log })
    }

    /// The cached caller.
    pub(super) fn caller(&self) -> Arc<Caller> {
        self.found.caller()
    }

    /// Runs the work while the caller is confirmed. `None` if the cached caller is outdated.
    ///
    /// # Errors
    /// Storage's failure.
    pub(super) async fn confirmed(
        self,
        app: &App,
        work: impl Future<Output = Result<Response, ApiError>>,
    ) -> Result<Option<Result<Response, ApiError>>, ApiError> {
        // The epochs are requested first.
        let (confirmed, answer) = join(app.auth.callers.confirm(&self.found, &self.certificate), work).await;
        let confirmed = confirmed.map_err(|error| ApiError::from(CallerProblem::Unavailable(error)))?;
        if let Some(log) = self.log.filter(|_| confirmed) {
            let caller = self.found.caller();
            log.set(&caller.client);
            caller.consent.iter().for_each(|consent| log.set_consent(&consent.id));
        }
        Ok(confirmed.then_some(answer))
    }
}
