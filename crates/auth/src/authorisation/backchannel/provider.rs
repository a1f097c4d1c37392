//! Has the bank's identity provider ask the customer about a backchannel request, on a device that the provider reaches by itself.
//!
//! The device replaces the pages only where the purpose of the login states everything that the customer agrees to
//! ([`AuthenticationPurpose::of_consent_on_device`]). The customer may still decide on the pages; the first answer counts.
//!
//! Each login is a job. The first activation starts the login and later ones poll it, so that a slow or unavailable provider delays no
//! client. The state of the login is encrypted in the request's row. Source: AS-160, AS-142.

use super::sealed;
use crate::AuthorisationServer;
use crate::authorisation::approval::{self, ApprovalInput};
use crate::authorisation::journey::{ConsentAfterEnd, JourneyError, StoredRequest, cannot_decide};
use crate::authorisation::response::ResponseTarget;
use crate::authorisation::rules::OneTimeUse;
use crate::error::OAuthError;
use crate::provider_login::note_refusal;
use crate::throttle::DeviceRequests;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::backchannel::BackchannelRequest;
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, DecisionEvidence};
use lombard_domain::ids::{BackchannelRequestId, PsuId};
use lombard_domain::job::Job;
use lombard_domain::scope::Scopes;
use lombard_ports::identity::{
    AuthenticatedCustomer, AuthenticationFactor, AuthenticationPurpose, DecoupledLogin, DecoupledProgress,
    DecoupledRequest, LoginFailure,
};
use lombard_ports::store::{Owned, ServerTransaction, StoreError};
use lombard_service::consents::AuthorisedSelection;
use lombard_service::payments::consents::select_default_payer;
use lombard_service::workers::{ClaimedJobs, claim_jobs};
use serde::{Deserialize, Serialize};

/// The kind of job that has the provider ask the customer; its subject is the request's id.
const LOGIN_JOB_KIND: &str = "backchannel-login";
/// The name of the column that holds the state of a login.
const COLUMN: &str = "provider_login";
/// The most logins of one batch.
const BATCH: u32 = 32;
/// How long a node holds the lease of a batch: longer than the calls of a batch take.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// Seconds after which a failed step is repeated.
const RETRY_SECS: i64 = 5;
/// The most attempts to begin a login at a provider that does not respond.
const START_ATTEMPTS_MAX: i64 = 3;

/// The state of a login, as it is encrypted in the request's row. A request without one has not reached the provider.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LoginStage {
    /// The provider is asking the customer. Holds the value with which the provider is polled.
    Asked(String),
    /// The customer authenticated. The provider reports that only once, so it is stored, and the remaining steps can be repeated.
    Authenticated(StoredCustomer),
}

/// An [`AuthenticatedCustomer`] without the name, which no later step needs.
#[derive(Clone, Serialize, Deserialize)]
struct StoredCustomer {
    psu: PsuId,
    #[serde(with = "lombard_domain::stored")]
    at: Timestamp,
    factors: Vec<AuthenticationFactor>,
}

/// The job of a request about which the provider can ask the customer; `None` if the customer must decide on the pages.
pub(super) fn login_job(
    auth: &AuthorisationServer,
    client: &Client,
    request: &BackchannelRequest,
    consent: &Consent,
) -> Option<Job> {
    auth.identity.decoupled_login()?;
    request.psu.as_ref()?;
    AuthenticationPurpose::of_consent_on_device(client, consent)?;
    Some(Job::new(auth.context.ids.ordered(), LOGIN_JOB_KIND, request.id.as_str(), request.created_at))
}

/// Starts and polls a batch of logins at the provider. Returns how many jobs were claimed; zero means that none is due.
///
/// # Errors
/// Storage's failure; the next activation finds the same jobs.
pub async fn advance_provider_logins(auth: &AuthorisationServer) -> Result<usize, OAuthError> {
    let Some(provider) = auth.identity.decoupled_login() else { return Ok(0) };
    let now = auth.context.clocks.wall_now();
    let ClaimedJobs { jobs, found } = claim_jobs(&auth.context, LOGIN_JOB_KIND, now, LEASE, BATCH).await?;
    let advanced = jobs.into_iter().map(|job| async move {
        let next = match advance(auth, provider, &job, now).await {
            Ok(next) => next,
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "a decoupled login failed for now");
                Some(RETRY_SECS)
            }
        };
        if let Err(error) = finish_job(auth, job, next, now).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "a job was neither completed nor released");
        }
    });
    futures_util::future::join_all(advanced).await;
    Ok(found)
}

/// Completes a job, or makes it due again after the given number of seconds.
async fn finish_job(
    auth: &AuthorisationServer,
    job: Job,
    next_secs: Option<i64>,
    now: Timestamp,
) -> Result<(), OAuthError> {
    let due_at = next_secs.map(|secs| now.saturating_add(SignedDuration::from_secs(secs)).unwrap_or(Timestamp::MAX));
    let done = move |tx: &mut dyn ServerTransaction| match due_at {
        Some(due_at) => Ok::<_, OAuthError>(tx.job_release(&job.id, due_at)?),
        None => Ok(tx.job_complete(&job.id).map(drop)?),
    };
    auth.context.store.write(done).await
}

/// A login at the provider, and the request that it may answer.
struct DeviceLogin<'a> {
    auth: &'a AuthorisationServer,
    provider: &'a dyn DecoupledLogin,
    request: BackchannelRequest,
    client: Client,
    consent: Consent,
    /// The customer who is asked.
    customer: PsuId,
    purpose: AuthenticationPurpose,
}

/// Takes a login one step further. Returns the seconds after which the next step is due; `None` if the login is over or not possible on a
/// device. The customer can then still decide on the pages, unless the request is answered.
async fn advance(
    auth: &AuthorisationServer,
    provider: &dyn DecoupledLogin,
    job: &Job,
    now: Timestamp,
) -> Result<Option<i64>, OAuthError> {
    let wanted = BackchannelRequestId::new(job.subject.as_str());
    let found = auth.context.store.read::<_, StoreError, _>(move |tx| {
        let Some(request) = tx.backchannel_request(&wanted)?.filter(|request| request.is_live(now)) else {
            return Ok(None);
        };
        match (tx.client(&request.client)?.filter(Client::may_act), tx.consent(&request.client, &request.consent)?) {
            (Some(client), Owned::Mine(consent)) => Ok(Some((request, client, consent))),
            (Some(_) | None, _) => Ok(None),
        }
    });
    let Some((request, client, consent)) = found.await? else { return Ok(None) };
    let purpose = AuthenticationPurpose::of_consent_on_device(&client, &consent);
    let (Some(customer), Some(purpose)) = (request.psu.clone(), purpose) else { return Ok(None) };
    let stage = match request.provider_login.as_deref() {
        None => None,
        Some(sealed) => match sealed::open(auth, COLUMN, &request.id, sealed) {
            Some(stage) => Some(stage),
            None => {
                tracing::error!(client.id = client.id.as_str(), "a decoupled login cannot be opened");
                return Ok(None);
            }
        },
    };
    let login = DeviceLogin { auth, provider, request, client, consent, customer, purpose };
    match stage {
        None if job.attempts > START_ATTEMPTS_MAX => Ok(None),
        None => login.start(now).await,
        Some(LoginStage::Asked(memory)) => login.poll(&memory).await,
        Some(LoginStage::Authenticated(stored)) => login.finish(&stored).await.map(|()| None),
    }
}

impl DeviceLogin<'_> {
    /// Has the provider ask the customer, if the customer may pay from the named account and has not been asked too often.
    async fn start(&self, now: Timestamp) -> Result<Option<i64>, OAuthError> {
        if self.choose(&self.customer).await?.is_none() || !self.count(now).await? {
            tracing::info!(client.id = self.client.id.as_str(), "a backchannel request is left to the pages");
            return Ok(None);
        }
        let left = self.request.expires_at.duration_since(now);
        let asked = DecoupledRequest {
            customer: &self.customer,
            purpose: &self.purpose,
            binding_message: self.request.binding_message.as_deref(),
            // Rounded up, so that the provider does not give up before the request does.
            expiry_secs: left.as_secs().saturating_add(i64::from(left.subsec_nanos() > 0)),
        };
        match self.provider.start(&asked).await {
            Ok(pending) => {
                self.store_stage(&LoginStage::Asked(pending.verification_state)).await?;
                Ok(Some(pending.interval_secs))
            }
            Err(LoginFailure::Refused(reason)) => {
                note_refusal(reason);
                Ok(None)
            }
            Err(LoginFailure::Cancelled) => Ok(None),
            Err(LoginFailure::Unavailable(error)) => Err(OAuthError::unavailable(error)),
        }
    }

    /// Counts the request against the client and the customer, before the provider is called.
    async fn count(&self, now: Timestamp) -> Result<bool, OAuthError> {
        let requests = DeviceRequests::new(&self.client.id, &self.customer);
        self.auth.context.store.write(move |tx| Ok::<_, OAuthError>(requests.count_in(tx, now)?)).await
    }

    /// Asks the provider how the login stands.
    async fn poll(&self, memory: &str) -> Result<Option<i64>, OAuthError> {
        match self.provider.poll(memory, &self.purpose).await {
            Ok(DecoupledProgress::Pending(pending)) => {
                if pending.verification_state != memory {
                    self.store_stage(&LoginStage::Asked(pending.verification_state)).await?;
                }
                Ok(Some(pending.interval_secs))
            }
            Ok(DecoupledProgress::Authenticated(AuthenticatedCustomer { psu, at, factors, .. })) => {
                let customer = StoredCustomer { psu, at, factors };
                self.store_stage(&LoginStage::Authenticated(customer.clone())).await?;
                self.finish(&customer).await.map(|()| None)
            }
            Ok(DecoupledProgress::Unanswered(reason)) => {
                tracing::info!(client.id = self.client.id.as_str(), reason, "a decoupled login was not answered");
                Ok(None)
            }
            Err(LoginFailure::Cancelled) => self.refuse(ConsentAfterEnd::Rejected(None)).await.map(|()| None),
            Err(LoginFailure::Refused(reason)) => {
                note_refusal(reason);
                self.refuse(ConsentAfterEnd::Kept).await.map(|()| None)
            }
            Err(LoginFailure::Unavailable(error)) => Err(OAuthError::unavailable(error)),
        }
    }

    /// Stores what became of the login with its request.
    async fn store_stage(&self, stage: &LoginStage) -> Result<(), OAuthError> {
        let sealed = sealed::seal(self.auth, COLUMN, &self.request.id, stage)?;
        let hash = self.request.hash;
        let stored = self.auth.context.store.write(move |tx| {
            if let Some(mut row) = tx.backchannel_for_update(&hash)? {
                row.provider_login = Some(sealed.clone());
                tx.backchannel_update(&row)?;
            }
            Ok::<_, OAuthError>(())
        });
        stored.await
    }

    /// Decides the request for a customer who has authenticated for its consent.
    async fn finish(&self, by: &StoredCustomer) -> Result<(), OAuthError> {
        let asking = self.auth.about(&self.client, &self.consent, Some(&by.psu));
        let barred = cannot_decide(&asking, Some(&self.customer), &by.psu, &self.consent).await;
        if let Some((_, after)) = barred.map_err(own_failure)? {
            return self.refuse(after).await;
        }
        let Some(chosen) = self.choose(&by.psu).await? else { return self.refuse(ConsentAfterEnd::Kept).await };
        let (client, stored) = (&self.client.id, StoredRequest::read(&self.request.request)?);
        let input = ApprovalInput {
            to: ResponseTarget { client, redirect_uri: &stored.redirect_uri, state: None, mode: stored.mode },
            consent: &self.consent.id,
            psu: &by.psu,
            factors: by.factors.clone(),
            // The customer saw the pages of the bank's identity provider.
            evidence: DecisionEvidence::default(),
            chosen,
            scopes: Scopes::parse(&stored.scope).map_err(OAuthError::server_error)?,
            auth_time: by.at,
            acr: &stored.acr,
            nonce: None,
            code_challenge: None,
            request_object_use: OneTimeUse::Backchannel(self.request.hash),
        };
        let (approval, _page) = approval::prepare(self.auth, input).await?;
        let (context, store) = (self.auth.context.clone(), &self.auth.context.store);
        let settled = store.write(move |tx| Ok::<_, OAuthError>(approval::approve_in(tx, &approval, &context)?));
        if let Err(refused) = settled.await? {
            let code = refused.code.name();
            tracing::info!(client.id = client.as_str(), error.code = code, "a decoupled approval was refused");
        }
        Ok(())
    }

    /// The named account, if this customer may pay from it.
    async fn choose(&self, psu: &PsuId) -> Result<Option<AuthorisedSelection>, OAuthError> {
        let asking = self.auth.about(&self.client, &self.consent, Some(psu));
        match self.consent.request.payment() {
            Some(payment) => Ok(select_default_payer(&asking.context, psu, payment).await?.ok()),
            None => Ok(None),
        }
    }

    /// Denies the request; the parameter says what happens to the consent.
    async fn refuse(&self, after: ConsentAfterEnd) -> Result<(), OAuthError> {
        let (client, consent) = (self.request.client.clone(), self.request.consent.clone());
        let (request_use, context) = (OneTimeUse::Backchannel(self.request.hash), self.auth.context.clone());
        let refused = self.auth.context.store.write(move |tx| match after {
            ConsentAfterEnd::Rejected(reason) => Ok::<_, OAuthError>(approval::reject_request_in(
                tx,
                &client,
                &consent,
                &request_use,
                None,
                reason,
                &context,
            )?),
            ConsentAfterEnd::Kept => {
                tx.consent_for_update(&client, &consent)?;
                tx.journeys_finish_of_consent(&consent, None)?;
                Ok(request_use.spend(tx, &client, &context)?)
            }
        });
        refused.await.map(drop)
    }
}

/// Converts a journey's error. The errors of stale or missing pages cannot occur here, because there is no page.
fn own_failure(error: JourneyError) -> OAuthError {
    match error {
        JourneyError::Failed(error) => error,
        JourneyError::Unavailable(_) | JourneyError::Throttled(_) | JourneyError::Stale => {
            OAuthError::server_error("a decoupled login was judged by a page's rule")
        }
    }
}

#[cfg(test)]
mod tests;
