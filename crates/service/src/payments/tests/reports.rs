//! A bank that takes reports of changes of consents: every transition, retries, and the state that the core sets; and
//! events for TPPs about expiries.

use super::*;
use crate::consents::{delete_consent, report_consent_changes, revoke_consent};
use crate::payments::vrp_migration::migrate_vrp_consent;
use lombard_domain::consent::{AccountAccess, ConsentDraft, ConsentKind, ConsentRequest, Permission, Permissions};
use lombard_domain::core_state::CoreState;
use lombard_ports::bank::ConsentChangeKind;

use ConsentChangeKind::{Authorised, Changed, Expired, Revoked};

async fn listening() -> World {
    let world = World::new().await;
    world.bank.payment_script().takes_consent_changes = true;
    world
}

impl World {
    async fn asked_for_access(&self) -> Consent {
        self.asked_for_access_through(V3_1).await
    }

    /// Creates a consent that expires after a day.
    async fn asked_for_access_through(&self, version: Version) -> Consent {
        let permissions =
            [Permission::ReadAccountsBasic, Permission::ReadBalances].into_iter().collect::<Permissions>();
        let access = AccountAccess { permissions, transactions_from: None, transactions_to: None };
        let expires_at = self.bank_now().saturating_add(jiff::SignedDuration::from_hours(24)).ok();
        let draft =
            ConsentDraft { request: ConsentRequest::AccountAccess(access), expires_at, submitted: submitted(version) };
        crate::consents::create_consent(&self.context, &acme(), draft).await.unwrap()
    }

    async fn share(&self, consent: &Consent, accounts: &[&str]) -> Consent {
        let accounts = accounts.iter().map(|id| lombard_ports::bank::sample_account(*id).into()).collect();
        let (inside, id, chosen) = (self.context.clone(), consent.id.clone(), AuthorisedSelection::Accounts(accounts));
        let authorise = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
            let before = tx.consent_any_owner(&id)?.unwrap();
            authorise_consent_in(tx, &inside, &before, &"amelia".into(), &chosen).map_err(|_| StoreError::Contended)
        };
        self.context.store.write(authorise).await.unwrap()
    }

    /// The changes that were reported to the bank, in sequence; the numbers of a consent increase.
    async fn reported(&self) -> Vec<ConsentChangeKind> {
        while report_consent_changes(&self.context).await.unwrap() > 0 {}
        let mut changes = std::mem::take(&mut self.bank.payment_script().consent_changes);
        // Each change that set the same end reports the same expiry, which may be repeated.
        changes.dedup();
        assert!(changes.is_sorted_by(|a, b| a.consent != b.consent || a.number < b.number), "{changes:?}");
        changes.into_iter().map(|change| change.change).collect()
    }

    fn later(&self, hours: i64) {
        self.clock.advance(jiff::SignedDuration::from_hours(hours));
    }
}

#[tokio::test]
async fn every_transition_of_a_consent_is_told_to_a_bank_that_asks_for_it() {
    let world = listening().await;
    let asked = world.asked_for_access().await;
    assert_eq!(world.reported().await, [], "nobody has agreed yet");
    world.share(&asked, &["b-1", "b-2"]).await;
    assert_eq!(world.reported().await, [Authorised]);
    world.later(1);
    world.share(&asked, &["b-2"]).await;
    assert_eq!(world.reported().await, [Changed], "an account is deselected");
    revoke_consent(&world.context, &"amelia".into(), &asked.id).await.unwrap();
    assert_eq!(world.reported().await, [Revoked]);
    world.later(1);
    world.share(&asked, &["b-2"]).await;
    assert_eq!(world.reported().await, [Changed], "authorised again");
    world.later(24);
    assert_eq!(world.reported().await, [Expired], "the same, whichever change set the end");
    delete_consent(&world.context, &acme(), ConsentKind::AccountAccess, &asked.id, V3_1).await.unwrap();
    assert_eq!(world.reported().await, [Revoked]);

    // For a consent that ends before it is reported, only the end is reported.
    let brief = world.asked_for_access().await;
    world.share(&brief, &["b-1"]).await;
    delete_consent(&world.context, &acme(), ConsentKind::AccountAccess, &brief.id, V3_1).await.unwrap();
    assert_eq!(world.reported().await, [Revoked]);

    let paid = world.authorised(terms(now()), "paid").await;
    assert_eq!(world.reported().await, [Authorised]);
    world.place(&paid, "paid").await.unwrap();
    assert_eq!(world.reported().await, [], "the order tells of it");
}

#[tokio::test]
async fn a_vrp_consent_is_told_with_its_limits_and_when_it_is_migrated() {
    let world = listening().await;
    let consent = world.create(vrp::monthly_limit(), "vrp").await.unwrap();
    let consent = world.agree(consent, "amelia", "b-1").await;
    report_consent_changes(&world.context).await.unwrap();
    let change = world.bank.payment_script().consent_changes.pop().unwrap();
    let controls = &consent.request.payment().unwrap().terms.instruction.vrp().unwrap().controls;
    assert_eq!((change.limits.as_ref(), change.accounts), (Some(controls), vec!["b-1".into()]));
    assert_eq!((change.psu, change.kind), (Some("amelia".into()), consent.request.kind()));
    let newer = PaymentDraft { submitted: submitted(V4_0), ..draft(vrp::monthly_limit()) };
    let once = once("consents", "migrate", 1);
    migrate_vrp_consent(&world.context, &acme(), &consent.id, Ok(newer), once).await.unwrap();
    assert_eq!(world.reported().await, [Changed]);
}

#[tokio::test]
async fn a_change_is_reported_until_the_bank_takes_it_and_its_state_comes_back() {
    let world = listening().await;
    let state = CoreState::new("mandate 7").unwrap();
    world.bank.payment_script().consent_state = Some(state.clone());
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::ConsentChange);
    let asked = world.asked_for_access().await;
    world.share(&asked, &["b-1"]).await;
    assert_eq!(world.reported().await, []);
    world.bank.payment_script().unavailable_calls.clear();
    world.bank.payment_script().lost_answer_calls.insert(PaymentCall::ConsentChange);
    world.later(1);
    report_consent_changes(&world.context).await.unwrap();
    world.bank.payment_script().lost_answer_calls.clear();
    world.later(1);
    report_consent_changes(&world.context).await.unwrap();
    let told = std::mem::take(&mut world.bank.payment_script().consent_changes);
    assert_eq!(told.iter().map(|it| (it.change, it.number)).collect::<Vec<_>>(), vec![(Authorised, told[0].number); 2]);
    let id = asked.id.clone();
    let stored =
        world.context.store.read(move |tx| Ok::<_, Failure>(tx.consent_any_owner(&id)?)).await.unwrap().unwrap();
    assert_eq!(stored.core_state, Some(state.clone()));
    let call = lombard_ports::bank::CallContext::under_consent(None, &stored);
    assert_eq!(call.consent.unwrap().core_state, Some(state));
    assert_eq!(world.reported().await, [], "what the core sets is no news to it");
}

#[tokio::test]
async fn nothing_is_noted_for_a_bank_that_does_not_ask() {
    let world = World::new().await;
    let asked = world.asked_for_access().await;
    world.share(&asked, &["b-1"]).await;
    world.bank.payment_script().takes_consent_changes = true;
    assert_eq!(world.reported().await, []);
}

#[tokio::test]
async fn an_order_keeps_what_the_core_sets_on_it() {
    let world = World::new().await;
    let state = CoreState::new("slip 7").unwrap();
    world.bank.payment_script().order_state = Some(state.clone());
    let order = world.order(terms(now()), "paid").await;
    crate::payments::submission::submit_order(&world.context, &order.id).await.unwrap();
    crate::payments::submission::submit_order(&world.context, &order.id).await.unwrap();
    let id = order.id.clone();
    let stored = world.context.store.read(move |tx| Ok::<_, Failure>(tx.order_for_update(&id)?)).await.unwrap();
    assert_eq!(stored.unwrap().core_state, Some(state));
}

#[tokio::test]
async fn set_036_an_expiry_is_told_once_whether_or_not_the_bank_takes_changes() {
    for world in [World::new().await, listening().await] {
        let older = world.asked_for_access().await;
        let asked = world.asked_for_access_through(V4_0).await;
        for consent in [&older, &asked] {
            world.share(consent, &["b-1"]).await;
        }
        // The second change has a separate job for the same end.
        world.later(1);
        world.share(&asked, &["b-1", "b-2"]).await;
        world.reported().await;
        world.told(asked.id.as_str()).await;
        world.told(older.id.as_str()).await;
        world.later(22);
        world.reported().await;
        assert_eq!(world.told(asked.id.as_str()).await, 0, "it is not over");
        // The event does not wait for the bank.
        world.bank.payment_script().unavailable_calls.insert(PaymentCall::ConsentChange);
        world.later(1);
        report_consent_changes(&world.context).await.unwrap();
        assert_eq!(world.told(asked.id.as_str()).await, 1);
        world.bank.payment_script().unavailable_calls.clear();
        world.later(1);
        world.reported().await;
        assert_eq!((world.told(asked.id.as_str()).await, world.told(older.id.as_str()).await), (0, 0));
        let again = crate::consents::expiry_job(&world.context.ids, &asked, world.bank_now());
        world.context.store.write(move |tx| tx.job_enqueue(&again)).await.unwrap();
        world.reported().await;
        assert_eq!(world.told(asked.id.as_str()).await, 0, "a job that is carried out again raises nothing");
    }
}

#[tokio::test]
async fn set_035_nothing_is_told_at_the_end_of_a_consent_that_ended_before() {
    let world = World::new().await;
    let (revoked, deleted) = (world.asked_for_access_through(V4_0).await, world.asked_for_access_through(V4_0).await);
    for consent in [&revoked, &deleted] {
        world.share(consent, &["b-1"]).await;
    }
    revoke_consent(&world.context, &"amelia".into(), &revoked.id).await.unwrap();
    delete_consent(&world.context, &acme(), ConsentKind::AccountAccess, &deleted.id, V4_0).await.unwrap();
    for consent in [&revoked, &deleted] {
        world.told(consent.id.as_str()).await;
    }
    world.later(25);
    world.reported().await;
    for consent in [&revoked, &deleted] {
        assert_eq!(world.told(consent.id.as_str()).await, 0);
    }
    assert_eq!(
        crate::due_work::DueWork::ConsentChanges.remaining(&world.context).await.unwrap(),
        crate::due_work::RemainingWork::Nothing
    );
}
