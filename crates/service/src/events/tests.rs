//! Event polling over a real store and a signer that only counts.

use super::*;
use crate::accounts::tests::{SmallBank, context};
use crate::{Context, Failure};
use async_trait::async_trait;
use jiff::SignedDuration;
use lombard_domain::audit::{AuditAction, AuditRecord};
use lombard_domain::event::{
    ChangeKind, Event, EventErrorReport, EventPoll, EventResource, ResourceChange, ResourceType,
};
use lombard_domain::ids::EventId;
use lombard_domain::scope::Scopes;
use lombard_domain::version::Version;
use lombard_ports::clock::ManualClock;
use lombard_ports::sets::{SetError, SetSigner};
use lombard_ports::store::{ReusableSignatures, StoreError, StoredSignature};
use lombard_ports::wake::Wake;
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

/// A signer that records the events and keys.
#[derive(Debug)]
struct Counting {
    key: Mutex<&'static str>,
    signed: Mutex<Vec<EventId>>,
    /// The number of signatures that it may still make.
    left: Mutex<usize>,
    bytes: usize,
}

impl Default for Counting {
    fn default() -> Self {
        Self { key: Mutex::new("k1"), signed: Mutex::default(), left: Mutex::new(usize::MAX), bytes: 100 }
    }
}

#[async_trait]
impl SetSigner for Counting {
    fn reusable_signatures(&self, version: Version) -> ReusableSignatures {
        ReusableSignatures { keys: vec![(*self.key.lock()).into()], typ: Some(version.segment().into()) }
    }

    async fn sign_event(&self, event: &Event, version: Version) -> Result<StoredSignature, SetError> {
        let mut left = self.left.lock();
        *left = left.checked_sub(1).ok_or(SetError::Busy)?;
        self.signed.lock().push(event.id.clone());
        let key = *self.key.lock();
        let token = format!("{key}.{}.{}", event.id, "x".repeat(self.bytes)).into();
        Ok(StoredSignature { key: key.into(), typ: Some(version.segment().into()), token })
    }
}

struct World {
    context: Context,
    clock: ManualClock,
    signer: Arc<Counting>,
    waiters: WaiterRegistry,
    polling: EventPolling,
}

impl World {
    async fn new() -> Self {
        Self::with(PollingSettings::default(), Counting::default()).await
    }

    async fn with(settings: PollingSettings, signer: Counting) -> Self {
        let (context, clock) = context(SmallBank::default()).await;
        let (signer, waiters) = (Arc::new(signer), WaiterRegistry::default());
        let polling = EventPolling::new(context.clone(), Arc::clone(&signer) as _, waiters.clone(), settings);
        Self { context, clock, signer, waiters, polling }
    }

    fn asker(&self, client: &str) -> PollingClient {
        let expires_at = self.context.clocks.wall_now() + SignedDuration::from_hours(1);
        PollingClient { client: client.into(), scopes: Scopes::NONE, expires_at, version: Version::V3_1 }
    }

    async fn raise(&self, client: &str, count: usize) -> Vec<EventId> {
        let resource =
            EventResource { kind: ResourceType::AccountAccessConsent, id: "c".into(), version: Version::V3_1 };
        let change =
            ResourceChange { client: client.into(), resource, kind: ChangeKind::Authorised, interaction_id: None };
        let (changes, outbox) = (vec![change; count], self.context.outbox.clone());
        self.context.store.write::<_, StoreError, _>(move |tx| outbox.raise_all(tx, &changes)).await.unwrap()
    }

    /// Polls, and marks the response as delivered.
    async fn ask(&self, client: &str, poll: EventPoll) -> (Vec<EventId>, bool) {
        let told = self.answer(client, poll).await;
        told.receipt.mark_delivered();
        (told.sets.into_iter().map(|(id, _)| id).collect(), told.more)
    }

    async fn answer(&self, client: &str, poll: EventPoll) -> PollResponse {
        let asker = self.asker(client);
        let page = self.polling.poll_events(&asker, poll, || ()).await.unwrap();
        self.polling.sign_response(&asker, page).await.unwrap()
    }
}

fn now(max: Option<u64>) -> EventPoll {
    EventPoll::new(max, false, Vec::new(), Vec::new())
}

fn acknowledging(ids: &[EventId]) -> EventPoll {
    EventPoll::new(None, false, ids.to_vec(), Vec::new())
}

fn reporting(id: &EventId) -> EventPoll {
    let report = EventErrorReport { id: id.clone(), err: "jwtIss".into(), description: "line\u{7}\nend".into() };
    EventPoll::new(None, false, Vec::new(), vec![report])
}

#[tokio::test]
async fn set_016_the_cause_is_the_event_itself_unless_a_call_caused_it() {
    let world = World::new().await;
    world.raise("t", 1).await;
    let offers = world
        .context
        .store
        .read::<_, StoreError, _>(|tx| tx.events_waiting(&"t".into(), None, &ReusableSignatures::default(), 9))
        .await;
    let lombard_ports::store::OfferedEventForm::Unsigned(event) = &offers.unwrap()[0].form else { panic!("unsigned") };
    assert_eq!(event.interaction_id.as_str(), event.id.as_str());
    assert_eq!(
        (event.occurred_at, event.recorded_at),
        (world.context.clocks.wall_now(), world.context.clocks.wall_now())
    );
    assert!(uuid::Uuid::parse_str(event.id.as_str()).is_ok_and(|id| id.get_version_num() == 7), "SET-013");
}

#[tokio::test]
async fn evt_056_who_never_acknowledges_sees_every_event_in_turn() {
    let world =
        World::with(PollingSettings { events_max: 100, ..PollingSettings::default() }, Counting::default()).await;
    let raised = world.raise("t", 150).await;
    let (first, more) = world.ask("t", now(Some(100_000))).await;
    assert_eq!((first.as_slice(), more), (&raised[..100], true));
    let (second, more) = world.ask("t", now(None)).await;
    assert!(more);
    assert_eq!(second[..50], raised[100..], "those not seen yet come first");
    assert_eq!(second[50..], raised[..50], "then the oldest again");
}

#[tokio::test]
async fn set_005_what_was_signed_is_not_signed_again_while_its_key_is_published() {
    let world = World::new().await;
    world.raise("t", 3).await;
    for _ in 0..3 {
        assert_eq!(world.ask("t", now(None)).await.0.len(), 3);
    }
    assert_eq!(world.signer.signed.lock().len(), 3);
    *world.signer.key.lock() = "k2";
    let told = world.answer("t", now(None)).await;
    assert!(told.sets.iter().all(|(_, token)| token.starts_with("k2.")), "rotation strands nothing");
    assert_eq!(world.signer.signed.lock().len(), 6);
}

#[tokio::test]
async fn evt_042_a_report_does_not_acknowledge_however_often_it_comes() {
    let world = World::new().await;
    let raised = world.raise("t", 2).await;
    for report in 1..=10 {
        let (sets, more) = world.ask("t", reporting(&raised[0])).await;
        assert_eq!((sets, more), (raised[1..].to_vec(), true), "left out of this answer, it waits on");
        let (sets, _) = world.ask("t", now(Some(1))).await;
        assert_eq!(sets, raised[1..], "reported less often comes first, however often it was delivered");
        assert_eq!(world.ask("t", now(None)).await.0, [raised[1].clone(), raised[0].clone()]);
        assert_eq!(world.signer.signed.lock().len(), 1 + report, "signed anew after each report");
    }
    let shown = list_reported_events(&world.context).await.unwrap();
    assert_eq!(shown.iter().map(|it| (it.id.clone(), it.reports)).collect::<Vec<_>>(), [(raised[0].clone(), 10)]);
    assert_eq!(shown[0].description.as_deref(), Some("line\\u{7}\\nend"), "EVT-044: escaped");
    assert_eq!(list_parked_events(&world.context).await.unwrap(), []);
}

#[tokio::test]
async fn evt_042_a_bank_may_park_what_is_reported_too_often() {
    let world =
        World::with(PollingSettings { reports_max: Some(3), ..PollingSettings::default() }, Counting::default()).await;
    let raised = world.raise("t", 1).await;
    for report in 1..=3 {
        let (sets, _) = world.ask("t", now(None)).await;
        assert_eq!(sets, raised, "report {report}");
        assert_eq!(world.signer.signed.lock().len(), report);
        let (sets, more) = world.ask("t", reporting(&raised[0])).await;
        assert_eq!((sets.len(), more), (0, report < 3), "EVT-052: parked events do not count");
    }
    assert_eq!(world.ask("t", now(None)).await, (vec![], false));
    let parked = list_parked_events(&world.context).await.unwrap();
    assert_eq!(parked[0].description.as_deref(), Some("line\\u{7}\\nend"), "EVT-044: escaped");
    let record = AuditRecord::of_server(world.context.clocks.wall_now(), AuditAction::EventRequeue, raised[0].as_str());
    assert!(requeue_event(&world.context, &raised[0], record).await.unwrap());
    assert_eq!(world.ask("t", now(None)).await.0, raised);
}

/// Source: EVT-029, EVT-038.
#[tokio::test(flavor = "multi_thread")]
async fn evt_038_ids_that_do_not_wait_for_the_client_are_not_written_for() {
    let world = World::new().await;
    let (own, foreign) = (world.raise("t", 2).await, world.raise("rival", 1).await);
    world.ask("t", acknowledging(&own[1..])).await;
    world.polling.write_deliveries().await.unwrap();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let (let_go, wait) = std::sync::mpsc::channel::<()>();
    let store = world.context.store.clone();
    let mut begun = Some(begun);
    let writer = tokio::spawn(async move {
        let hold = move |_: &mut dyn lombard_ports::store::ServerTransaction| {
            if let Some(begun) = begun.take() {
                begun.send(()).unwrap();
                wait.recv().unwrap();
            }
            Ok::<_, StoreError>(())
        };
        store.write(hold).await
    });
    begins.await.unwrap();
    let unknown = (0..20_000).map(|number| EventId::new(number.to_string()));
    let others: Vec<EventId> = unknown.chain(foreign.clone()).chain(own[1..].to_vec()).collect();
    let reports = others.iter().rev().take(3).map(|id| EventErrorReport {
        id: id.clone(),
        err: "jws".into(),
        description: "".into(),
    });
    let polls = [acknowledging(&others), EventPoll::new(None, false, Vec::new(), reports.collect())];
    for poll in polls {
        let asked = tokio::time::timeout(Duration::from_secs(60), world.answer("t", poll));
        let told = asked.await.expect("the poll does not wait for the writer");
        assert_eq!(told.sets.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>(), own[..1]);
    }
    let_go.send(()).unwrap();
    writer.await.unwrap().unwrap();
    let mixed: Vec<EventId> = others.into_iter().chain(own).collect();
    assert_eq!(world.ask("t", acknowledging(&mixed)).await, (vec![], false));
    assert_eq!(world.ask("rival", now(None)).await.0, foreign);
}

#[tokio::test]
async fn evt_057_an_answer_that_was_not_handed_over_does_not_count() {
    let world =
        World::with(PollingSettings { deliveries_max: Some(2), ..PollingSettings::default() }, Counting::default())
            .await;
    let raised = world.raise("t", 1).await;
    for _ in 0..5 {
        drop(world.answer("t", now(None)).await);
    }
    for _ in 0..2 {
        assert_eq!(world.ask("t", now(None)).await.0, raised);
    }
    assert_eq!(world.ask("t", now(None)).await.0, [], "delivered twice, it is parked");
}

#[tokio::test]
async fn evt_054_an_answer_has_a_size_and_at_least_one_event() {
    let world = World::with(
        PollingSettings { answer_bytes_max: 5_000, ..PollingSettings::default() },
        Counting { bytes: 2_400, ..Counting::default() },
    )
    .await;
    world.raise("t", 5).await;
    let (sets, more) = world.ask("t", now(None)).await;
    assert_eq!((sets.len(), more), (2, true));
    let large =
        World::with(PollingSettings { answer_bytes_max: 10, ..PollingSettings::default() }, Counting::default()).await;
    large.raise("t", 2).await;
    let (sets, more) = large.ask("t", now(None)).await;
    assert_eq!((sets.len(), more), (1, true));
}

#[tokio::test]
async fn an_answer_that_cannot_be_signed_whole_is_shorter() {
    let world = World::with(PollingSettings::default(), Counting { left: Mutex::new(2), ..Counting::default() }).await;
    let raised = world.raise("t", 3).await;
    assert_eq!(world.ask("t", now(None)).await, (raised[..2].to_vec(), true));
    // The third event would be the first to be signed now.
    let asker = world.asker("t");
    let page = world.polling.poll_events(&asker, now(Some(1)), || ()).await.unwrap();
    assert!(matches!(world.polling.sign_response(&asker, page).await, Err(Failure::Unavailable(_))), "EVT-089");
}

#[tokio::test]
async fn deliveries_are_written_down_in_time_and_forgotten_when_acknowledged() {
    let world = World::new().await;
    let raised = world.raise("t", 2).await;
    world.ask("t", now(None)).await;
    world.polling.write_deliveries().await.unwrap();
    world.polling.write_deliveries().await.unwrap();
    let reusable = world.signer.reusable_signatures(Version::V3_1);
    let offers = world
        .context
        .store
        .read::<_, StoreError, _>(move |tx| tx.events_waiting(&"t".into(), None, &reusable, 9))
        .await
        .unwrap();
    assert!(offers.iter().all(|offer| matches!(offer.form, lombard_ports::store::OfferedEventForm::Signed(_))));
    world.ask("t", now(None)).await;
    assert_eq!(world.ask("t", acknowledging(&raised)).await, (vec![], false));
    assert!(world.polling.deliveries().take(&"t".into()).is_empty());
}

#[tokio::test]
async fn evt_071_a_held_poll_is_answered_by_the_first_event() {
    let world = Arc::new(
        World::with(
            PollingSettings { hold_duration: Duration::from_secs(600), ..PollingSettings::default() },
            Counting::default(),
        )
        .await,
    );
    let waiting = tokio::spawn({
        let world = Arc::clone(&world);
        async move { world.ask("t", EventPoll::new(None, true, Vec::new(), Vec::new())).await }
    });
    while world.polling.held_polls() == 0 {
        tokio::task::yield_now().await;
    }
    let raised = world.raise("t", 1).await;
    // The storage of the tests wakes no poll by itself.
    world.waiters.wake_client(&"t".into());
    assert_eq!(waiting.await.unwrap(), (raised, false));
    assert_eq!(world.polling.held_polls(), 0);
}

#[tokio::test]
async fn evt_077_a_hold_ends_with_its_token() {
    let world = World::with(
        PollingSettings { hold_duration: Duration::from_secs(600), ..PollingSettings::default() },
        Counting::default(),
    )
    .await;
    let mut asker = world.asker("t");
    asker.expires_at = world.context.clocks.wall_now();
    let page =
        world.polling.poll_events(&asker, EventPoll::new(None, true, Vec::new(), Vec::new()), || ()).await.unwrap();
    assert!(page.was_held && page.is_empty());
}

#[tokio::test]
async fn evt_078_a_closed_desk_holds_nobody() {
    let world = World::with(
        PollingSettings { hold_duration: Duration::from_secs(600), ..PollingSettings::default() },
        Counting::default(),
    )
    .await;
    world.polling.stop_holding_polls();
    let page = world
        .polling
        .poll_events(&world.asker("t"), EventPoll::new(None, true, Vec::new(), Vec::new()), || ())
        .await
        .unwrap();
    assert!(!page.was_held && page.is_empty());
}

#[tokio::test]
async fn evt_086_old_events_are_dropped_if_the_bank_sets_a_retention() {
    let world = World::new().await;
    world.raise("t", 1).await;
    world.clock.advance(SignedDuration::from_hours(24 * 365 * 10));
    world.polling.drop_expired_events().await.unwrap();
    assert_eq!(world.ask("t", now(None)).await.0.len(), 1, "without a retention it waits without end");

    let day = SignedDuration::from_hours(24);
    let keeping = RetentionLimits { retention: Some(day), remembered: day, queue_max: None };
    let world =
        World::with(PollingSettings { retention: keeping, ..PollingSettings::default() }, Counting::default()).await;
    world.raise("t", 1).await;
    world.clock.advance(day);
    world.polling.drop_expired_events().await.unwrap();
    assert_eq!(world.ask("t", now(None)).await.0.len(), 1, "the boundary instant is kept");
    world.clock.advance(SignedDuration::from_secs(1));
    world.polling.drop_expired_events().await.unwrap();
    assert_eq!(world.ask("t", now(None)).await.0.len(), 0);
}
