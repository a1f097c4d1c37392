//! Answers the polls of clients. A poll that finds no event may be held until there is an event. Source: EVT-035 to EVT-057,
//! EVT-070 to EVT-079.

use super::deliveries::{DeliveryReceipt, UnwrittenDeliveries};
use super::meters::QueueMeters;
use super::poll_transaction::{PollInput, QueueQuery, QueueSnapshot};
use super::settings::PollingSettings;
use super::waiters::{HeldPollLimits, Waiter, WaiterRegistry, WakeReason};
use crate::{Context, Failure};
use futures_util::StreamExt;
use futures_util::stream::iter;
use jiff::Timestamp;
use lombard_domain::event::EventPoll;
use lombard_domain::ids::{ClientId, EventId};
use lombard_domain::scope::Scopes;
use lombard_domain::version::Version;
use lombard_ports::sets::{SetError, SetSigner};
use lombard_ports::store::{
    EventDelivery, EventOwner, OfferedEvent, OfferedEventForm, ServerTransaction, StoreError, StoredSignature,
};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// The number of signatures of one response that are made concurrently; the limit leaves capacity for other callers.
const SIGNED_AT_ONCE: usize = 8;

/// The number of ids that are looked up in one read. On SQLite a read blocks its thread, so it must be short.
const KNOWN_AT_ONCE: usize = 500;

/// The number of signatures that all responses together make concurrently. Further signatures wait for a semaphore, in order of
/// arrival, instead of filling the signing pool. Thus each poll is answered in time when thousands of held polls are woken at
/// once.
const SIGNED_AT_ONCE_IN_ALL: usize = 64;

/// The client that polls, with its token's scopes and expiry and the version of the API.
#[derive(Debug, Clone)]
pub struct PollingClient {
    /// The client.
    pub client: ClientId,
    /// The scopes of its token.
    pub scopes: Scopes,
    /// When its token expires (wall clock).
    pub expires_at: Timestamp,
    /// The version of the API through which it polls; it determines the header members of a security event token. Source:
    /// SET-003.
    pub version: Version,
}

/// The events that a poll found, not yet signed.
#[derive(Debug)]
pub struct PolledEvents {
    events: QueueSnapshot,
    /// Whether the poll was held; if so, the caller must be authenticated again (EVT-077).
    pub was_held: bool,
    /// Whether the hold ended because the client is no longer active. Source: AS-113.
    pub is_client_stopped: bool,
}

/// The response to a poll.
#[derive(Debug)]
pub struct PollResponse {
    /// The security event tokens, by the ids of their events.
    pub sets: Vec<(EventId, Arc<str>)>,
    /// Whether further events wait. Source: EVT-052.
    pub more: bool,
    /// The receipt, which the caller marks when the response is handed to the connection.
    pub receipt: DeliveryReceipt,
}

impl PolledEvents {
    /// Whether the poll found no event.
    pub fn is_empty(&self) -> bool {
        self.events.offers.is_empty()
    }
}

/// The event polling of this node. Clones share it.
#[derive(Debug, Clone)]
pub struct EventPolling(Arc<PollingParts>);

#[derive(Debug)]
struct PollingParts {
    context: Context,
    signer: Arc<dyn SetSigner>,
    waiters: WaiterRegistry,
    deliveries: UnwrittenDeliveries,
    signing_permits: Semaphore,
    queue_meters: QueueMeters,
    settings: PollingSettings,
}

impl EventPolling {
    /// Polls are held in this registry, which must be the one that storage wakes.
    pub fn new(
        context: Context,
        signer: Arc<dyn SetSigner>,
        waiters: WaiterRegistry,
        settings: PollingSettings,
    ) -> Self {
        let signing_permits = Semaphore::new(SIGNED_AT_ONCE_IN_ALL);
        let (deliveries, queue_meters) = (UnwrittenDeliveries::default(), QueueMeters::default());
        Self(Arc::new(PollingParts { context, signer, waiters, deliveries, signing_permits, queue_meters, settings }))
    }

    /// The number of polls that this node holds now.
    pub fn held_polls(&self) -> usize {
        self.0.waiters.held_polls()
    }

    /// Answers every held poll with an empty response, and holds no further polls. Source: EVT-078.
    pub fn stop_holding_polls(&self) {
        self.0.waiters.release_all();
    }

    /// Answers every held poll with an empty response; later polls may be held again.
    pub fn release_held_polls(&self) {
        self.0.waiters.release_held();
    }

    /// The settings of polls, which the bank publishes. Source: EVT-088.
    pub fn settings(&self) -> &PollingSettings {
        &self.0.settings
    }

    pub(super) fn context(&self) -> &Context {
        &self.0.context
    }

    pub(super) fn queue_meters(&self) -> &QueueMeters {
        &self.0.queue_meters
    }

    pub(super) fn deliveries(&self) -> &UnwrittenDeliveries {
        &self.0.deliveries
    }

    /// Processes a poll: one transaction stores its acknowledgements and error reports and queries the queue. If the queue is
    /// empty and the client allowed it, waits for an event; what `begin_wait` returns is kept during each wait and dropped before
    /// the queue is queried again. Source: EVT-036.
    ///
    /// # Errors
    /// Storage's failure. Acknowledgements and reports are rolled back only if the first transaction fails.
    pub async fn poll_events<G: Send>(
        &self,
        caller: &PollingClient,
        poll: EventPoll,
        begin_wait: impl Fn() -> G + Send + Sync,
    ) -> Result<PolledEvents, Failure> {
        let poll = Arc::new(self.keep_known_ids(caller, poll).await?);
        // The waiter is registered before the queue is queried, so that no wake-up is lost.
        let waiter = poll.may_be_held().then(|| self.0.waiters.register(&caller.client));
        let found = self.query_before_waiting(caller, &poll).await?;
        let limits =
            HeldPollLimits { per_client: self.settings().held_per_client_max, in_all: self.settings().held_total_max };
        match waiter {
            Some(waiter)
                if found.offers.is_empty() && !self.settings().hold_duration.is_zero() && waiter.hold(limits) =>
            {
                let later_poll = Arc::new(poll.without_acknowledgements());
                drop(poll);
                self.wait_for_events(caller, &later_poll, (&waiter, begin_wait), found).await
            }
            _ => Ok(PolledEvents { events: found, was_held: false, is_client_stopped: false }),
        }
    }

    /// Waits for the first event, the deadline, a release, or until the client is no longer active; the response is the result of
    /// the last query, which may be empty. Between two queries the poll holds its waiter and nothing else. Source: EVT-071,
    /// EVT-073, EVT-074, EVT-079, AS-113.
    async fn wait_for_events<G: Send>(
        &self,
        caller: &PollingClient,
        poll: &Arc<EventPoll>,
        (waiter, begin_wait): (&Waiter, impl Fn() -> G + Send + Sync),
        seen: QueueSnapshot,
    ) -> Result<PolledEvents, Failure> {
        let deadline = Instant::now() + self.settings().hold_duration.min(self.token_time_left(caller));
        let (mut seen, mut is_client_stopped) = (seen, false);
        while Instant::now() < deadline {
            let waiting = begin_wait();
            let reason = waiter.wait(deadline).await;
            drop(waiting);
            if reason == WakeReason::Released {
                break;
            }
            (seen, is_client_stopped) = self.query_while_held(caller, poll).await?;
            if is_client_stopped || !seen.offers.is_empty() {
                break;
            }
        }
        Ok(PolledEvents { events: seen, was_held: true, is_client_stopped })
    }

    /// The remaining life of the token, because a poll is never held longer. Source: EVT-077.
    fn token_time_left(&self, caller: &PollingClient) -> Duration {
        let left = caller.expires_at.duration_since(self.0.context.clocks.wall_now());
        Duration::try_from(left).unwrap_or(Duration::ZERO)
    }

    /// Signs the events of a response, reusing stored signatures of the poll's form. Events that cannot be signed are omitted.
    /// Source: SET-003, SET-005, EVT-054.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] or [`Failure::Broken`] if no event could be signed.
    pub async fn sign_response(&self, caller: &PollingClient, page: PolledEvents) -> Result<PollResponse, Failure> {
        let QueueSnapshot { offers, mut more } = page.events;
        let wanted = offers.len();
        let mut tokens =
            iter(offers.into_iter().map(|offer| self.token(offer, caller.version))).buffered(SIGNED_AT_ONCE);
        let (mut sets, mut deliveries, mut bytes) = (Vec::with_capacity(wanted), Vec::with_capacity(wanted), 0);
        while let Some(token) = tokens.next().await {
            let (delivery, token) = match token {
                Ok(made) => made,
                Err(SetError::Busy) if !sets.is_empty() => break,
                Err(error @ SetError::Busy) => return Err(Failure::Unavailable(error.into())),
                Err(error @ SetError::Broken(_)) => return Err(Failure::Broken(error.into())),
            };
            bytes += token.len();
            if bytes > self.settings().answer_bytes_max && !sets.is_empty() {
                break;
            }
            sets.push((delivery.id.clone(), token));
            deliveries.push(delivery);
        }
        more |= sets.len() < wanted;
        let receipt = DeliveryReceipt::new(self.0.deliveries.clone(), caller.client.clone(), deliveries);
        Ok(PollResponse { sets, more, receipt })
    }

    async fn token(&self, offer: OfferedEvent, version: Version) -> Result<(EventDelivery, Arc<str>), SetError> {
        let OfferedEvent { id, reports, form } = offer;
        match form {
            OfferedEventForm::Signed(StoredSignature { token, .. }) => {
                Ok((EventDelivery { id, times: 1, signed: None }, token))
            }
            OfferedEventForm::Unsigned(event) => {
                // The semaphore is never closed.
                let _turn = self.0.signing_permits.acquire().await.map_err(|_| SetError::Busy)?;
                let made = self.0.signer.sign_event(&event, version).await?;
                let token = Arc::clone(&made.token);
                Ok((EventDelivery { id, times: 1, signed: Some((made, reports)) }, token))
            }
        }
    }

    /// Removes the ids that are not in this client's queue from the poll, so that only known events are written.
    ///
    /// Unknown ids and those of other clients' events are looked up alike, so that both take the same time (EVT-038).
    async fn keep_known_ids(&self, caller: &PollingClient, poll: EventPoll) -> Result<EventPoll, Failure> {
        if poll.is_fetch_only() {
            return Ok(poll);
        }
        let named = poll.acknowledged.iter().chain(poll.reported.iter().map(|report| &report.id));
        let ids: Vec<EventId> = named.cloned().collect::<HashSet<_>>().into_iter().collect();
        let named = ids.len();
        let mut known = Vec::new();
        for chunk in ids.chunks(KNOWN_AT_ONCE) {
            let chunk = chunk.to_vec();
            known.extend(self.0.context.store.read::<_, StoreError, _>(move |tx| tx.event_owners(&chunk)).await?);
            tokio::task::yield_now().await;
        }
        log_others(&caller.client, &known, named.saturating_sub(known.len()));
        let waiting = known.into_iter().filter(|event| event.client == caller.client && !event.acknowledged);
        let waiting: HashSet<EventId> = waiting.map(|event| event.id).collect();
        Ok(poll.only_about(&waiting))
    }

    /// The first query. Writes only if the poll acknowledges or reports events.
    async fn query_before_waiting(
        &self,
        caller: &PollingClient,
        poll: &Arc<EventPoll>,
    ) -> Result<QueueSnapshot, Failure> {
        let mut deliveries = self.0.deliveries.take(&caller.client);
        for id in &poll.acknowledged {
            deliveries.remove(id);
        }
        if poll.is_fetch_only() && deliveries.is_empty() {
            return self.query_after_wake(caller, poll).await;
        }
        let input =
            PollInput { query: self.build_query(caller), poll: Arc::clone(poll), deliveries: Arc::new(deliveries) };
        let (applied, now) = (input.clone(), self.0.context.clocks.wall_now());
        let (reports_max, deliveries_max) = (self.settings().reports_max, self.settings().deliveries_max);
        let written = self.0.context.store.write(move |tx| applied.apply(tx, now, reports_max, deliveries_max)).await;
        match written {
            Ok((effects, found)) => {
                effects.record(&caller.client, poll);
                Ok(found)
            }
            Err(error) => {
                self.0.deliveries.put(&caller.client, input.deliveries.values().cloned());
                Err(Failure::from(error))
            }
        }
    }

    /// Queries the queue again, without writing.
    async fn query_after_wake(&self, caller: &PollingClient, poll: &Arc<EventPoll>) -> Result<QueueSnapshot, Failure> {
        let (query, poll) = (self.build_query(caller), Arc::clone(poll));
        self.0.context.store.read(move |tx| Ok(query.run(tx, &poll)?)).await
    }

    /// Queries the queue again. If the queue is still empty, checks that the client is still active, because a change of the
    /// client also wakes its polls. Source: AS-113.
    async fn query_while_held(
        &self,
        caller: &PollingClient,
        poll: &Arc<EventPoll>,
    ) -> Result<(QueueSnapshot, bool), Failure> {
        let (query, poll, client) = (self.build_query(caller), Arc::clone(poll), caller.client.clone());
        let query_both = move |tx: &mut dyn ServerTransaction| {
            let found = query.run(tx, &poll)?;
            let is_client_stopped = found.offers.is_empty() && !tx.client_may_act(&client)?;
            Ok((found, is_client_stopped))
        };
        self.0.context.store.read(query_both).await
    }

    fn build_query(&self, caller: &PollingClient) -> QueueQuery {
        QueueQuery {
            client: caller.client.clone(),
            scopes: self.settings().filter_by_scope.then_some(caller.scopes),
            reusable: self.0.signer.reusable_signatures(caller.version),
            events_max: self.settings().events_max,
        }
    }
}

/// Logs that a client named events that are not in its queue. The client does not learn this.
fn log_others(client: &ClientId, known: &[EventOwner], unknown: usize) {
    let client_id = client.as_str();
    let foreign = known.iter().filter(|event| event.client != *client).count();
    if foreign > 0 {
        tracing::warn!(client.id = client_id, security.refusal = "EVT-038", foreign, "events of others were named");
    }
    let again = known.iter().filter(|event| event.client == *client && event.acknowledged).count();
    if again > 0 || unknown > 0 {
        tracing::debug!(client.id = client_id, again, unknown, "events that are not queued were named");
    }
}
