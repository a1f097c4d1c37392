//! A bank that is killed repeatedly during a file payment executes each of its payments exactly once.
//!
//! `LOMBARD_TEST_KILLS` sets how often each engine is killed.

use super::super::books;
use super::super::load::kills;
use super::*;
use crate::harness::{Bank, ServerProcess, unstarted_on_each_engine};
use jiff::SignedDuration;
use std::collections::BTreeMap;

/// What the references of these payments begin with.
const REFERENCE: &str = "CUT-";
/// How often each engine is killed, unless the environment says otherwise.
const KILLS: usize = 4;
/// How many payments there are in the file.
const LINES: usize = 1_200;
/// Longer than anything is leased for.
const LEASES_END_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// How many payments of the order are written down.
async fn begun(order: &Ordered) -> usize {
    order.payments().await.len()
}

/// Sends the file and has it ordered.
async fn order(bank: &Bank) -> Ordered {
    let paying = PayingTpp::robot(bank).await;
    let mut amounts = vec!["0.01"; LINES];
    for index in (0..LINES).step_by(100) {
        amounts[index] = "0.00";
    }
    Way::sent(&paying, &as_json(REFERENCE, &amounts)).await.ordered().await
}

/// The same order, seen by a TPP that has come back.
async fn again(bank: &Bank, order: &Ordered) -> Ordered {
    let paying = PayingTpp::robot(bank).await;
    Ordered { way: Way { paying, ..order.way.clone() }, ..order.clone() }
}

#[tokio::test(flavor = "multi_thread")]
async fn file_023_killed_in_the_middle_no_payment_is_lost_or_made_twice() {
    for mut bank in unstarted_on_each_engine().await {
        let mut known: Option<Ordered> = None;
        for round in 0..kills(KILLS) {
            let mut server = ServerProcess::start(&bank).await;
            let order = match &known {
                None => order(&bank).await,
                Some(order) => again(&bank, order).await,
            };
            // Another moment each time: while some are written down, given to the bank, settled or told of.
            let wanted = (round + 1) * LINES / (kills(KILLS) + 1);
            until(async || (begun(&order).await >= wanted).then_some(())).await;
            server.process.start_kill().unwrap();
            server.process.wait().await.unwrap();
            known = Some(order);
        }
        // The killed ones ran on the machine's clock, and the last one took work with it that is another's in a while.
        bank.clock.advance_to_present();
        bank.clock.advance(LEASES_END_AFTER);
        bank.restart().await;
        let order = again(&bank, &known.unwrap()).await;
        everything_once(&bank, &order).await;
        bank.stop().await;
    }
}

/// Every payment of the file is made once, but those that cannot be; the TPP was told once that the order has ended.
async fn everything_once(bank: &Bank, order: &Ordered) {
    let rests = async || {
        bank.clock.advance(SignedDuration::from_secs(1));
        let payments = order.payments().await;
        let at_rest = |it: &String| it == "Rejected" || it == "AcceptedCreditSettlementCompleted";
        (payments.len() == LINES && payments.iter().all(at_rest)).then_some(payments)
    };
    let payments = until(rests).await;
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    payments.iter().for_each(|it| *ends.entry(it).or_default() += 1);
    assert_eq!(
        ends,
        BTreeMap::from([("Rejected", LINES / 100), ("AcceptedCreditSettlementCompleted", LINES - LINES / 100)])
    );
    let order = again(bank, order).await;
    assert_eq!(order.ended().await, "InitiationCompleted");
    let entries = books::entries(&order.way.paying.tpp, REFERENCE).await;
    assert_eq!(entries.len(), LINES - LINES / 100, "each is there");
    assert!(entries.values().all(|it| it.len() == 1 && it[0]["Amount"].text("Amount") == "0.01"), "once");
    assert_eq!(books::events(&order.way.paying.tpp).await.get(&order.id), Some(&1));
    let shown = bank.ops_get(&format!("/sandbox/orders/{}", order.id)).await.ok(200);
    let progress = json!({"count": LINES, "given": LINES, "decided": LINES, "rejected": LINES / 100});
    assert_eq!(shown["progress"], progress);
    books::add_up(bank).await;
}
