//! The execution of a file's payments.

use super::super::execution::give_all;
use super::*;
use lombard_domain::payment::file::FileProgress;
use lombard_domain::payment::order::{Debtor, DetailReason};

const HUNDREDS: usize = 450;

async fn progress(world: &World, order: &OrderId) -> FileProgress {
    world.stored(order).await.progress.unwrap()
}

/// The bank begins all payments that were submitted since, and reports each.
fn begin(world: &World, from: usize) {
    for order in world.at_bank().into_iter().skip(from) {
        world.pay(&order, 1, PaymentStatus::InProcess);
    }
}

async fn hear_all(world: &World) {
    while working::apply_status_updates(&world.context).await.unwrap() > 0 {}
}

#[tokio::test(flavor = "multi_thread")]
async fn file_023_each_payment_is_an_order_of_its_own_and_a_bad_one_fails_alone() {
    let world = World::new().await;
    let order = world.file_order(&["100", "7", "0", "250@2026-03-04", "300@2026-02-01"], "k").await;
    let consent = world.consent(&order.consent).await;
    let totals = consent.request.payment().and_then(|payment| payment.file.as_ref()).map(|file| &file.totals);
    assert_eq!(totals.map(|totals| (totals.count, totals.unpayable)), Some((5, 2)), "what the customer is told before");
    assert_eq!(world.payments(&order.id).await, [], "PIS-090");
    give_all(&world).await;
    let given = world.bank.payment_script().orders.clone();
    let ids: Vec<_> = given.iter().map(|it| it.id.clone()).collect();
    assert_eq!(ids, [order.id.for_line(1), order.id.for_line(4), order.id.for_line(5)]);
    let timings: Vec<_> = given.iter().map(|it| it.transfer.timing.clone()).collect();
    assert_eq!(timings, [now(), on_wednesday(), now()], "FILE-016");
    let (today, wednesday) = (date(2026, 3, 2), date(2026, 3, 4));
    let days = world.due_days(&order.id).await;
    assert_eq!(days, [today, today, today, wednesday, today], "a day that has passed is today");
    assert!(given.iter().all(|it| it.debtor == "b-1".into() && it.product == PaymentProduct::FilePayment));
    assert!(given.iter().all(|it| it.conditions == PaymentConditions::default()), "no charge that nobody was told of");
    use PaymentStatus as S;
    assert_eq!(world.payments(&order.id).await, [S::Received, S::Rejected, S::Rejected, S::Received, S::Received]);
    let outcomes = files::read_file_payment_statuses(&world.context, &acme(), &order.id, V3_1).await.unwrap();
    let entries: Vec<_> = outcomes.entries(0..9).collect();
    assert_eq!(entries[1].id.as_str(), format!("{}-2", order.id));
    let why = |index: usize| entries[index].detail.clone().unwrap();
    assert_eq!(why(1).description.as_deref(), Some("The payment names no payee."));
    assert_eq!(why(2).description.as_deref(), Some("The amount must be more than zero."));
    assert_eq!((why(1).status.as_str(), why(1).reason), ("Refused", Some(DetailReason::ProprietaryRejection)));
    assert_eq!(progress(&world, &order.id).await, FileProgress { count: 5, submitted: 5, decided: 2, rejected: 2 });
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationPending);

    world.pay(&order.id.for_line(1), 1, S::InProcess);
    world.tell(&order.id.for_line(4), OrderUpdate::Warehoused);
    hear_all(&world).await;
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationPending, "one is not decided");
    world.tell(&order.id.for_line(5), OrderUpdate::Refused(RejectionReason::InsufficientFunds));
    hear_all(&world).await;
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationCompleted);
    assert_eq!(world.told(order.id.as_str()).await, 1, "SET-036");
    assert_eq!(progress(&world, &order.id).await, FileProgress { count: 5, submitted: 5, decided: 5, rejected: 3 });
    // Later updates change only the payments.
    for status in [S::InProcess, S::Settled, S::Credited] {
        world.pay(&order.id.for_line(4), 1, status);
    }
    world.pay(&order.id.for_line(1), 1, S::Settled);
    hear_all(&world).await;
    assert_eq!(world.payments(&order.id).await, [S::Settled, S::Rejected, S::Rejected, S::Credited, S::Rejected]);
    assert_eq!(progress(&world, &order.id).await.decided, 5);
    assert_eq!(world.told(order.id.as_str()).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_023_an_order_of_which_nothing_is_paid_has_failed() {
    let world = World::new().await;
    let refused = world.file_order(&["7", "7"], "k").await;
    give_all(&world).await;
    assert_eq!(world.at_bank(), []);
    assert_eq!(world.summary_status(&refused.id).await, SummaryStatus::InitiationFailed);
    assert_eq!(world.told(refused.id.as_str()).await, 1);
    let order = world.file_order(&["7", "100", "100"], "l").await;
    give_all(&world).await;
    world.tell(&order.id.for_line(2), OrderUpdate::Refused(RejectionReason::SuspectedFraud));
    world.tell(&order.id.for_line(3), OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer));
    hear_all(&world).await;
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationFailed);
    let payments = world.payments(&order.id).await;
    assert_eq!(payments, [PaymentStatus::Rejected, PaymentStatus::Rejected, PaymentStatus::Cancelled]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_given_in_batches_and_lets_others_come_between() {
    let world = World::new().await;
    let file = world.file_order(&["100"; HUNDREDS], "k").await;
    let other = world.order(terms(now()), "l").await;
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 2);
    assert!(world.at_bank().contains(&other.id));
    assert_eq!(world.at_bank().len(), 201);
    assert_eq!(progress(&world, &file.id).await.submitted, 200);
    assert_eq!(world.payments(&file.id).await.len(), 200, "progress can be seen");
    give_all(&world).await;
    assert_eq!(world.at_bank().len(), HUNDREDS + 1);
    begin(&world, 0);
    hear_all(&world).await;
    assert_eq!(world.summary_status(&file.id).await, SummaryStatus::InitiationCompleted);
    assert_eq!(world.told(file.id.as_str()).await, 1);
    world.clock.advance(DAY);
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 0, "no job is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_falls_behind_is_given_more_after_a_breath() {
    let world = World::new().await;
    let file = world.file_order(&["100"; 1_600], "k").await;
    let mut given = 0;
    while submission::submit_orders(&world.context).await.unwrap() > 0 {
        given += 1;
    }
    assert_eq!((given, world.at_bank().len()), (6, 1_200), "more than a thousand are undecided");
    world.clock.advance(SignedDuration::from_millis(100));
    assert_eq!(submission::submit_orders(&world.context).await.unwrap(), 1, "it goes on all the same");
    let ordered = world.context.payments.submission_notify.clone();
    let rung = async || futures_util::FutureExt::now_or_never(ordered.notified()).is_some();
    rung().await;
    begin(&world, 0);
    hear_all(&world).await;
    assert!(rung().await, "there is room for more");
    world.clock.advance(SignedDuration::from_millis(100));
    give_all(&world).await;
    begin(&world, 1_400);
    hear_all(&world).await;
    assert!(!rung().await, "nothing is left to give");
    assert_eq!(
        progress(&world, &file.id).await,
        FileProgress { count: 1_600, submitted: 1_600, decided: 1_600, rejected: 0 }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_fails_in_the_middle_no_payment_is_lost_or_counted_twice() {
    let world = World::new().await;
    let mut lines = ["100"; HUNDREDS];
    (lines[10], lines[201]) = ("7", "0");
    let order = world.file_order(&lines, "k").await;
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Submit);
    submission::submit_orders(&world.context).await.unwrap();
    assert_eq!(progress(&world, &order.id).await, FileProgress::for_count(450));
    assert_eq!(world.payments(&order.id).await.len(), 200, "they are written down");
    world.bank.payment_script().unavailable_calls.clear();
    // The bank has received the payments and reports them before their submission is stored.
    world.bank.payment_script().lost_answer_calls.insert(PaymentCall::Submit);
    world.clock.advance(SignedDuration::from_secs(1));
    submission::submit_orders(&world.context).await.unwrap();
    begin(&world, 0);
    working::apply_status_updates(&world.context).await.unwrap();
    assert_eq!(progress(&world, &order.id).await, FileProgress { count: 450, submitted: 0, decided: 199, rejected: 0 });
    world.bank.payment_script().lost_answer_calls.clear();
    world.bank.payment_script().lost_answer_calls.insert(PaymentCall::AcknowledgeUpdates);
    world.clock.advance(SignedDuration::from_mins(1));
    give_all(&world).await;
    begin(&world, 199);
    assert!(working::apply_status_updates(&world.context).await.is_err());
    world.bank.payment_script().lost_answer_calls.clear();
    hear_all(&world).await;
    assert_eq!(world.at_bank().len(), 448);
    assert_eq!(
        progress(&world, &order.id).await,
        FileProgress { count: 450, submitted: 450, decided: 450, rejected: 2 }
    );
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationCompleted);
    assert_eq!(world.told(order.id.as_str()).await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recorded_payment_outcome_stays_if_the_file_is_submitted_later() {
    let world = World::new().await;
    // The day is too far ahead today, but no longer after the time for which the bank is unavailable.
    let order = world.file_order(&["100@2027-03-10", "100"], "k").await;
    world.bank.payment_script().unavailable_calls.insert(PaymentCall::Submit);
    submission::submit_orders(&world.context).await.unwrap();
    assert_eq!(world.payments(&order.id).await, [PaymentStatus::Rejected, PaymentStatus::Received]);
    world.bank.payment_script().unavailable_calls.clear();
    world.clock.advance(DAY * 30);
    give_all(&world).await;
    assert_eq!(world.at_bank(), [order.id.for_line(2)]);
    assert_eq!(progress(&world, &order.id).await, FileProgress { count: 2, submitted: 2, decided: 1, rejected: 1 });
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_at_one_file_give_and_hear_each_payment_once() {
    let world = World::new().await;
    let order = world.file_order(&["100"; HUNDREDS], "k").await;
    for _ in 0..4 {
        let give = || submission::submit_order(&world.context, &order.id);
        let (one, other) = tokio::join!(give(), give());
        assert!(one.is_ok() && other.is_ok());
    }
    assert_eq!(world.at_bank().len(), HUNDREDS);
    begin(&world, 0);
    let (one, other) =
        tokio::join!(working::apply_status_updates(&world.context), working::apply_status_updates(&world.context));
    assert!(one.is_ok() && other.is_ok());
    hear_all(&world).await;
    assert_eq!(
        progress(&world, &order.id).await,
        FileProgress { count: 450, submitted: 450, decided: 450, rejected: 0 }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_112_a_file_of_two_waits_for_the_second() {
    let world = World::new().await;
    let consent = world.create(of_file(file_terms()), "k").await.unwrap();
    world.send(&consent.id, "k", HASH, "100\n200").await.unwrap();
    let consent = world.agree(world.consent(&consent.id).await, "bashir", "b-3").await;
    let order = world.place(&consent, "k").await.unwrap();
    give_all(&world).await;
    assert_eq!(world.at_bank(), []);
    assert_eq!(agreeing::list_pending_approvals(&world.context, &"chloe".into()).await.unwrap().len(), 1);
    agreeing::record_approval_decision(
        &world.context,
        &"chloe".into(),
        &order.id,
        agreeing::ApprovalDecision::Approve(Vec::new()),
    )
    .await
    .unwrap();
    give_all(&world).await;
    assert_eq!(world.at_bank(), [order.id.for_line(1), order.id.for_line(2)]);
    begin(&world, 0);
    hear_all(&world).await;
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationCompleted);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_022_a_report_exists_once_the_order_has_ended_and_stays_unchanged() {
    let world = World::new().await;
    let order = world.file_order(&["100", "7", "300"], "k").await;
    let early = files::read_finished_order(&world.context, &acme(), &order.id, V3_1).await;
    assert_eq!(refusal(early).kind, RefusalKind::NotFound);
    give_all(&world).await;
    begin(&world, 0);
    hear_all(&world).await;
    let ended = files::read_finished_order(&world.context, &acme(), &order.id, V3_1).await.unwrap();
    assert_eq!((ended.kind, ended.file.totals.count, ended.outcomes.count()), (FileType::Pain001, 3, 3));
    let entries = || ended.outcomes.entries(0..3).collect::<Vec<_>>();
    let first = entries();
    world.pay(&order.id.for_line(1), 1, PaymentStatus::Settled);
    hear_all(&world).await;
    assert_eq!(entries(), first);
    let tally = ended.outcomes.tally(1..9);
    assert_eq!((tally[&PaymentStatus::Rejected], tally[&PaymentStatus::InProcess]), (1, 1));
    assert_eq!(world.payments(&order.id).await[0], PaymentStatus::Settled);
    let foreign = files::read_finished_order(&world.context, &ClientId::from("rival"), &order.id, V3_1).await;
    assert_eq!(refusal(foreign).kind, RefusalKind::ForeignOwner);
    assert_eq!(order.debtor, Some(Debtor { name: "amelia".into(), account: None }), "PIS-099");
}

#[tokio::test(flavor = "multi_thread")]
async fn news_of_a_payment_that_is_not_of_the_file_hold_up_nothing() {
    let world = World::new().await;
    let order = world.file_order(&["100"], "k").await;
    give_all(&world).await;
    world.pay(&order.id.for_line(2), 1, PaymentStatus::InProcess);
    world.pay(&OrderId::from("nothing").for_line(1), 1, PaymentStatus::InProcess);
    world.pay(&order.id.for_line(1), 1, PaymentStatus::Credited);
    world.pay(&order.id.for_line(1), 1, PaymentStatus::InProcess);
    hear_all(&world).await;
    assert_eq!(world.payments(&order.id).await, [PaymentStatus::InProcess], "what does not follow is left at that");
    assert_eq!(world.summary_status(&order.id).await, SummaryStatus::InitiationCompleted);
}

#[tokio::test(flavor = "multi_thread")]
async fn file_023_a_payment_that_is_not_made_tells_the_rail_it_was_meant_for() {
    let world = World::new().await;
    let bacs = Some(lombard_domain::payment::transfer::Instrument::Bacs);
    let terms = FileInitiation { instrument: bacs, ..file_terms() };
    let consent = world.create(of_file(terms), "k").await.unwrap();
    world.send(&consent.id, "k", HASH, "7").await.unwrap();
    let consent = world.agree(world.consent(&consent.id).await, "amelia", "b-1").await;
    let order = world.place(&consent, "k").await.unwrap();
    give_all(&world).await;
    let outcomes = files::read_file_payment_statuses(&world.context, &acme(), &order.id, V3_1).await.unwrap();
    let told: Vec<_> = outcomes.entries(0..9).map(|entry| (entry.status, entry.detail.unwrap().instrument)).collect();
    assert_eq!(told, [(PaymentStatus::Rejected, bacs)]);
}
