//! Notifies clients that registered for ping that a request was answered, and that they can fetch the tokens or the refusal.
//!
//! A notification is a job that is stored in the transaction of the answer. A client that cannot be reached can still poll.
//!
//! Source: AS-160, CIBA Core section 10.2.

use super::sealed;
use crate::AuthorisationServer;
use crate::authorisation::rules::NOTIFICATION_JOB_KIND;
use crate::error::OAuthError;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::backchannel::BackchannelDelivery;
use lombard_domain::client::Client;
use lombard_domain::ids::BackchannelRequestId;
use lombard_domain::job::Job;
use lombard_ports::notification::{BackchannelNotification, NotificationError, NotificationSender};
use lombard_ports::store::{DueRows, ServerTransaction, StoreError};
use lombard_service::workers::quarantine_work;
use serde::{Deserialize, Serialize};

/// The most notifications of one batch.
const BATCH: u32 = 32;
/// The most notifications of a batch for one client, so that a client that does not respond delays only these.
const OF_CLIENT_MAX: u32 = 2;
/// How long a node holds the lease of a batch: longer than the calls of a batch take.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// The most attempts to send one notification.
const ATTEMPTS_MAX: i64 = 4;
/// The name of the column that [`seal`] encrypts for.
const COLUMN: &str = "notification";

/// The data that a notification needs, as it is encrypted in the request's row.
#[derive(Serialize, Deserialize)]
struct SealedNotification {
    auth_req_id: String,
    token: String,
}

/// Encrypts the data that the notification of a request needs.
///
/// # Errors
/// The cryptographic library's failure.
pub(super) fn seal(
    auth: &AuthorisationServer,
    id: &BackchannelRequestId,
    auth_req_id: &str,
    token: &str,
) -> Result<String, OAuthError> {
    let secrets = SealedNotification { auth_req_id: auth_req_id.to_owned(), token: token.to_owned() };
    sealed::seal(auth, COLUMN, id, &secrets)
}

/// Sends a batch of notifications. Returns how many jobs were claimed; zero means that none is due. A notification that gets no response,
/// or a 5xx, is tried again a few times and then dropped.
///
/// # Errors
/// Storage's failure; the next activation finds the same jobs.
pub async fn send_notifications(
    auth: &AuthorisationServer,
    sender: &dyn NotificationSender,
) -> Result<usize, OAuthError> {
    let now = auth.context.clocks.wall_now();
    let until = now.saturating_add(LEASE).unwrap_or(Timestamp::MAX);
    let claimed = auth
        .context
        .store
        .write(move |tx| tx.jobs_claim_by_client(NOTIFICATION_JOB_KIND, now, until, BATCH, OF_CLIENT_MAX));
    let DueRows { rows: jobs, unreadable } = claimed.await?;
    let found = jobs.len().saturating_add(unreadable.len());
    let sent = jobs.into_iter().map(|job| async move {
        if let Err(error) = send(auth, sender, job, now).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a notification was neither completed nor released"
            );
        }
    });
    futures_util::future::join_all(sent).await;
    quarantine_work(&auth.context.store, &auth.context.clocks, unreadable).await?;
    Ok(found)
}

async fn send(
    auth: &AuthorisationServer,
    sender: &dyn NotificationSender,
    job: Job,
    now: Timestamp,
) -> Result<(), OAuthError> {
    let id = BackchannelRequestId::new(job.subject.as_str());
    let wanted = id.clone();
    let found = auth.context.store.read::<_, StoreError, _>(move |tx| {
        let Some(request) = tx.backchannel_request(&wanted)? else { return Ok(None) };
        Ok(tx.client(&request.client)?.filter(Client::may_act).map(|client| (request, client)))
    });
    // An expired request has nothing to fetch. The registration is read again: a client is notified only at the address that it has now,
    // and not if it is disabled or deleted (AS-113).
    let Some((request, client)) = found.await?.filter(|(request, _)| now < request.expires_at) else {
        return complete(auth, job).await;
    };
    let (Some(BackchannelDelivery::Ping { endpoint }), Some(sealed)) = (&client.backchannel, &request.notification)
    else {
        return complete(auth, job).await;
    };
    let Some(SealedNotification { auth_req_id, token }) = sealed::open(auth, COLUMN, &id, sealed) else {
        tracing::error!(client.id = client.id.as_str(), "what a notification needs cannot be opened");
        return complete(auth, job).await;
    };
    let notification = BackchannelNotification { endpoint, token: &token, auth_req_id: &auth_req_id };
    let outcome = sender.notify(&notification).await.inspect_err(|error| {
        let error = error as &dyn std::error::Error;
        tracing::warn!(client.id = client.id.as_str(), error, "a client was not notified");
    });
    let outcome_name = if outcome.is_ok() { "sent" } else { "failed" };
    metrics::counter!("lombard_backchannel_notifications_total", "outcome" => outcome_name).increment(1);
    // A missing response or a failure of the client's server may be temporary. Any other response would be the same the next time.
    let may_pass = matches!(outcome, Err(NotificationError::Failed(_)));
    if !may_pass || job.attempts >= ATTEMPTS_MAX {
        return complete(auth, job).await;
    }
    let wait = SignedDuration::from_secs(job.attempts.saturating_mul(job.attempts));
    let due_at = now.saturating_add(wait).unwrap_or(Timestamp::MAX);
    auth.context.store.write(move |tx| Ok::<_, OAuthError>(tx.job_release(&job.id, due_at)?)).await
}

async fn complete(auth: &AuthorisationServer, job: Job) -> Result<(), OAuthError> {
    let done = move |tx: &mut dyn ServerTransaction| Ok::<_, OAuthError>(tx.job_complete(&job.id).map(drop)?);
    auth.context.store.write(done).await
}
