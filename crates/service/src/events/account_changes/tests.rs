//! Changes of accounts over a real store and a bank that repeats them.

use super::*;
use crate::accounts::tests::{SmallBank, authorised, context};
use jiff::Timestamp;
use lombard_domain::consent::{AccountAccess, Consent, Permission};
use lombard_ports::bank::{PaymentCall, StubBank};
use lombard_ports::clock::ManualClock;
use lombard_ports::store::{OfferedEventForm, ReusableSignatures};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

struct World {
    context: Context,
    clock: ManualClock,
    bank: Arc<StubBank>,
    consent: Consent,
}

impl World {
    /// One consent shares `b-1` and `b-2`, another only `b-2`.
    async fn new() -> Self {
        let (mut context, clock) = context(SmallBank::default()).await;
        let bank = Arc::<StubBank>::default();
        context.bank = Arc::clone(&bank) as _;
        let access = || AccountAccess {
            permissions: [Permission::ReadAccountsBasic].into_iter().collect(),
            transactions_from: None,
            transactions_to: None,
        };
        let consent = authorised(&context, "t", access(), &["b-1", "b-2"]).await;
        authorised(&context, "t", access(), &["b-2"]).await;
        Self { context, clock, bank, consent }
    }

    fn happens(&self, number: u64, account: &str) {
        let at = self.context.clocks.bank_now();
        let reason = Some(AccountReason::Closure);
        let change =
            AccountChange { number, account: account.into(), at, reason, interaction_id: Some("call-1".into()) };
        self.bank.payment_script().account_changes.push(change);
    }

    async fn apply(&self) -> Result<usize, Failure> {
        apply_account_changes(&self.context).await
    }

    /// The interaction ids in the events about closed accounts.
    async fn told(&self) -> Vec<String> {
        let waiting = self
            .context
            .store
            .read::<_, StoreError, _>(|tx| tx.events_waiting(&"t".into(), None, &ReusableSignatures::default(), 99));
        let events = waiting.await.unwrap().into_iter().map(|offered| match offered.form {
            OfferedEventForm::Unsigned(event) => event,
            OfferedEventForm::Signed(_) => panic!("nobody signs here"),
        });
        let closed = events.filter(|event| event.claims.reason == Some(AccountReason::Closure));
        closed.map(|event| event.interaction_id.to_string()).collect()
    }
}

#[tokio::test]
async fn set_032_a_change_is_sent_per_consent_with_access_and_acknowledged() {
    let world = World::new().await;
    world.happens(1, "b-1");
    assert_eq!(world.apply().await.unwrap(), 1);
    assert_eq!(world.told().await, ["call-1"], "SET-016");
    world.happens(2, "b-2");
    world.happens(3, "nobody's");
    assert_eq!(world.apply().await.unwrap(), 2);
    assert_eq!(world.told().await.len(), 3);
    assert_eq!(world.bank.payment_script().account_changes, []);
    assert_eq!(world.apply().await.unwrap(), 0);
}

#[tokio::test]
async fn set_032_a_consent_that_has_ended_is_told_nothing() {
    let world = World::new().await;
    let left = world.consent.expires_at.unwrap().duration_since(world.context.clocks.bank_now());
    world.clock.advance(left);
    world.happens(1, "b-1");
    world.apply().await.unwrap();
    assert_eq!(world.told().await.len(), 0, "the boundary instant counts as ended");
}

#[tokio::test]
async fn a_change_that_comes_again_late_or_after_a_crash_is_told_once() {
    let world = World::new().await;
    world.happens(1, "b-1");
    // The state is that after a crash between the application and the acknowledgement.
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::AcknowledgeAccountChanges);
    for _ in 0..2 {
        assert!(matches!(world.apply().await, Err(Failure::Unavailable(_))));
    }
    world.bank.payment_script().unavailable_calls.clear();
    world.bank.payment_script().lost_answer_calls.insert(PaymentCall::AcknowledgeAccountChanges);
    assert!(matches!(world.apply().await, Err(Failure::Unavailable(_))));
    world.bank.payment_script().lost_answer_calls.clear();
    assert_eq!(world.bank.payment_script().account_changes, []);
    // An old answer of the bank arrives after newer ones.
    world.happens(2, "b-1");
    world.happens(1, "b-1");
    assert_eq!(world.apply().await.unwrap(), 1, "one of them is new");
    assert_eq!(world.told().await.len(), 2);
}

#[tokio::test]
async fn a_bank_that_forgets_acknowledgements_is_not_asked_again_at_once() {
    let world = World::new().await;
    for number in 1..=3 {
        world.happens(number, "b-1");
    }
    let repeated = world.bank.payment_script().account_changes.clone();
    assert_eq!(world.apply().await.unwrap(), 3);
    for _ in 0..2 {
        world.bank.payment_script().account_changes.clone_from(&repeated);
        assert_eq!(world.apply().await.unwrap(), 0, "nothing is new");
    }
    assert_eq!(world.bank.payment_script().account_changes, [], "each time it is acknowledged");
    assert_eq!(world.told().await.len(), 3);
}

#[tokio::test]
async fn a_number_that_is_far_too_high_is_refused() {
    let world = World::new().await;
    world.happens(1, "b-1");
    world.apply().await.unwrap();
    for number in [u64::MAX, 1 + JUMP_MAX + 1] {
        world.happens(number, "b-1");
        assert!(matches!(world.apply().await, Err(Failure::Broken(_))));
        assert_eq!(world.bank.payment_script().account_changes.drain(..).len(), 1, "it is not acknowledged");
    }
    assert_eq!(world.told().await.len(), 1);
    for number in [2, 2 + JUMP_MAX] {
        world.happens(number, "b-1");
        assert_eq!(world.apply().await.unwrap(), 1);
    }
    assert_eq!(world.told().await.len(), 3);
}

/// Counts warnings.
#[derive(Debug, Default)]
struct WarningCount(AtomicUsize);

impl tracing::Subscriber for WarningCount {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::WARN
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, _: &tracing::Event<'_>) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

/// The bank does not repeat a change that another node applied during the call, but it repeats a change that was applied before.
#[tokio::test]
async fn nodes_that_fetch_a_change_at_once_tell_it_once() {
    let warnings = Arc::<WarningCount>::default();
    let _guard = tracing::subscriber::set_default(Arc::clone(&warnings));
    let world = World::new().await;
    for number in 1..=5 {
        world.happens(number, "b-1");
    }
    let nodes: Vec<_> = (0..4).map(|_| world.apply()).collect();
    for node in futures_util::future::join_all(nodes).await {
        node.unwrap();
    }
    assert_eq!((world.told().await.len(), warnings.0.load(Ordering::Relaxed)), (5, 0));
    world.happens(5, "b-1");
    assert_eq!(world.apply().await.unwrap(), 0);
    assert_eq!((world.told().await.len(), warnings.0.load(Ordering::Relaxed)), (5, 1));
}

#[tokio::test]
async fn a_bank_that_cannot_be_asked_is_asked_again() {
    let world = World::new().await;
    world.happens(1, "b-1");
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::AccountChanges);
    assert!(matches!(world.apply().await, Err(Failure::Unavailable(_))));
    world.bank.payment_script().unavailable_calls.clear();
    assert_eq!(world.apply().await.unwrap(), 1);
    assert_eq!(world.told().await.len(), 1);
}

#[tokio::test]
async fn numbers_that_the_bank_has_left_out_hold_up_nothing() {
    let world = World::new().await;
    for number in [1, 7] {
        world.happens(number, "b-1");
        world.apply().await.unwrap();
    }
    assert_eq!(world.told().await.len(), 2);
}

#[tokio::test]
async fn a_deferred_change_is_notified_once_and_a_malformed_job_is_quarantined() {
    let world = World::new().await;
    let change = AccountChange {
        number: 1,
        account: "b-1".into(),
        at: Timestamp::UNIX_EPOCH,
        reason: Some(AccountReason::Closure),
        interaction_id: None,
    };
    let job = deferred_job(&world.context, &change);
    let other = Job { subject: "gossip".to_owned(), ..deferred_job(&world.context, &change) };
    let enqueue = move |tx: &mut dyn ServerTransaction| {
        tx.job_enqueue(&job)?;
        tx.job_enqueue(&other)
    };
    world.context.store.write::<_, StoreError, _>(enqueue).await.unwrap();
    assert_eq!(world.apply().await.unwrap(), 2);
    assert_eq!(world.told().await.len(), 1);
    for _ in 0..10 {
        world.clock.advance(SignedDuration::from_mins(2));
        world.apply().await.unwrap();
    }
    let counts = world.context.store.read::<_, StoreError, _>(|tx| tx.quarantined_counts()).await.unwrap();
    assert_eq!(counts, [(lombard_ports::store::WorkKind::Job, 1)]);
    assert_eq!(world.told().await.len(), 1);
}

#[test]
fn the_subject_of_a_job_reads_back() {
    for (reason, _) in REASONS {
        for interaction_id in [None, Some("call-1".into())] {
            let end = AccountEnd { account: "a/b".into(), reason, interaction_id };
            assert_eq!(AccountEnd::read(&end.write()), Some(end));
        }
    }
    for other in ["", "closed/x", "eaten//a"] {
        assert_eq!(AccountEnd::read(other), None, "{other}");
    }
}
