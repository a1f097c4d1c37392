//! Tests that the steps of many orders in one batch have the same results as single steps, and take few round trips.

use super::*;
use lombard_database::test_on_both_engines;
use lombard_database::testing::TestDatabase;
use lombard_database::{Database, DatabaseTraffic};

/// The number of orders.
const ORDERS: usize = 60;

/// Whether the steps run in one batch or one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Steps {
    Together,
    OneByOne,
}

/// All results of the orders: updates, entries and sums.
#[derive(Debug, PartialEq, Eq)]
struct Books {
    entries: Vec<Vec<Transaction>>,
    sums: Vec<LedgerSums>,
    updates: Vec<StatusUpdate>,
}

fn order_of(number: usize) -> (&'static str, Transfer) {
    let pence = 100 + u64::try_from(number).unwrap();
    match number % 6 {
        0 => ("ann", to("bob", instruction(pence))),
        1 => ("ann", instruction(pence)),
        2 => ("bob", to("ann", instruction(pence))),
        3 => ("ann", to("gone", instruction(pence))),
        4 => ("ann", by(Instrument::Chaps, instruction(pence))),
        _ => ("ann", instruction(u64::try_from(OPENING).unwrap() * 10)),
    }
}

impl World {
    async fn turn_by(&self, steps: Steps) {
        loop {
            let done = match steps {
                Steps::Together => self.scheduler.run_due().await.unwrap(),
                Steps::OneByOne => self.scheduler.run_due_one_by_one().await.unwrap(),
            };
            if done == 0 {
                return;
            }
        }
    }

    /// Submits many payments at once and runs their steps. Returns the results and the database traffic.
    async fn pay_many(&self, steps: Steps, database: Option<&Database>) -> (Books, DatabaseTraffic) {
        let mut orders = Vec::new();
        for number in 0..ORDERS {
            let (debtor, transfer) = order_of(number);
            orders.push(self.made_from(debtor, &format!("o-{number:02}"), transfer).await);
        }
        self.bank.submit_orders(&CallContext::default(), &orders).await.unwrap();
        let traffic = || database.map(Database::traffic).unwrap_or_default();
        let before = traffic();
        for seconds in [0, 1, 5, 3600, 86_400] {
            self.clock.advance(SignedDuration::from_secs(seconds));
            self.turn_by(steps).await;
        }
        let taken = traffic().since(before);
        self.is_sound().await;
        let (mut entries, mut sums) = (Vec::new(), Vec::new());
        for (id, ..) in ACCOUNTS {
            let mut of_account = self.entries(id).await;
            of_account.sort_by(|a, b| a.id.cmp(&b.id));
            entries.push(of_account);
            sums.push(self.sums(id).await);
        }
        let mut updates = self.hear().await;
        updates.sort_by(|a, b| (&a.order, a.number).cmp(&(&b.order, b.number)));
        (Books { entries, sums, updates }, taken)
    }
}

async fn world_of(database: &TestDatabase) -> (World, Database) {
    let database = database.migrated(&[&crate::SCHEMA]).await;
    (world_on(crate::open_bank_store(database.clone()), noon()).await, database)
}

/// Runs the same orders in batches on this engine and one by one on another, and compares the results.
async fn steps_together_do_what_they_do_one_by_one(database: Arc<TestDatabase>) {
    let (together, _) = world_of(&database).await.0.pay_many(Steps::Together, None).await;
    let (one_by_one, _) = world().await.pay_many(Steps::OneByOne, None).await;
    assert_eq!(together, one_by_one);
    let statuses = together.updates.len();
    assert!(statuses > ORDERS * 2, "{statuses}");
}

/// A payment takes less than one round trip, because many payments share each round trip.
async fn steps_together_share_their_round_trips(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let (world, database) = world_of(&database).await;
    let (_, taken) = world.pay_many(Steps::Together, Some(&database)).await;
    if is_remote {
        println!("{ORDERS} orders together: {taken:?}");
        let orders = u64::try_from(ORDERS).unwrap();
        assert!(taken.round_trips < orders * 2 && taken.statements < orders * 8, "{taken:?}");
    }
}

/// Measures steps that run one by one, for comparison.
async fn steps_one_by_one_wait_for_each(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let (world, database) = world_of(&database).await;
    let (_, taken) = world.pay_many(Steps::OneByOne, Some(&database)).await;
    if is_remote {
        println!("{ORDERS} orders one by one: {taken:?}");
    }
}

/// A batch never posts a cause again, and the payment continues.
async fn a_cause_that_was_posted_before_is_found_out(database: Arc<TestDatabase>) {
    let (world, _) = world_of(&database).await;
    world.order("o", to("bob", instruction(300))).await;
    let post = |tx: &mut dyn Tables| {
        let line = |party: &str, minor| JournalLine::external_party(party, minor, Currency::GBP);
        booking::book(tx, "order/o/1/credit".to_owned(), noon(), vec![line("x", -1), line("y", 1)])
    };
    world.store.write::<_, StoreError, _>(post).await.unwrap();
    for _ in 0..3 {
        world.wait(10).await;
    }
    assert_eq!(world.moved("ann").await, (-300, 0), "debited once");
    assert_eq!(world.moved("bob").await, (0, 0), "and credited never again");
    assert_eq!(world.statuses().await.last().unwrap().1, PaymentStatus::Credited);
}

/// If one order of a batch fails, only this order is quarantined, although the failure appears only when the rows of all orders are
/// written.
async fn the_order_that_fails_is_the_one_that_is_quarantined(database: Arc<TestDatabase>) {
    // Ids are derived from the order and the time, so this world computes the ids that will be inserted.
    let scratch = self::world().await;
    scratch.order("b", to("bob", instruction(100))).await;
    scratch.turn().await;
    let mut taken = scratch.entries("ann").await.remove(0);
    taken.status = EntryStatus::Rejected;

    let (world, _) = world_of(&database).await;
    world.store.write::<_, StoreError, _>(move |tx| tx.entries_insert(std::slice::from_ref(&taken))).await.unwrap();
    for id in ["a", "b", "c"] {
        world.order(id, to("bob", instruction(100))).await;
    }
    for _ in 0..3 {
        world.wait(10).await;
    }
    let quarantined = world.store.read::<_, StoreError, _>(|tx| tx.quarantined(0, 10)).await.unwrap();
    let subjects: Vec<_> = quarantined.iter().map(|it| it.work.subject.as_str()).collect();
    assert_eq!(subjects, ["b"]);
    assert_eq!(world.moved("bob").await.0, 200);
}

test_on_both_engines! {
    steps_together_do_what_they_do_one_by_one,
    steps_together_share_their_round_trips,
    steps_one_by_one_wait_for_each,
    a_cause_that_was_posted_before_is_found_out,
    the_order_that_fails_is_the_one_that_is_quarantined,
}
