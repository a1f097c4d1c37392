//! The desk where clients ask for their events. Source: EVT-035 to EVT-057, EVT-070 to EVT-079.

use super::deliveries::{Deliveries, DeliveryReceipt, UnwrittenDeliveries};
use super::long_poll;
use super::maintenance::RetentionLimits;
use super::meters::{self, QueueMeters};
use super::waiters::{HeldPollLimits, WaiterRegistry};
use crate::{Context, Failure};
use futures_util::StreamExt;
use futures_util::stream::iter;
use jiff::Timestamp;
use lombard_domain::event::{EventErrorReport, Poll};
use lombard_domain::ids::{ClientId, EventId, KeyId};
use lombard_domain::scope::Scopes;
use lombard_ports::sets::{SetError, SetSigner};
use lombard_ports::store::{
    EventDelivery, EventOwner, EventQueue, OfferedEvent, OfferedEventForm, ReportedEvent, StoreError, StoredSignature,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Signatures of one answer that are made at the same time: a long page leaves room for other callers.
const SIGNED_AT_ONCE: usize = 8;

/// Ids that are looked up in one read: on SQLite all else on the thread waits for it.
const KNOWN_AT_ONCE: usize = 500;

/// Signatures that all answers together have under way. Further ones wait for their turn here, in the order they came,
/// instead of filling the signing pool: when thousands of held polls are woken at once, each is answered in time.
const SIGNED_AT_ONCE_IN_ALL: usize = 64;

/// How polls are answered.
#[derive(Debug, Clone)]
pub struct PollingSettings {
    /// Most events of an answer. Source: EVT-027.
    pub events_max: u32,
    /// Most bytes of tokens in an answer that has more than one. Source: EVT-054.
    pub answer_bytes_max: usize,
    /// How long a poll is held at most; zero holds none. Source: EVT-071.
    pub hold_duration: Duration,
    /// Most held polls of a client. Source: EVT-076.
    pub held_per_client_max: usize,
    /// Most held polls of all. Source: EVT-076.
    pub held_total_max: usize,
    /// Reports that park an event, if any number does. Source: EVT-042.
    pub reports_max: Option<u32>,
    /// Deliveries that park an event, if any number does. Source: EVT-057.
    pub deliveries_max: Option<u32>,
    /// Whether a token's scope narrows what it is answered. Source: EVT-006.
    pub filter_by_scope: bool,
    /// How long events are kept. Source: EVT-085, EVT-086.
    pub retention: RetentionLimits,
}

impl Default for PollingSettings {
    /// What the rules publish.
    fn default() -> Self {
        Self {
            events_max: 100,
            answer_bytes_max: 1_048_576,
            hold_duration: Duration::from_secs(10),
            held_per_client_max: 4,
            held_total_max: 10_000,
            reports_max: None,
            deliveries_max: None,
            filter_by_scope: false,
            retention: RetentionLimits::default(),
        }
    }
}

/// Who asks.
#[derive(Debug, Clone)]
pub struct PollingClient {
    /// The client.
    pub client: ClientId,
    /// What its token opens.
    pub scopes: Scopes,
    /// When its token ends (wall clock).
    pub expires_at: Timestamp,
}

/// What a poll found: to be signed, if the asker may still have it.
#[derive(Debug)]
pub struct PolledEvents {
    events: QueueSnapshot,
    /// Whether the poll was held: then who asks must be looked at again (EVT-077).
    pub was_held: bool,
}

/// The answer to a poll.
#[derive(Debug)]
pub struct PollResponse {
    /// Tokens by the ids of their events.
    pub sets: Vec<(EventId, Arc<str>)>,
    /// Whether more wait that are not among these. Source: EVT-052.
    pub more: bool,
    /// To be told when the answer is handed over.
    pub receipt: DeliveryReceipt,
}

/// What a look into a queue showed.
#[derive(Debug)]
pub(super) struct QueueSnapshot {
    pub(super) offers: Vec<OfferedEvent>,
    more: bool,
}

impl PolledEvents {
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.events.offers.is_empty()
    }
}

/// The desk. Cloning shares it.
#[derive(Debug, Clone)]
pub struct EventPolling(Arc<PollingParts>);

#[derive(Debug)]
struct PollingParts {
    context: Context,
    signer: Arc<dyn SetSigner>,
    waiters: WaiterRegistry,
    deliveries: UnwrittenDeliveries,
    poll_permits: Semaphore,
    queue_meters: QueueMeters,
    settings: PollingSettings,
}

impl EventPolling {
    /// A desk whose polls wait in this lobby, which must be the one that storage wakes.
    pub fn new(
        context: Context,
        signer: Arc<dyn SetSigner>,
        waiters: WaiterRegistry,
        settings: PollingSettings,
    ) -> Self {
        let turns = Semaphore::new(SIGNED_AT_ONCE_IN_ALL);
        let (handed, queue_meters) = (UnwrittenDeliveries::default(), QueueMeters::default());
        Self(Arc::new(PollingParts {
            context,
            signer,
            waiters,
            deliveries: handed,
            poll_permits: turns,
            queue_meters,
            settings,
        }))
    }

    /// How many polls are held now, on this node.
    pub fn held_polls(&self) -> usize {
        self.0.waiters.held()
    }

    /// Answers every held poll, with nothing, and holds no other. Source: EVT-078.
    pub fn close(&self) {
        self.0.waiters.release_all();
    }

    /// How polls are answered: what a bank publishes. Source: EVT-088.
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

    /// Takes a poll: acknowledgements and reports become durable in one transaction, which also looks for events; if
    /// there is none and the client agreed, waits for one. Source: EVT-036.
    ///
    /// # Errors
    /// Storage's failure. Acknowledgements and reports are undone only if the first transaction fails.
    pub async fn poll(&self, asker: &PollingClient, poll: Poll) -> Result<PolledEvents, Failure> {
        let poll = Arc::new(self.recognised(asker, poll).await?);
        // From here on every ring is heard: first listen, then look.
        let seat = poll.may_be_held().then(|| self.0.waiters.register(&asker.client));
        let found = self.query_before_waiting(asker, &poll).await?;
        let places =
            HeldPollLimits { per_client: self.settings().held_per_client_max, in_all: self.settings().held_total_max };
        match seat {
            Some(seat) if found.offers.is_empty() && !self.settings().hold_duration.is_zero() && seat.hold(places) => {
                let asking = Arc::new(poll.without_acknowledgements());
                drop(poll);
                let found = long_poll::wait_for_events(self, asker, &asking, &seat, found).await?;
                Ok(PolledEvents { events: found, was_held: true })
            }
            _ => Ok(PolledEvents { events: found, was_held: false }),
        }
    }

    /// Makes the answer: signatures that were kept are used again, missing ones are made. An answer that cannot be signed
    /// whole is shorter. Source: SET-005, EVT-054.
    ///
    /// # Errors
    /// [`Failure::Unavailable`] or [`Failure::Broken`] when nothing at all could be signed.
    pub async fn sign_response(&self, asker: &PollingClient, page: PolledEvents) -> Result<PollResponse, Failure> {
        let QueueSnapshot { offers, mut more } = page.events;
        let wanted = offers.len();
        let mut tokens = iter(offers.into_iter().map(|offer| self.token(offer))).buffered(SIGNED_AT_ONCE);
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
        let receipt = DeliveryReceipt::new(self.0.deliveries.clone(), asker.client.clone(), deliveries);
        Ok(PollResponse { sets, more, receipt })
    }

    async fn token(&self, offer: OfferedEvent) -> Result<(EventDelivery, Arc<str>), SetError> {
        let OfferedEvent { id, reports, form } = offer;
        match form {
            OfferedEventForm::Signed(StoredSignature { token, .. }) => {
                Ok((EventDelivery { id, times: 1, signed: None }, token))
            }
            OfferedEventForm::Unsigned(event) => {
                // Nobody closes it.
                let _turn = self.0.poll_permits.acquire().await.map_err(|_| SetError::Busy)?;
                let made = self.0.signer.sign_event(&event).await?;
                let token = Arc::clone(&made.token);
                Ok((EventDelivery { id, times: 1, signed: Some((made, reports)) }, token))
            }
        }
    }

    /// The poll without the ids of events that do not wait for this client, so that only those it has are written for.
    ///
    /// Unknown ids and those of other clients' events are looked up alike, so that both take the same time (EVT-038).
    async fn recognised(&self, asker: &PollingClient, poll: Poll) -> Result<Poll, Failure> {
        if poll.is_fetch_only() {
            return Ok(poll);
        }
        let named = poll.acknowledged.iter().chain(poll.reported.iter().map(|report| &report.id));
        let ids: Vec<EventId> = named.cloned().collect::<HashSet<_>>().into_iter().collect();
        let named = ids.len();
        let mut known = Vec::new();
        for some in ids.chunks(KNOWN_AT_ONCE) {
            let some = some.to_vec();
            known.extend(self.0.context.store.read::<_, StoreError, _>(move |tx| tx.events_known(&some)).await?);
            tokio::task::yield_now().await;
        }
        log_others(&asker.client, &known, named.saturating_sub(known.len()));
        let waiting = known.into_iter().filter(|event| event.client == asker.client && !event.acknowledged);
        let waiting: HashSet<EventId> = waiting.map(|event| event.id).collect();
        Ok(poll.only_about(&waiting))
    }

    /// The first look. Writes only if there is something to write down.
    async fn query_before_waiting(&self, asker: &PollingClient, poll: &Arc<Poll>) -> Result<QueueSnapshot, Failure> {
        let mut handed = self.0.deliveries.take(&asker.client);
        for id in &poll.acknowledged {
            handed.remove(id);
        }
        if poll.is_fetch_only() && handed.is_empty() {
            return self.query_after_wake(asker, poll).await;
        }
        let taken = PollInput { look: self.query_queue(asker), poll: Arc::clone(poll), deliveries: Arc::new(handed) };
        let (asked, now) = (taken.clone(), self.0.context.clocks.wall_now());
        let (reports_max, deliveries_max) = (self.settings().reports_max, self.settings().deliveries_max);
        let done = self.0.context.store.write(move |tx| asked.apply(tx, now, reports_max, deliveries_max)).await;
        match done {
            Ok((noted, found)) => {
                noted.record(&asker.client, poll);
                Ok(found)
            }
            Err(error) => {
                self.0.deliveries.put(&asker.client, taken.deliveries.values().cloned());
                Err(Failure::from(error))
            }
        }
    }

    /// Another look, which writes nothing.
    pub(super) async fn query_after_wake(
        &self,
        asker: &PollingClient,
        poll: &Arc<Poll>,
    ) -> Result<QueueSnapshot, Failure> {
        let (look, poll) = (self.query_queue(asker), Arc::clone(poll));
        self.0.context.store.read(move |tx| Ok(look.at(tx, &poll)?)).await
    }

    fn query_queue(&self, asker: &PollingClient) -> QueueQuery {
        QueueQuery {
            client: asker.client.clone(),
            scopes: self.settings().filter_by_scope.then_some(asker.scopes),
            published: self.0.signer.published_keys(),
            events_max: self.settings().events_max,
        }
    }
}

/// How to look into a queue.
#[derive(Debug, Clone)]
struct QueueQuery {
    client: ClientId,
    scopes: Option<Scopes>,
    published: Vec<KeyId>,
    events_max: u32,
}

impl QueueQuery {
    /// The events to answer with. One more than is wanted is read to learn whether more wait, and room is made for those
    /// reported by this poll, which wait on but are not answered (EVT-042, EVT-052). Nothing is counted.
    fn at<Q: EventQueue + ?Sized>(&self, queue: &mut Q, poll: &Poll) -> Result<QueueSnapshot, StoreError> {
        let wanted = poll.limit(self.events_max);
        let reported: HashSet<&EventId> = poll.reported.iter().map(|report| &report.id).collect();
        let left_out = u32::try_from(reported.len()).unwrap_or(u32::MAX);
        let read = wanted.saturating_add(1).saturating_add(left_out);
        let mut offers = queue.events_waiting(&self.client, self.scopes, &self.published, read)?;
        let waiting = offers.len();
        offers.retain(|offer| !reported.contains(&offer.id));
        offers.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
        Ok(QueueSnapshot { more: offers.len() < waiting, offers })
    }
}

/// Everything a poll brings to its transaction.
#[derive(Debug, Clone)]
struct PollInput {
    look: QueueQuery,
    poll: Arc<Poll>,
    deliveries: Arc<Deliveries>,
}

impl PollInput {
    /// First what is received, then what could not be read, then what is answered. Source: EVT-036.
    fn apply<Q: EventQueue + ?Sized>(
        &self,
        queue: &mut Q,
        now: Timestamp,
        reports_max: Option<u32>,
        deliveries_max: Option<u32>,
    ) -> Result<(PollEffects, QueueSnapshot), StoreError> {
        let (client, poll) = (&self.look.client, &*self.poll);
        if !self.deliveries.is_empty() {
            let handed: Vec<_> = self.deliveries.values().cloned().collect();
            queue.events_delivered(&handed, deliveries_max, now)?;
        }
        let released = queue.events_acknowledge(client, &poll.acknowledged, now)?;
        let reports: Vec<EventErrorReport> = poll.reported.iter().map(storable).collect();
        let reported = queue.events_report(client, &reports, reports_max, now)?;
        let found = self.look.at(queue, poll)?;
        Ok((PollEffects { released: released.len(), reported }, found))
    }
}

/// Writes down that a client named events that do not wait for it: for the log, never for the client.
fn log_others(client: &ClientId, known: &[EventOwner], unknown: usize) {
    let client_id = client.as_str();
    let foreign = known.iter().filter(|event| event.client != *client).count();
    if foreign > 0 {
        tracing::warn!(client.id = client_id, security.refusal = "EVT-038", foreign, "events of others were named");
    }
    let again = known.iter().filter(|event| event.client == *client && event.acknowledged).count();
    if again > 0 || unknown > 0 {
        tracing::debug!(client.id = client_id, again, unknown, "events were named that do not wait");
    }
}

/// What came of acknowledgements and reports: for metrics and the log, never for the client.
#[derive(Debug)]
struct PollEffects {
    released: usize,
    reported: Vec<ReportedEvent>,
}

/// The reports of one poll that say the same kind of thing.
#[derive(Debug, PartialEq, Eq)]
struct ReportSummary {
    reports: usize,
    parked: usize,
    /// The first of them, fit for the log.
    first: EventErrorReport,
}

impl PollEffects {
    fn record(&self, client: &ClientId, poll: &Poll) {
        meters::acknowledged(self.released);
        meters::reported(self.reported.len());
        meters::parked(self.reported.iter().filter(|it| it.parked).count());
        let client_id = client.as_str();
        if let Some(ReportSummary { reports, parked, first: EventErrorReport { id, err, description } }) =
            self.summary(poll, true)
        {
            meters::signature_doubted(reports);
            tracing::error!(
                client.id = client_id,
                reports,
                event.id = id.as_str(),
                err,
                description,
                parked,
                "a client cannot check our signature: are our keys published?"
            );
        }
        if let Some(ReportSummary { reports, parked, first: EventErrorReport { id, err, description } }) =
            self.summary(poll, false)
        {
            tracing::warn!(
                client.id = client_id,
                reports,
                event.id = id.as_str(),
                err,
                description,
                parked,
                "a client cannot read an event"
            );
        }
    }

    /// What the reports come to that doubt signatures, or that do not: one line of the log for each poll, so that nobody can
    /// flood it.
    fn summary(&self, poll: &Poll, of_signatures: bool) -> Option<ReportSummary> {
        let noted: HashMap<&EventId, bool> = self.reported.iter().map(|it| (&it.id, it.parked)).collect();
        let reported = poll.reported.iter().filter(|report| noted.contains_key(&report.id));
        let mut those = reported.chain(&poll.overruled).filter(|it| it.is_signature_error() == of_signatures);
        let first = those.next()?;
        let is_parked = |report: &&EventErrorReport| noted.get(&report.id).copied().unwrap_or(false);
        let (mut reports, mut parked) = (1, usize::from(is_parked(&first)));
        for report in those {
            reports += 1;
            parked += usize::from(is_parked(&report));
        }
        Some(ReportSummary { reports, parked, first: storable(first) })
    }
}

/// A report without control characters: it is stored, logged and shown to operators. Source: EVT-044.
fn storable(report: &EventErrorReport) -> EventErrorReport {
    EventErrorReport { id: report.id.clone(), err: escaped(&report.err), description: escaped(&report.description) }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() { safe.extend(letter.escape_default()) } else { safe.push(letter) }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evt_044_the_reports_of_a_poll_are_one_line_of_the_log_for_each_kind() {
        let report =
            |id: &str, err: &str| EventErrorReport { id: id.into(), err: err.into(), description: "a\u{7}".into() };
        let reported = vec![report("a", "jws"), report("b", "jwtIss"), report("gone", "jws"), report("c", "jwtIss")];
        let poll = Poll { overruled: vec![report("d", "jws")], ..Poll::new(None, false, Vec::new(), reported) };
        let parked = |id: &str, parked| ReportedEvent { id: id.into(), parked };
        let noted =
            PollEffects { released: 1, reported: vec![parked("a", true), parked("b", false), parked("c", true)] };
        let summary = |id: &str, err: &str| {
            let first = EventErrorReport { description: "a\\u{7}".into(), ..report(id, err) };
            Some(ReportSummary { reports: 2, parked: 1, first })
        };
        assert_eq!(noted.summary(&poll, true), summary("a", "jws"));
        assert_eq!(noted.summary(&poll, false), summary("b", "jwtIss"));
        assert_eq!(PollEffects { released: 0, reported: Vec::new() }.summary(&now(), true), None);
    }

    fn now() -> Poll {
        Poll::new(None, false, Vec::new(), Vec::new())
    }
}
