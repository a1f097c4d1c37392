//! A bank that is killed repeatedly during payments executes every acknowledged payment exactly once.
//!
//! `LOMBARD_TEST_KILLS` sets how often each engine is killed. The start time is printed and checked against a generous limit
//! only; the benchmark `start` measures it.

use super::books;
use crate::harness::paying::{consents, order_of, orders};
use crate::harness::vrp::{VRP, payment};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ServerProcess, ValueExt, unstarted_on_each_engine};
use futures_util::future::try_join_all;
use jiff::SignedDuration;
use lombard_domain::order::PaymentProduct;
use lombard_ports::clock::{Clock, SystemClock};
use lombard_tpp::{HttpExchange, IssuedTokens, Tpp, TppError};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

/// What is paid in turn: inside the country, abroad, and within limits.
const PRODUCTS: [PaymentProduct; 3] = [PaymentProduct::DomesticPayment, PaymentProduct::InternationalPayment, VRP];
/// How many payments are made under one consent, where it allows more than one.
const REUSED: usize = 3;
const CALLERS: usize = 8;
/// What the references of these payments begin with.
const REFERENCE: &str = "KILL-";
/// A start that takes longer is a fault even where everything is slow.
const READY_WITHIN: Duration = Duration::from_secs(60);
/// Longer than anything is leased for.
const LEASES_END_AFTER: SignedDuration = SignedDuration::from_secs(60);

/// What all payments within limits are counted as.
const COUNTED: &str = "SELECT CAST(coalesce(sum(used_minor), 0) AS BIGINT) FROM vrp_usage";

/// An order that was sent, and its id once it was answered.
#[derive(Debug, Clone)]
struct Sent {
    product: PaymentProduct,
    reference: String,
    token: String,
    key: String,
    body: Value,
    id: Option<String>,
}

/// All orders that were sent, and where the next number comes from.
#[derive(Debug, Clone, Default)]
struct Log {
    sent: Arc<Mutex<Vec<Sent>>>,
    numbers: Arc<AtomicUsize>,
}

impl Log {
    fn answered(&self, at: usize, answer: &HttpExchange) {
        let product = self.at(at).product;
        let id = answer.ok(201)["Data"].text(product.id_member()).to_owned();
        let known = self.sent.lock()[at].id.replace(id.clone());
        assert!(known.is_none_or(|known| known == id), "PIS-061: one key, one order");
    }

    fn at(&self, at: usize) -> Sent {
        self.sent.lock()[at].clone()
    }

    fn len(&self) -> usize {
        self.sent.lock().len()
    }
}

/// The answer, unless the bank asked to come again.
fn answered(exchange: HttpExchange) -> Result<HttpExchange, TppError> {
    if exchange.is_busy() { Err(TppError::Answer("busy".to_owned())) } else { Ok(exchange) }
}

/// Makes a payment from its consent to its order, or several where the consent allows them, as far as the bank lives.
async fn pay(paying: &PayingTpp, log: &Log) -> Result<(), TppError> {
    let tpp = &paying.tpp;
    let number = log.numbers.fetch_add(1, Ordering::Relaxed);
    let product = PRODUCTS[number % PRODUCTS.len()];
    let reference = format!("{REFERENCE}{number}");
    let mut asked = paying.asking(product);
    if !product.reuses_consents() {
        asked["Data"]["Initiation"]["EndToEndIdentification"] = json!(reference);
        asked["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!("0.01");
    }
    if product == PaymentProduct::InternationalPayment {
        asked["Data"]["Initiation"]["LocalInstrument"] = json!("UK.OBIE.SEPAInstantCreditTransfer");
    }
    let made = answered(tpp.payment_post(&paying.own, consents(product), &tpp.fresh_key(), &asked).await?)?;
    let consent = made.ok(201)["Data"].text("ConsentId").to_owned();
    let request = tpp.authorisation(&consent, "payments").await?;
    let channel = tpp.authorise_headless(&request).await?;
    let code = channel.expect_code(&request.state)?.0.to_owned();
    let token = IssuedTokens::from_exchange(tpp.exchange_code(&code).await?)?.access_token;
    if !product.reuses_consents() {
        return order(tpp, log, product, reference, token, order_of(&consent, &asked)).await;
    }
    let orders = (0..REUSED).map(|which| {
        let reference = format!("{reference}-{which}");
        let mut body = payment(&consent, &asked, "0.01");
        body["Data"]["Instruction"]["EndToEndIdentification"] = json!(reference);
        order(tpp, log, product, reference, token.clone(), body)
    });
    try_join_all(orders).await.map(drop)
}

/// Sends an order, and notes that it was sent before and what it was answered with.
async fn order(
    tpp: &Tpp,
    log: &Log,
    product: PaymentProduct,
    reference: String,
    token: String,
    body: Value,
) -> Result<(), TppError> {
    let sent = Sent { product, reference, token, key: tpp.fresh_key(), body, id: None };
    let at = {
        let mut all = log.sent.lock();
        all.push(sent.clone());
        all.len() - 1
    };
    log.answered(at, &answered(tpp.payment_post(&sent.token, orders(product), &sent.key, &sent.body).await?)?);
    Ok(())
}

/// Pays until the bank is gone, saying so after each payment.
async fn keep_paying(paying: PayingTpp, log: Log, paid: UnboundedSender<()>) {
    while pay(&paying, &log).await.is_ok() {
        let _counted_no_more = paid.send(());
    }
}

/// Sends again what was not answered, and some of what was.
async fn send_again(paying: &PayingTpp, log: &Log) {
    for at in 0..log.len() {
        let sent = log.at(at);
        if sent.id.is_none() || at.is_multiple_of(50) {
            log.answered(at, &paying.post_as(&sent.token, orders(sent.product), &sent.key, &sent.body).await);
        }
    }
}

/// Starts the bank, lets it be paid with so many times, and kills it. Gives how long the start took.
async fn live_and_die(bank: &Bank, log: &Log, payments: usize) -> Duration {
    let began = Instant::now();
    let mut server = ServerProcess::start(bank).await;
    assert_eq!(bank.ops_get("/readyz").await.status, 200);
    let ready = began.elapsed();
    let paying = PayingTpp::robot(bank).await;
    send_again(&paying, log).await;
    let (sender, mut paid) = unbounded_channel();
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        callers.spawn(keep_paying(paying.clone(), log.clone(), sender.clone()));
    }
    drop(sender);
    for _ in 0..payments {
        paid.recv().await.expect("a living bank takes payments");
    }
    server.process.start_kill().unwrap();
    callers.join_all().await;
    server.process.wait().await.unwrap();
    ready
}

fn kills() -> usize {
    std::env::var("LOMBARD_TEST_KILLS").map_or(10, |text| text.parse().expect("LOMBARD_TEST_KILLS is a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_041_069_vrp_040_killed_again_and_again_every_payment_is_made_once() {
    for mut bank in unstarted_on_each_engine().await {
        let log = Log::default();
        let mut starts = Vec::new();
        for round in 0..kills() {
            // Another moment each time: while some are taken, given to the bank, settled or told of.
            starts.push(live_and_die(&bank, &log, 1 + round * 5 % 23).await);
        }
        starts.sort();
        let (median, slowest) = (starts[starts.len() / 2], starts[starts.len() - 1]);
        eprintln!("{} kills, {} orders sent: ready again after {median:?}, at most {slowest:?}", kills(), log.len());
        assert!(slowest < READY_WITHIN, "{slowest:?}");

        // The killed ones ran on the machine's clock, and the last one took work with it that is another's in a while.
        bank.clock.advance(SystemClock.now().duration_since(bank.now()) + LEASES_END_AFTER);
        bank.restart().await;
        let paying = PayingTpp::robot(&bank).await;
        send_again(&paying, &log).await;
        everything_once(&bank, &paying, &log).await;
        bank.stop().await;
    }
}

/// Every order is there once, ended, and its money moved once or not at all; its TPP was told of each status once.
async fn everything_once(bank: &Bank, paying: &PayingTpp, log: &Log) {
    let sent = log.sent.lock().clone();
    let ids: BTreeSet<_> = sent.iter().map(|it| it.id.clone().unwrap()).collect();
    assert_eq!(ids.len(), sent.len(), "no two answers name the same order");
    let (mut credited, mut within) = (0_usize, 0_usize);
    let mut ends = Vec::new();
    for order in &sent {
        ends.push(books::end_of(bank, paying, order.product, order.id.as_deref().unwrap()).await);
    }
    let entries = books::entries(&paying.tpp, REFERENCE).await;
    let events = books::events(&paying.tpp).await;
    for (order, end) in sent.iter().zip(ends) {
        let found = entries.get(&order.reference).map_or(&[][..], Vec::as_slice);
        let moved: Vec<_> = found.iter().map(|it| (it.text("Status"), it["Amount"].text("Amount"))).collect();
        let told = events.get(order.id.as_deref().unwrap()).copied().unwrap_or_default();
        if end == "Rejected" {
            assert_eq!((moved, told), (vec![], 1), "{}", order.reference);
        } else {
            assert_eq!(
                (moved, told),
                (vec![("Booked", "0.01")], 3),
                "{}: one movement, one event a status",
                order.reference
            );
            credited += 1;
            within += usize::from(order.product == VRP);
        }
    }
    assert_eq!(entries.values().map(Vec::len).sum::<usize>(), credited, "nothing else was paid");
    assert!(credited > 0);
    for product in PRODUCTS {
        assert!(sent.iter().any(|it| it.product == product), "{product:?} was never ordered");
    }
    books::add_up(bank).await;
    // Each consent has one limit, so each payment within limits that stands is counted once, a penny.
    let kept = books::count(bank, COUNTED).await;
    assert_eq!(usize::try_from(kept).unwrap(), within, "VRP-040: counted once, or given back");
}
