//! Backchannel requests that the bank's identity provider puts to the customer, on a device that it reaches by itself.
//!
//! It takes the place of the pages only where its purpose states all that the customer agrees with
//! ([`AuthenticationPurpose::of_consent_on_device`]). The customer may still decide on the pages; the first answer counts.
//!
//! A login is a job. It is started by its first activation and polled by the others, so that a provider that is slow or down keeps no
//! client waiting. Source: AS-160, AS-142.

use crate::AuthorisationServer;
use crate::authorisation::approval::{self, ApprovalInput};
use crate::authorisation::journey::{ConsentAfterEnd, JourneyError, StoredRequest, cannot_decide};
use crate::authorisation::response::ResponseTarget;
use crate::authorisation::rules::RequestUse;
use crate::error::OAuthError;
use crate::provider_login::note_refusal;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::backchannel::BackchannelRequest;
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BackchannelRequestId, JobId, PsuId};
use lombard_domain::job::Job;
use lombard_domain::scope::Scopes;
use lombard_ports::identity::{
    AuthenticatedCustomer, AuthenticationPurpose, DecoupledLogin, DecoupledProgress, DecoupledRequest, LoginFailure,
};
use lombard_ports::store::{DueRows, Owned, ServerTransaction, StoreError};
use lombard_service::consents::AuthorisedSelection;
use lombard_service::payments::consents::select_default_payer;
use lombard_service::workers::quarantine_work;

/// The kind of job that puts a request to the customer; its subject is the request's id.
const LOGIN_JOB_KIND: &str = "backchannel-login";
/// How many logins are looked at at a time.
const BATCH: u32 = 32;
/// How long a node holds the lease of a batch: longer than its calls take.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// After how many seconds a provider that did not answer is asked again.
const RETRY_SECS: i64 = 5;

/// The job of a request that the provider can put to its customer; `None` if it is for the pages alone.
pub(super) fn login_job(
    auth: &AuthorisationServer,
    client: &Client,
    request: &BackchannelRequest,
    consent: &Consent,
) -> Option<Job> {
    auth.identity.decoupled_login()?;
    request.psu.as_ref()?;
    AuthenticationPurpose::of_consent_on_device(client, consent)?;
    Some(Job {
        id: JobId::new(auth.context.ids.generate_ordered_id().hyphenated().to_string()),
        kind: LOGIN_JOB_KIND.to_owned(),
        subject: request.id.as_str().to_owned(),
        due_at: request.created_at,
        attempts: 0,
    })
}

/// Starts and polls a batch of logins at the provider. Returns how many jobs were claimed; zero means that none is due.
///
/// # Errors
/// Storage's failure; the next activation finds the same jobs.
pub async fn advance_provider_logins(auth: &AuthorisationServer) -> Result<usize, OAuthError> {
    let Some(provider) = auth.identity.decoupled_login() else { return Ok(0) };
    let now = auth.context.clocks.wall_now();
    let until = now.saturating_add(LEASE).unwrap_or(Timestamp::MAX);
    let claimed = auth.context.store.write(move |tx| tx.jobs_claim(LOGIN_JOB_KIND, now, until, BATCH));
    let DueRows { rows: jobs, unreadable } = claimed.await?;
    let found = jobs.len().saturating_add(unreadable.len());
    let advanced = jobs.into_iter().map(|job| async move {
        let id = BackchannelRequestId::new(job.subject.as_str());
        let next = match advance(auth, provider, &id, now).await {
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
    quarantine_work(&auth.context.store, &auth.context.clocks, unreadable).await?;
    Ok(found)
}

/// Completes a job, or has it due again after so many seconds.
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

/// Takes a login one step further. After how many seconds the next step is due; `None` if the login is over.
async fn advance(
    auth: &AuthorisationServer,
    provider: &dyn DecoupledLogin,
    id: &BackchannelRequestId,
    now: Timestamp,
) -> Result<Option<i64>, OAuthError> {
    let wanted = id.clone();
    let found = auth.context.store.read::<_, StoreError, _>(move |tx| {
        let Some(request) = tx.backchannel_request(&wanted)?.filter(|request| request.is_live(now)) else {
            return Ok(None);
        };
        match (tx.client(&request.client)?, tx.consent(&request.client, &request.consent)?) {
            (Some(client), Owned::Mine(consent)) => Ok(Some((request, client, consent))),
            (Some(_) | None, _) => Ok(None),
        }
    });
    let Some((request, client, consent)) = found.await? else { return Ok(None) };
    let Some(psu) = request.psu.clone() else { return Ok(None) };
    let Some(purpose) = AuthenticationPurpose::of_consent_on_device(&client, &consent) else { return Ok(None) };
    let Some(memory) = request.provider_login.clone() else {
        let asked = DecoupledRequest {
            customer: &psu,
            purpose: &purpose,
            binding_message: request.binding_message.as_deref(),
            expiry_secs: request.expires_at.duration_since(now).as_secs().max(1),
        };
        return match provider.start(&asked).await {
            Ok(started) => {
                let (memory, hash) = (Some(started.memory), request.hash);
                let stored = auth.context.store.write(move |tx| {
                    if let Some(mut row) = tx.backchannel_for_update(&hash)? {
                        row.provider_login.clone_from(&memory);
                        tx.backchannel_update(&row)?;
                    }
                    Ok::<_, OAuthError>(())
                });
                stored.await.map(|()| Some(started.interval_secs))
            }
            // The pages are left to the customer.
            Err(LoginFailure::Refused(reason)) => {
                note_refusal(reason);
                Ok(None)
            }
            Err(LoginFailure::Cancelled) => Ok(None),
            Err(LoginFailure::Unavailable(error)) => Err(OAuthError::unavailable(error)),
        };
    };
    match provider.poll(&memory, &purpose).await {
        Ok(DecoupledProgress::Pending { after_secs }) => Ok(Some(after_secs)),
        Ok(DecoupledProgress::Authenticated(customer)) => {
            finish(auth, &request, &client, &consent, &customer).await.map(|()| None)
        }
        Err(LoginFailure::Cancelled) => refuse(auth, &request, ConsentAfterEnd::Rejected(None)).await.map(|()| None),
        Err(LoginFailure::Refused(reason)) => {
            note_refusal(reason);
            refuse(auth, &request, ConsentAfterEnd::Kept).await.map(|()| None)
        }
        Err(LoginFailure::Unavailable(error)) => Err(OAuthError::unavailable(error)),
    }
}

/// The customer authenticated for the consent, which is that of the request.
async fn finish(
    auth: &AuthorisationServer,
    request: &BackchannelRequest,
    client: &Client,
    consent: &Consent,
    customer: &AuthenticatedCustomer,
) -> Result<(), OAuthError> {
    let asking = auth.about(client, consent, Some(&customer.psu));
    let barred = cannot_decide(&asking, request.psu.as_ref(), &customer.psu, consent).await;
    if let Some((_, after)) = barred.map_err(own_failure)? {
        return refuse(auth, request, after).await;
    }
    let Some(chosen) = choose(&asking, &customer.psu, consent).await? else {
        return refuse(auth, request, ConsentAfterEnd::Kept).await;
    };
    let stored = StoredRequest::read(&request.request)?;
    let input = ApprovalInput {
        to: ResponseTarget { client: &client.id, redirect_uri: &stored.redirect_uri, state: None, mode: stored.mode },
        consent: &consent.id,
        psu: &customer.psu,
        factors: customer.factors.clone(),
        chosen,
        scopes: Scopes::parse(&stored.scope).map_err(OAuthError::server_error)?,
        auth_time: customer.at,
        acr: &stored.acr,
        nonce: None,
        code_challenge: None,
        request_object_use: RequestUse::Backchannel(request.hash),
    };
    let (approval, _page) = approval::prepare(auth, input).await?;
    let context = auth.context.clone();
    let settled =
        auth.context.store.write(move |tx| Ok::<_, OAuthError>(approval::approve_in(tx, &approval, &context)?));
    if let Err(refused) = settled.await? {
        tracing::info!(
            client.id = client.id.as_str(),
            error.code = refused.code.name(),
            "a decoupled approval came to nothing"
        );
    }
    Ok(())
}

/// The named account, if this customer may pay from it.
async fn choose(
    auth: &AuthorisationServer,
    psu: &PsuId,
    consent: &Consent,
) -> Result<Option<AuthorisedSelection>, OAuthError> {
    match consent.terms.payment() {
        Some(payment) => Ok(select_default_payer(&auth.context, psu, payment).await?.ok()),
        None => Ok(None),
    }
}

/// The request is denied; what becomes of the consent depends on why.
async fn refuse(
    auth: &AuthorisationServer,
    request: &BackchannelRequest,
    after: ConsentAfterEnd,
) -> Result<(), OAuthError> {
    let (client, consent, once) =
        (request.client.clone(), request.consent.clone(), RequestUse::Backchannel(request.hash));
    let context = auth.context.clone();
    let refused = auth.context.store.write(move |tx| match after {
        ConsentAfterEnd::Rejected(reason) => {
            Ok::<_, OAuthError>(approval::reject_request_in(tx, &client, &consent, &once, reason, &context)?)
        }
        ConsentAfterEnd::Kept => {
            tx.consent_for_update(&client, &consent)?;
            tx.journeys_finish_of_consent(&consent, None)?;
            Ok(once.spend(tx, &client, &context)?)
        }
    });
    refused.await.map(drop)
}

/// There is no page here that could be stale or gone.
fn own_failure(error: JourneyError) -> OAuthError {
    match error {
        JourneyError::Failed(error) => error,
        JourneyError::Unavailable(_) | JourneyError::Throttled(_) | JourneyError::Stale => {
            OAuthError::server_error("a decoupled login was judged by a page's rule")
        }
    }
}
