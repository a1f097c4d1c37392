//! Nodes that have not yet noticed a move of the bank's clock.

use super::super::expiry::{reject_lapsed_orders, reject_undecided_consents};
use super::*;
use crate::purge::purge_ended_rows;
use lombard_domain::retention::RetentionRules;
use lombard_ports::clock::write_bank_offset_micros;
use lombard_ports::store::ServerTransaction;

const FAR: SignedDuration = SignedDuration::from_hours(24 * 40);

fn micros(of: SignedDuration) -> i64 {
    of.as_micros().try_into().unwrap()
}

impl World {
    /// The same bank on a node whose bank clock is ahead by this duration.
    fn node_that_shows(&self, ahead: SignedDuration) -> Self {
        let clocks = Clocks::new(Arc::new(self.clock.clone()));
        clocks.mark_bank_clock_movable();
        clocks.set_bank_offset_micros(micros(ahead));
        let context = Context { clocks, ..self.context.clone() };
        Self { context, clock: self.clock.clone(), bank: Arc::clone(&self.bank) }
    }

    /// Moves the clock without notifying anyone.
    async fn move_to(&self, ahead: SignedDuration) {
        let moving = move |tx: &mut dyn ServerTransaction| write_bank_offset_micros(tx, micros(ahead));
        self.context.store.write::<_, StoreError, _>(moving).await.unwrap();
    }
}

#[tokio::test]
async fn pis_061_and_067_a_day_of_a_key_is_a_day_of_the_banks_and_not_of_a_node() {
    let world = World::new().await;
    let ahead = world.node_that_shows(FAR);
    let consent = world.authorised(terms(now()), "k").await;
    let order = world.place(&consent, "k").await.unwrap();
    assert_eq!(ahead.create(terms(now()), "k").await.unwrap().id, consent.id, "the day is not over");
    assert_eq!(ahead.place(&consent, "k").await.unwrap().id, order.id);
    assert_eq!(purge_ended_rows(&ahead.context, &RetentionRules::default()).await.unwrap(), 0, "nor are its keys");
    world.move_to(FAR).await;
    let behind = world.node_that_shows(SignedDuration::ZERO);
    let other = behind.create(terms(now()), "k").await.unwrap();
    assert_ne!(other.id, consent.id, "now it is");
    assert_eq!(other.created_at, ahead.bank_now());
}

#[tokio::test]
async fn what_a_node_makes_has_the_banks_time_and_not_its_own() {
    let world = World::new().await;
    let ahead = world.node_that_shows(FAR);
    let consent = ahead.authorised(terms(now()), "k").await;
    assert_eq!((consent.created_at, consent.authorised_at), (monday(), Some(monday())));
    assert_eq!(ahead.place(&consent, "k").await.unwrap().created_at, monday());
}

#[tokio::test]
async fn pis_027_and_112_expiry_follows_the_banks_clock_and_not_a_nodes_clock() {
    let world = World::new().await;
    let (ahead, behind) = (world.node_that_shows(FAR), world.node_that_shows(SignedDuration::ZERO));
    let undecided = world.create(terms(now()), "k").await.unwrap();
    let mut soon = terms(now());
    soon.authorisation.complete_by = Some(monday() + SignedDuration::from_hours(1));
    let waiting = world.order_of_two(soon, "l").await;
    assert_eq!(
        (reject_undecided_consents(&ahead.context).await.unwrap(), reject_lapsed_orders(&ahead.context).await.unwrap()),
        (0, 0)
    );
    assert!(
        agreeing::record_approval_decision(
            &ahead.context,
            &"chloe".into(),
            &waiting.id,
            agreeing::ApprovalDecision::Approve(Vec::new())
        )
        .await
        .is_ok()
    );
    assert_eq!(world.consent(&undecided.id).await, undecided);
    world.move_to(FAR).await;
    assert_eq!(reject_undecided_consents(&behind.context).await.unwrap(), 1);
    let rejected = world.consent(&undecided.id).await;
    assert_eq!((rejected.state, rejected.state_changed_at), (ConsentState::Rejected, monday() + FAR));
}
