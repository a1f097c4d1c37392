//! Reads of account information that do not wait until their caller is confirmed: the records are asked for at the same time as the
//! epochs of client, grant and consent.
//!
//! Nothing of it leaves the server unless the check succeeds. If anything has changed, the answer, refusals included, is thrown
//! away, and the request begins again as one of an unknown caller. Only lists and records of account information are read so: they
//! change nothing, and only a bank that permits it is asked (`Bank::may_be_asked_early`).

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
use lombard_edge::faults::may_be_struck;
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
    /// The request, if it may be worked on before its caller is confirmed.
    pub(super) fn find(endpoint: &ApiEndpoint, app: &App, parts: &Parts) -> Option<Self> {
        let is_plain_read = endpoint.method == HttpMethod::Get
            && endpoint.group == EndpointGroup::AccountInformation
            && endpoint.grant == RequiredGrant::Psu;
        // A fault strikes before any work is done.
        if !is_plain_read || !app.context.bank.may_be_asked_early() || may_be_struck() {
            return None;
        }
        let certificate = parts.extensions.get::<Arc<ClientCertificate>>()?;
        // Refused without a look at the token if too many invalid ones came with this certificate.
        app.attempt_with(Some(certificate)).ok()?.forgive();
        let found = app.auth.callers.find_unconfirmed(authorization(parts).ok()?, certificate)?;
        let log = parts.extensions.get::<ClientForLog>().cloned();
        Some(Self { found, certificate: Arc::clone(certificate), log })
    }

    /// The caller as it was when it was cached.
    pub(super) fn caller(&self) -> Arc<Caller> {
        self.found.caller()
    }

    /// Does the work while the caller is confirmed. `None` if it is not the caller any more that it was.
    ///
    /// # Errors
    /// Storage's failure.
    pub(super) async fn confirmed(
        self,
        app: &App,
        work: impl Future<Output = Result<Response, ApiError>>,
    ) -> Result<Option<Result<Response, ApiError>>, ApiError> {
        // The epochs are asked for first.
        let (confirmed, answer) = join(app.auth.callers.confirm(&self.found, &self.certificate), work).await;
        let confirmed = confirmed.map_err(|error| ApiError::from(CallerProblem::Unavailable(error)))?;
        if let Some(log) = self.log.filter(|_| confirmed) {
            log.set(&self.found.caller().client);
        }
        Ok(confirmed.then_some(answer))
    }
}
