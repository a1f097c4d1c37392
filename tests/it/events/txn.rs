//! The `txn` of an event: the interaction id of the call that caused the change, for every kind of event. Source: SET-016.

use super::{Queue, claims, raise};
use crate::apps::Visitor;
use crate::harness::paying::{AgreedConsent, asking, orders};
use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, PayingTpp, PendingConsent, ValueExt, code, until};
use jiff::Timestamp;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{ExchangeObserver, HttpCall, HttpExchange};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const INTERACTION: &str = "x-fapi-interaction-id";

/// The txn of an event that no call caused.
const NO_CALL: &str = "the event's own jti";

/// What waits, taken: the resource of each event, and its txn.
async fn told(queue: &Queue) -> Vec<(String, String)> {
    let polled = queue.now().await;
    let mut all: Vec<_> = polled
        .sets
        .values()
        .map(|token| {
            let said = claims(token);
            let txn = if said["txn"] == said["jti"] { NO_CALL } else { said.text("txn") };
            (said.text("sub").rsplit('/').next().unwrap().to_owned(), txn.to_owned())
        })
        .collect();
    queue.poll(json!({"maxEvents": 0, "ack": polled.ids()})).await;
    all.sort();
    all
}

fn one(resource: &str, txn: &str) -> Vec<(String, String)> {
    vec![(resource.to_owned(), txn.to_owned())]
}

/// An action of the sandbox or the operator, under this interaction id.
async fn act(bank: &Bank, id: &str, path: &str, body: &Value) -> Value {
    let call = HttpCall::post(format!("{}{path}", bank.endpoints().ops)).with_json(body).with_header(INTERACTION, id);
    bank.ops(call).await.ok(200)
}

/// Makes the order of a consent; gives its id, and the interaction id of the call.
async fn ordered(paying: &PayingTpp, agreed: &AgreedConsent, key: &str) -> (String, String) {
    let made = paying.post_as(&agreed.token, orders(agreed.product), key, &agreed.order()).await;
    (made.ok(201)["Data"].text(agreed.product.id_member()).to_owned(), made.head(INTERACTION).to_owned())
}

/// The bank's time, which runs ahead of the TPP's by what `moves` let pass.
async fn bank_now(bank: &Bank) -> Timestamp {
    bank.ops_get("/sandbox/clock").await.ok(200).text("now").parse().unwrap()
}

/// Lets the bank's time pass until the order rests at its end; gives the events about it.
async fn moves(
    bank: &Bank,
    paying: &PayingTpp,
    queue: &Queue,
    product: PaymentProduct,
    order: &str,
) -> Vec<(String, String)> {
    let done = ["AcceptedCreditSettlementCompleted", "InitiationCompleted", "Rejected"];
    let ended = async || {
        let now = paying.order_now(product, order).await["Data"].text("Status").to_owned();
        if done.contains(&now.as_str()) {
            return Some(());
        }
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 21_600})).await;
        None
    };
    until(ended).await;
    told(queue).await.into_iter().filter(|(resource, _)| resource == order).collect()
}

#[tokio::test]
async fn set_016_a_consent_change_is_caused_by_the_request_that_makes_it() {
    for bank in Bank::each_engine().await {
        let seen: Arc<Mutex<Vec<HttpExchange>>> = Arc::default();
        let observer = Arc::clone(&seen);
        let tpp = bank.tpp_watched("robot", ExchangeObserver::new(move |it| observer.lock().unwrap().push(it.clone())));
        let queue = Queue::with(&tpp).await;
        let consent = tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
        let agree = async || {
            code(&tpp, &consent).await;
            let seen = seen.lock().unwrap();
            let last = seen.iter().rfind(|it| it.url.path() == "/authorize").unwrap();
            last.head(INTERACTION).to_owned()
        };
        let by = agree().await;
        assert_eq!(told(&queue).await, one(&consent, &by), "authorised: the browser's request");

        act(&bank, "revoking", &format!("/sandbox/consents/{consent}/revoke"), &Value::Null).await;
        assert_eq!(told(&queue).await, one(&consent, "revoking"), "revoked by the sandbox");
        agree().await;
        act(&bank, "ending", &format!("/operations/consents/{consent}/revoke"), &Value::Null).await;
        assert_eq!(told(&queue).await, one(&consent, "ending"), "revoked by the bank");

        agree().await;
        let mut visitor = Visitor::beside(&tpp);
        visitor.log_in("amelia").await;
        let question = visitor.at(&format!("{consent}/stop")).await;
        let form = question.forms.iter().find(|form| form.action.path().ends_with("/stop")).unwrap().clone();
        let stopped = visitor.browser.post(&form, &[]).await;
        assert_eq!(told(&queue).await, one(&consent, stopped.head(INTERACTION)), "revoked by the customer");

        let refused = tpp.consent_create(&queue.token, &EVERYTHING).await.unwrap();
        let order = json!({"psu": "amelia", "decision": "reject"});
        act(&bank, "refusing", &format!("/sandbox/consents/{refused}/authorise"), &order).await;
        assert_eq!(told(&queue).await, one(&refused, "refusing"), "rejected");

        agree().await;
        let psus = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus");
        let amelia = psus.iter().find(|psu| psu["psu"] == "amelia").unwrap();
        let account = amelia.list("/accounts")[0].text("id").to_owned();
        act(&bank, "closing", &format!("/sandbox/accounts/{account}/close"), &Value::Null).await;
        assert_eq!(told(&queue).await, one(&consent, "closing"), "an account of it was closed");

        act(&bank, "raising", "/sandbox/events", &json!({"client_id": tpp.client_id()})).await;
        assert_eq!(told(&queue).await.pop().map(|(_, txn)| txn).as_deref(), Some("raising"), "made to order");
        raise(&bank, &tpp, 1).await;
        let (_, txn) = told(&queue).await.pop().unwrap();
        assert!(uuid::Uuid::parse_str(&txn).is_ok_and(|id| id.get_version_num() == 4), "made by the bank: {txn}");
    }
}

#[tokio::test]
async fn set_016_what_a_person_decides_is_caused_by_the_form_that_says_so() {
    for bank in Bank::each_engine().await {
        let asked = PendingConsent::of(&bank, PaymentProduct::DomesticPayment).await;
        let queue = Queue::with(&asked.paying.tpp).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = browser.log_in(&asked.url(), "amelia").await;
        assert_eq!(told(&queue).await, [], "nothing is decided yet");
        let said = browser.post(page.form_with("decision"), &[("decision", "refuse")]).await;
        assert_eq!(told(&queue).await, one(&asked.consent, said.head(INTERACTION)));

        let left = PendingConsent::of(&bank, PaymentProduct::DomesticPayment).await;
        let lapsed = async || {
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 86_400})).await;
            let events = told(&queue).await;
            (!events.is_empty()).then_some(events)
        };
        assert_eq!(until(lapsed).await, one(&left.consent, NO_CALL), "nobody decided: the bank's own doing");
    }
}

#[tokio::test]
async fn set_016_what_becomes_of_an_order_is_caused_by_the_call_that_made_it() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let queue = Queue::with(&paying.tpp).await;
        for product in [
            PaymentProduct::DomesticPayment,
            PaymentProduct::DomesticStandingOrder,
            PaymentProduct::InternationalPayment,
            PaymentProduct::FilePayment,
            PaymentProduct::DomesticVrp,
        ] {
            let asked = asking(product, bank_now(&bank).await);
            let agreed = paying.agreed_to(product, asked).await;
            let key = paying.tpp.new_idempotency_key();
            told(&queue).await;
            let (order, by) = ordered(&paying, &agreed, &key).await;
            let (again, other) = ordered(&paying, &agreed, &key).await;
            assert!(again == order && other != by, "PIS-061");
            let moves = moves(&bank, &paying, &queue, product, &order).await;
            assert!(!moves.is_empty(), "{product:?}");
            for (_, txn) in moves {
                assert_eq!(txn, by, "{product:?}");
            }
        }

        let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
        let key = paying.tpp.new_idempotency_key();
        let (order, by) = ordered(&paying, &agreed, &key).await;
        told(&queue).await;
        act(&bank, "steering", &format!("/sandbox/orders/{order}/outcome"), &json!({"outcome": "reject"})).await;
        let moved = moves(&bank, &paying, &queue, agreed.product, &order).await;
        assert_eq!(moved.last(), one(&order, &by).last(), "the bank moves it; a tester only says how");
    }
}

#[tokio::test]
async fn set_016_a_further_customers_decision_is_caused_by_their_own_request() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::as_tpp(&bank, "acme").await;
        let queue = Queue::with(&paying.tpp).await;
        let joint = async || {
            let body = paying.asking(PaymentProduct::DomesticPayment);
            let asked = PendingConsent::with(&bank, paying.clone(), PaymentProduct::DomesticPayment, body).await;
            let mut browser = Browser::new(&paying.tpp);
            let page = browser.log_in(&asked.url(), "bashir").await;
            let form = page.form_with("decision");
            let account = form.values("account").remove(0);
            let back = browser.post(form, &[("account", &account), ("decision", "approve")]).await;
            let agreed = asked
                .agreed(&lombard_tpp::AuthorisationResponse::parse_redirect(&back, &asked.callback).unwrap())
                .await;
            let made = ordered(&paying, &agreed, &paying.tpp.new_idempotency_key()).await;
            told(&queue).await;
            made
        };

        let (order, _) = joint().await;
        let says = json!({"psu": "chloe", "decision": "reject"});
        act(&bank, "declining", &format!("/sandbox/orders/{order}/authorise"), &says).await;
        assert_eq!(told(&queue).await, one(&order, "declining"));

        let (order, ordering) = joint().await;
        let mut chloe = Visitor::beside(&paying.tpp);
        chloe.log_in("chloe").await;
        let page = chloe.at(&format!("payments/{order}")).await;
        let form = page.form_with("code").clone();
        let code = page.shown_code();
        let said = chloe.browser.post(&form, &[("code", &code), ("decision", "approve")]).await;
        let first = said.head(INTERACTION).to_owned();
        let rest = moves(&bank, &paying, &queue, PaymentProduct::DomesticPayment, &order).await;
        let by = |txn: &str| rest.iter().filter(|(_, by)| by == txn).count();
        assert_eq!(
            (by(&first), by(&ordering)),
            (1, rest.len() - 1),
            "agreed by chloe, then moved by the bank: {rest:?}"
        );
        assert!(rest.len() > 1);
    }
}
