//! Tests of the scheduler on the seeded bank: over a year, nothing is done twice, and all balances agree.

use crate::controls::BankClock;
use crate::joint::{self, JointStore};
use crate::seed::{self, NoSeedProgress};
use jiff::Timestamp;
use jiff::{SignedDuration, ToSpan};
use lombard_corebank::storage::{Arrangement, ArrangementKind, ArrangementVariant, BankStore};
use lombard_corebank::{BankScheduler, BuiltInBank};
use lombard_domain::account::AccountStatus;
use lombard_domain::account::{
    ArrangementStatus, DirectDebit, EntryStatus, Instalment, ScheduledPayment, StandingOrder, Statement, Transaction,
};
use lombard_domain::frequency::Frequency;
use lombard_domain::ids::BankAccountId;
use lombard_domain::ids::PsuId;
use lombard_domain::ledger::LedgerSums;
use lombard_domain::money::{Amount, Currency};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{Bank, CallContext, EntryFilter, StatementFilter, TimeRange, contract};
use lombard_ports::clock::Clocks;
use lombard_ports::clock::ManualClock;
use lombard_ports::controls::ClockMove;
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// A bank whose clock is moved by the test.
struct World {
    store: BankStore,
    joint: JointStore,
    clock: ManualClock,
    clocks: Clocks,
    scheduler: BankScheduler,
}

fn seeded_at() -> Timestamp {
    "2026-02-27T16:45:10Z".parse().unwrap()
}

async fn world() -> World {
    let (_, store, joint) = joint::open_temporary_store().await.unwrap();
    seed::seed_sandbox(&store, seeded_at(), 42, &NoSeedProgress).await.unwrap();
    let clock = ManualClock::starting_at(seeded_at());
    let clocks = Clocks::new(Arc::new(clock.clone()));
    let scheduler = BankScheduler::new(store.clone(), clocks.clone());
    World { store, joint, clock, clocks, scheduler }
}

impl World {
    async fn advance(&self, days: i64) {
        self.clock.advance(SignedDuration::from_hours(days.saturating_mul(24)));
        while self.scheduler.run_due().await.unwrap() > 0 {}
    }

    /// A node's clock and scheduler; the clock adopts moves only on request.
    fn node(&self) -> (BankClock, BankScheduler) {
        let clocks = Clocks::new(Arc::new(self.clock.clone()));
        (BankClock::new(self.joint.clone(), clocks.clone()), BankScheduler::new(self.store.clone(), clocks))
    }

    async fn accounts_of(&self, login: &'static str) -> Vec<BankAccountId> {
        let records = self.store.read(move |tx| tx.bank_accounts_of(&PsuId::from(login))).await.unwrap();
        records.into_iter().map(|record| record.account.id).collect()
    }

    async fn entries(&self, account: &BankAccountId) -> Vec<Transaction> {
        let filter = EntryFilter::for_accounts(vec![account.clone()]);
        self.store.read(move |tx| tx.entries(&filter, &ListWindow::first_page(10_000))).await.unwrap().items
    }

    async fn statements(&self, account: &BankAccountId) -> Vec<Statement> {
        let filter = StatementFilter::for_accounts(vec![account.clone()]);
        self.store.read(move |tx| tx.statements(&filter, &ListWindow::first_page(1_000))).await.unwrap().items
    }

    async fn list<T: ArrangementVariant>(&self, accounts: &[BankAccountId]) -> Vec<T> {
        let accounts = accounts.to_vec();
        let page = self
            .store
            .read(move |tx| tx.arrangements(T::KIND, &accounts, &ListWindow::first_page(1_000)))
            .await
            .unwrap();
        page.items.into_iter().filter_map(T::from_arrangement).collect()
    }

    async fn put(&self, arrangement: impl Into<Arrangement>) {
        let arrangement = arrangement.into();
        self.store.write(move |tx| tx.arrangements_put(std::slice::from_ref(&arrangement))).await.unwrap();
    }

    async fn ledger_is_sound(&self) {
        let totals = self.store.read(|tx| tx.ledger_totals()).await.unwrap();
        assert!(totals.iter().all(|(_, sums)| *sums == LedgerSums::default()), "{totals:?}");
    }
}

const LOGINS: [&str; 4] = ["amelia", "bashir", "deepak", "esther"];

#[tokio::test]
async fn a_year_gives_every_account_twelve_statements_and_everything_adds_up() {
    let world = world().await;
    let mut before = Vec::new();
    for login in LOGINS {
        for account in world.accounts_of(login).await {
            let count = world.statements(&account).await.len();
            assert_eq!(count, 25, "{login}: every full month of the history");
            before.push((account, count));
        }
    }
    world.advance(365).await;
    for (account, count) in &before {
        assert_eq!(world.statements(account).await.len(), count + 12);
        let sums = world
            .store
            .read({
                let id = account.clone();
                move |tx| tx.ledger_sums(std::slice::from_ref(&id))
            })
            .await
            .unwrap();
        assert_eq!(sums[0].pending, 0, "what was pending is booked");
    }
    world.ledger_is_sound().await;
    let bank = BuiltInBank::new(world.store.clone(), world.clocks.clone());
    let withheld = world.accounts_of("esther").await;
    for psu in ["amelia", "bashir"] {
        let facts = contract::BankFacts { psu: psu.into(), nobody: "esther".into(), withheld: withheld.clone() };
        contract::check_bank_contract(&bank, &facts).await.unwrap();
    }
    assert_eq!(world.scheduler.run_due().await.unwrap(), 0, "nothing is left");
}

#[tokio::test]
async fn however_the_clock_is_moved_the_same_happens() {
    let at_once = world().await;
    let by_days = world().await;
    at_once.advance(70).await;
    for _ in 0..70 {
        by_days.advance(1).await;
    }
    for login in ["amelia", "bashir", "deepak"] {
        for account in at_once.accounts_of(login).await {
            assert_eq!(at_once.entries(&account).await, by_days.entries(&account).await, "{login}");
            assert_eq!(at_once.statements(&account).await, by_days.statements(&account).await, "{login}");
        }
    }
}

#[tokio::test]
async fn two_nodes_at_once_do_everything_once() {
    let alone = world().await;
    let shared = world().await;
    alone.advance(40).await;
    shared.clock.advance(SignedDuration::from_hours(24 * 40));
    let node = || {
        let scheduler = shared.scheduler.clone();
        tokio::spawn(async move { while scheduler.run_due().await.unwrap() > 0 {} })
    };
    let nodes = [node(), node(), node()];
    for node in nodes {
        node.await.unwrap();
    }
    for account in alone.accounts_of("amelia").await {
        assert_eq!(alone.entries(&account).await, shared.entries(&account).await);
    }
    shared.ledger_is_sound().await;
}

#[tokio::test]
async fn a_node_unaware_of_a_clock_change_does_no_work_due_by_the_old_time() {
    let world = world().await;
    let account = world.accounts_of("amelia").await.remove(0);
    let before = world.entries(&account).await;
    let forty_days = SignedDuration::from_hours(24 * 40);
    let ((moves, _), (follows, scheduler)) = (world.node(), world.node());
    moves.move_to(ClockMove::By(forty_days)).await.unwrap();
    assert_eq!(scheduler.run_due().await.unwrap(), 0, "it does not know yet");
    follows.adopt_stored_offset().await.unwrap();
    moves.move_to(ClockMove::By(-forty_days)).await.unwrap();
    assert_eq!(scheduler.run_due().await.unwrap(), 0, "nothing of what is to come");
    assert_eq!(world.entries(&account).await, before);
    moves.move_to(ClockMove::By(forty_days)).await.unwrap();
    assert!(scheduler.run_due().await.unwrap() > 0, "it is as it thinks");
    world.ledger_is_sound().await;
}

#[tokio::test]
async fn ais_122_and_ais_123_a_pending_entry_is_booked_on_time_and_then_fixed() {
    let world = world().await;
    let account = world.accounts_of("amelia").await;
    let filter = EntryFilter::for_accounts(account);
    let read = || {
        let filter = filter.clone();
        async { world.store.read(move |tx| tx.entries(&filter, &ListWindow::first_page(60))).await.unwrap().items }
    };
    let pending: Vec<_> = read().await.into_iter().filter(|it| it.status == EntryStatus::Pending).collect();
    assert!(!pending.is_empty());
    world.advance(7).await;
    let after = read().await;
    for entry in pending {
        let now = after.iter().find(|it| it.id == entry.id).unwrap();
        assert_eq!((now.status, now.booked_at, now.sum), (EntryStatus::Booked, entry.booked_at, entry.sum));
        assert!(now.balance.is_some());
    }
}

#[tokio::test]
async fn ais_173_a_scheduled_payment_is_made_once_and_leaves_the_list() {
    let world = world().await;
    let accounts = world.accounts_of("amelia").await;
    let planned: Vec<ScheduledPayment> = world.list(&accounts).await;
    let first = planned.iter().min_by_key(|it| it.at).unwrap().clone();
    world.advance(20).await;
    let left: Vec<ScheduledPayment> = world.list(&accounts).await;
    assert_eq!(left.len(), planned.len() - 1);
    assert!(left.iter().all(|it| it.id != first.id));
    let made = world.entries(&first.account).await;
    let made: Vec<_> = made.iter().filter(|it| it.reference == first.reference).collect();
    assert_eq!((made.len(), made[0].status, made[0].booked_at), (1, EntryStatus::Booked, first.at));
    assert_eq!(made[0].sum.amount(), first.amount);
}

#[tokio::test]
async fn what_cannot_be_paid_is_not_paid_and_the_account_says_so() {
    let world = world().await;
    let account = world.accounts_of("deepak").await.remove(0);
    let planned: Vec<ScheduledPayment> = world.list(std::slice::from_ref(&account)).await;
    let dear = ScheduledPayment { amount: Amount::from_minor(9_000_000, Currency::GBP), ..planned[0].clone() };
    world.put(dear.clone()).await;
    world.advance(10).await;
    assert!(world.list::<ScheduledPayment>(std::slice::from_ref(&account)).await.is_empty());
    let entries = world.entries(&account).await;
    let refused: Vec<_> = entries.iter().filter(|it| it.sum.amount() == dear.amount).collect();
    assert_eq!((refused.len(), refused[0].status), (1, EntryStatus::Rejected));
    assert!(refused[0].information.as_ref().unwrap().contains("insufficient funds"));
    world.ledger_is_sound().await;
}

fn order_of(order: &StandingOrder, frequency: Frequency, first: &str) -> StandingOrder {
    let at =
        |day: &str| day.parse::<jiff::civil::Date>().unwrap().to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
    let instalment = Instalment { at: at(first), amount: Amount::from_minor(100, Currency::GBP) };
    StandingOrder {
        id: "test".into(),
        frequency,
        reference: Some("TEST ORDER".to_owned()),
        first: Some(instalment),
        next: Some(instalment),
        last: None,
        ..order.clone()
    }
}

#[tokio::test]
async fn so_020_every_scheduled_day_is_paid_on_the_next_working_day() {
    let world = world().await;
    let accounts = world.accounts_of("amelia").await;
    let template: StandingOrder = world.list(&accounts).await.remove(0);
    // Good Friday is 3 April, Easter Monday the 6th. Four earlier days of the schedule are paid on Tuesday the 7th, together with its own.
    let daily = order_of(&template, Frequency::EveryDay, "2026-04-01");
    let daily = StandingOrder { payments: Some(9), ..daily };
    world.put(daily.clone()).await;
    world.advance(60).await;
    let mut made = world.entries(&daily.account).await;
    made.retain(|it| it.reference == daily.reference);
    let mut days: Vec<_> = made.iter().map(|it| it.booked_at.to_string()[..10].to_owned()).collect();
    days.reverse();
    let seventh = ["2026-04-07"; 5];
    assert_eq!(days, [&["2026-04-01", "2026-04-02"], &seventh[..], &["2026-04-08", "2026-04-09"]].concat());
    let now: StandingOrder =
        world.list(&accounts).await.into_iter().find(|it: &StandingOrder| it.id == daily.id).unwrap();
    assert_eq!((now.status, now.next), (ArrangementStatus::Expired, None), "AIS-170");
    assert!(now.last.is_some_and(|last| last.at.to_string().starts_with("2026-04-09")));
}

#[tokio::test]
async fn so_001_a_standing_order_keeps_month_end_and_ends_with_its_last_amount() {
    let world = world().await;
    let accounts = world.accounts_of("amelia").await;
    let template: StandingOrder = world.list(&accounts).await.remove(0);
    let order = order_of(&template, Frequency::IntervalMonthDay(1, -1), "2026-03-31");
    let end = Instalment { at: "2026-06-30T00:00:00Z".parse().unwrap(), amount: Amount::from_minor(7, Currency::GBP) };
    world.put(StandingOrder { end: Some(end), ..order.clone() }).await;
    world.advance(40).await;
    let now: StandingOrder =
        world.list(&accounts).await.into_iter().find(|it: &StandingOrder| it.id == order.id).unwrap();
    assert_eq!(now.next.unwrap().at.to_string(), "2026-04-30T00:00:00Z");
    world.advance(160).await;
    let mut made = world.entries(&order.account).await;
    made.retain(|it| it.reference == order.reference);
    let mut days: Vec<_> =
        made.iter().map(|it| (it.booked_at.to_string()[..10].to_owned(), it.sum.amount().minor())).collect();
    days.reverse();
    // 31 May 2026 is a Sunday.
    let expected = [("2026-03-31", 100), ("2026-04-30", 100), ("2026-06-01", 100), ("2026-06-30", 7)];
    assert_eq!(days, expected.map(|(day, minor)| (day.to_owned(), minor)));
}

#[tokio::test]
async fn ais_121_a_future_entry_is_booked_on_its_day_and_information_stays() {
    let world = world().await;
    let mut all = Vec::new();
    for customer in ["amelia", "deepak"] {
        for account in &world.accounts_of(customer).await {
            all.extend(world.entries(account).await);
        }
    }
    let of = |status| all.iter().filter(|it| it.status == status).cloned().collect::<Vec<_>>();
    let future = of(EntryStatus::Future).remove(0);
    assert!(future.booked_at > seeded_at() && future.value_at == Some(future.booked_at), "{future:?}");
    let information = of(EntryStatus::Information).remove(0);
    world.advance(10).await;
    let now = world.entries(&future.account).await.into_iter().find(|it| it.id == future.id).unwrap();
    assert_eq!((now.status, now.sum), (EntryStatus::Booked, future.sum));
    assert!(now.balance.is_some() && now.booked_at >= future.booked_at);
    assert!(world.entries(&information.account).await.contains(&information));
}

#[tokio::test]
async fn collections_move_the_mandates_previous_payment() {
    let world = world().await;
    let accounts = world.accounts_of("amelia").await;
    let mandates: Vec<DirectDebit> = world.list(&accounts).await;
    world.advance(45).await;
    let now: Vec<DirectDebit> = world.list(&accounts).await;
    for (before, after) in mandates.iter().zip(&now) {
        if before.status != ArrangementStatus::Active {
            assert_eq!(before, after);
            continue;
        }
        let (at, amount) = after.previous.unwrap();
        let entries = world.entries(&after.account).await;
        let entry = entries.iter().find(|it| it.booked_at == at).unwrap();
        assert_eq!(entry.sum.amount(), amount, "{}", after.name);
        assert!(at > before.previous.unwrap().0, "{}", after.name);
    }
}

#[tokio::test]
async fn ais_170_nothing_is_collected_under_a_mandate_that_is_missing() {
    let world = world().await;
    let accounts = world.accounts_of("amelia").await;
    let mandates: Vec<DirectDebit> = world.list(&accounts).await;
    world
        .store
        .write(move |tx| {
            for it in &mandates {
                assert!(tx.arrangement_remove(ArrangementKind::DirectDebit, &it.account, &it.id)?);
            }
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
    world.advance(45).await;
    let mut regular = 0;
    for account in &accounts {
        for entry in world.entries(account).await.into_iter().filter(|it| it.booked_at > seeded_at()) {
            regular += 1;
            assert!(entry.proprietary_code.as_ref().is_none_or(|own| own.code != "DD"), "{entry:?}");
        }
    }
    assert!(regular > 0, "what needs no mandate goes on");
}

#[tokio::test]
async fn ais_082_nothing_happens_on_an_account_that_was_closed() {
    let world = world().await;
    let account = world.accounts_of("amelia").await.remove(0);
    let id = account.clone();
    world
        .store
        .write(move |tx| {
            let mut record = tx.bank_accounts(std::slice::from_ref(&id))?.remove(0);
            record.account.status = AccountStatus::Deleted;
            tx.bank_account_update(&record)
        })
        .await
        .unwrap();
    let booked = |entries: Vec<Transaction>| entries.into_iter().filter(|it| it.value_at > Some(seeded_at())).count();
    world.advance(60).await;
    assert_eq!(booked(world.entries(&account).await), 0, "but what was pending");
    let due = world.clocks.bank_now().saturating_add(1_000.hours()).unwrap();
    let left = world.store.read(move |tx| tx.arrangements_due(due, 1_000)).await.unwrap().rows;
    assert!(left.iter().all(|it| *it.account() != account), "{left:?}");
    let orders: Vec<StandingOrder> = world.list(std::slice::from_ref(&account)).await;
    assert!(orders.iter().all(|it| it.status == ArrangementStatus::Inactive));
}

#[tokio::test]
async fn interest_and_cashback_are_booked_at_period_end_and_on_its_statement() {
    let world = world().await;
    let accounts = world.accounts_of("amelia").await;
    world.advance(35).await;
    let bank = BuiltInBank::new(world.store.clone(), world.clocks.clone());
    let mut seen = 0;
    for account in &accounts {
        let newest = world.statements(account).await.remove(0);
        assert_eq!(newest.ends_at.to_string(), "2026-03-31T23:59:59Z");
        let on_it =
            EntryFilter { statement: Some(newest.id.clone()), ..EntryFilter::for_accounts(vec![account.clone()]) };
        let on_it = bank
            .list_transactions(&CallContext::default(), &on_it, TimeRange::ALWAYS, &ListWindow::first_page(500))
            .await
            .unwrap()
            .page
            .items;
        for interest in &newest.interest {
            let code = |it: &&Transaction| it.proprietary_code.as_ref().is_some_and(|own| own.code == "INTR");
            let entry = on_it.iter().find(code).unwrap();
            assert_eq!((entry.sum, entry.booked_at), (interest.sum, newest.ends_at));
            seen += 1;
        }
        seen += newest.benefits.len();
    }
    assert!(seen >= 1);
}
