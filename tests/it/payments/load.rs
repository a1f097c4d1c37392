//! Payments that go on while servers or cores fail, and the proof that each order was made once.

use super::books;
use crate::harness::paying::{consents, order_of, orders};
use crate::harness::vrp::{VRP, payment};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt, until};
use futures_util::future::try_join_all;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpExchange, IssuedTokens, Tpp, TppError};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// What is paid in turn: inside the country, abroad, and within limits.
const PRODUCTS: [PaymentProduct; 3] = [PaymentProduct::DomesticPayment, PaymentProduct::InternationalPayment, VRP];
/// How many payments are made under one consent, where it allows more than one.
const REUSED: usize = 3;
const CALLERS: usize = 8;
/// What the references of these payments begin with.
const REFERENCE: &str = "KILL-";
/// A payment that takes longer is a fault even where everything is slow and fails.
const PAID_WITHIN: Duration = Duration::from_secs(120);

/// What all payments within limits are counted as.
const COUNTED: &str = "SELECT CAST(coalesce(sum(used_minor), 0) AS BIGINT) FROM vrp_usage";
/// The entries of these payments in the ledger.
const ENTERED: &str = "SELECT count(*) FROM entries WHERE detail LIKE '%\"KILL-%'";

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
pub(crate) struct Log {
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

    /// How many orders were sent.
    pub(crate) fn len(&self) -> usize {
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
    let made = answered(tpp.payment_post(&paying.own, consents(product), &tpp.new_idempotency_key(), &asked).await?)?;
    let consent = made.ok(201)["Data"].text("ConsentId").to_owned();
    let request = tpp.new_authorisation_request(&consent, "payments").await?;
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
    let sent = Sent { product, reference, token, key: tpp.new_idempotency_key(), body, id: None };
    let at = {
        let mut all = log.sent.lock();
        all.push(sent.clone());
        all.len() - 1
    };
    log.answered(at, &answered(tpp.payment_post(&sent.token, orders(product), &sent.key, &sent.body).await?)?);
    Ok(())
}

/// Callers that pay again and again, whatever fails, until they are told to stop.
#[derive(Debug)]
pub(crate) struct Load {
    callers: JoinSet<()>,
    paid: UnboundedReceiver<()>,
    is_over: Arc<AtomicBool>,
}

impl Load {
    /// Begins to pay.
    pub(crate) fn start(paying: &PayingTpp, log: &Log) -> Self {
        let (sender, paid) = unbounded_channel();
        let mut callers = JoinSet::new();
        let is_over = Arc::<AtomicBool>::default();
        for _ in 0..CALLERS {
            let paying = paying.clone();
            let log = log.clone();
            let sender = sender.clone();
            let is_over = Arc::clone(&is_over);
            callers.spawn(async move {
                while !is_over.load(Ordering::Relaxed) {
                    if pay(&paying, &log).await.is_ok() {
                        let _counted_no_more = sender.send(());
                    }
                }
            });
        }
        Self { callers, paid, is_over }
    }

    /// Waits until so many more payments were made.
    pub(crate) async fn wait_for(&mut self, payments: usize) {
        for _ in 0..payments {
            let paid = timeout(PAID_WITHIN, self.paid.recv()).await;
            paid.expect("payments are made again after a failure").expect("no caller has failed");
        }
    }

    /// Waits for what is under way.
    pub(crate) async fn end(self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.callers.join_all().await;
    }
}

/// How often a test kills something on each engine, unless the environment says otherwise.
pub(crate) fn kills(usual: usize) -> usize {
    std::env::var("LOMBARD_TEST_KILLS").map_or(usual, |text| text.parse().expect("LOMBARD_TEST_KILLS is a number"))
}

/// Sends again what was not answered, and some of what was.
pub(crate) async fn send_again(paying: &PayingTpp, log: &Log) {
    for at in 0..log.len() {
        let sent = log.at(at);
        if sent.id.is_none() || at.is_multiple_of(50) {
            let answer = until(async || {
                let answer = paying.post_as(&sent.token, orders(sent.product), &sent.key, &sent.body).await;
                (!answer.is_busy()).then_some(answer)
            });
            log.answered(at, &answer.await);
        }
    }
}

/// Every order is there once, ended, and its money moved once or not at all; its TPP was told of each status once.
pub(crate) async fn everything_once(bank: &Bank, paying: &PayingTpp, log: &Log) {
    let sent = log.sent.lock().clone();
    let ids: BTreeSet<_> = sent.iter().map(|it| it.id.clone().unwrap()).collect();
    assert_eq!(ids.len(), sent.len(), "no two answers name the same order");
    let mut credited = 0_usize;
    let mut within = 0_usize;
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
    let entered = books::ledger_count(bank, ENTERED).await;
    assert_eq!(usize::try_from(entered).unwrap(), credited, "one entry in the ledger for each payment that was made");
    // Each consent has one limit, so each payment within limits that stands is counted once, a penny.
    let kept = books::count(bank, COUNTED).await;
    assert_eq!(usize::try_from(kept).unwrap(), within, "VRP-040: counted once, or given back");
}
