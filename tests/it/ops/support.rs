//! What staff look up and end when they help a customer: by any id, with a reason.

use crate::harness::vrp::{limit, within};
use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, PayingTpp, ValueExt, access};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

/// Searches; gives the matches as kind, id and property.
async fn search(bank: &Bank, text: &str) -> (Vec<(String, String, String)>, Value) {
    let (status, found) = bank.ops_post("/operations/search?reason=case-7", &json!({"text": text})).await;
    assert_eq!(status, 200, "{found}");
    let named = |found: &Value| ["kind", "id", "by"].map(|member| found.text(member).to_owned());
    let matches = found.list("/matches").iter().map(|it| named(it).into()).collect();
    (matches, found)
}

async fn show(bank: &Bank, kind: &str, id: &str) -> Value {
    bank.ops_get(&format!("/operations/{kind}/{id}?reason=case-7")).await.ok(200)
}

/// The titles of the entries of a story.
fn titles(story: &Value) -> Vec<String> {
    story.list("/entries").iter().map(|entry| entry.text("title").to_owned()).collect()
}

/// Whether these texts begin titles in this sequence.
fn tells(story: &Value, expected: &[&str]) -> bool {
    let titles = titles(story);
    let mut titles = titles.iter();
    expected.iter().all(|begin| titles.any(|title| title.starts_with(begin)))
}

#[tokio::test]
async fn a_payment_is_found_by_any_id_and_its_story_is_told_in_order() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
        let (order, _) = paying.ordered(&agreed).await;
        paying.order_now(PaymentProduct::DomesticPayment, &order).await;
        let by = |property: &str| vec![("order".to_owned(), order.clone(), property.to_owned())];
        assert_eq!(search(&bank, &order).await.0, by("id"));
        assert_eq!(search(&bank, "E2E-1").await.0, by("end-to-end-id"));
        assert_eq!(search(&bank, "20-00-03 19825731").await.0, by("payee-account"));
        assert_eq!(search(&bank, "nothing").await.0, []);

        let story = show(&bank, "orders", "E2E-1").await;
        assert_eq!((story.text("id"), story.text("consent_id")), (order.as_str(), agreed.consent.as_str()));
        // The clock of the test stands still, so the requests come before what they caused, each in their order.
        let expected = [
            "POST /open-banking/v3.1/pisp/domestic-payment-consents: 201",
            "POST /open-banking/v3.1/pisp/domestic-payments: 201",
            "Consent created",
            "Consent authorised",
            "Order created: Pending",
        ];
        assert!(tells(&story, &expected), "{:#?}", titles(&story));
        let text = story.to_string();
        assert!(text.contains("20000319825731") && text.contains("E2E-1") && !text.contains(&agreed.token), "{text}");
        assert_eq!(show(&bank, "consents", "E2E-1").await.text("id"), agreed.consent);

        let fact = |story: &Value, name: &str| {
            let facts = story.list("/facts");
            facts.iter().find(|it| it.text("name") == name).map(|it| it.text("value").to_owned())
        };
        let interaction = fact(&story, "Interaction id").unwrap();
        let (matches, found) = search(&bank, &interaction).await;
        assert_eq!(matches, by("interaction-id"));
        let requests = found.list("/requests");
        assert_eq!((requests.len(), &requests[0]["status"]), (1, &json!(201)), "{found}");
    }
}

#[tokio::test]
async fn a_record_that_is_not_there_or_not_the_only_one_is_refused() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for _ in 0..2 {
        paying.ordered(&paying.agreed(PaymentProduct::DomesticPayment).await).await;
    }
    for (path, expected) in [
        ("orders/E2E-1", "this names several orders, use the id of one: "),
        ("consents/E2E-1", "this names several consents, use the id of one: "),
        ("orders/none", "there is no order with this id or reference"),
        ("customers/none", "no customer with this id has agreed to anything"),
    ] {
        let answer = bank.ops_get(&format!("/operations/{path}?reason=case-7")).await;
        assert_eq!(answer.status.as_u16(), 400, "{path}");
        assert!(answer.text().contains(expected), "{path}: {}", answer.text());
        let answer = bank.ops_get(&format!("/operations/{path}")).await;
        assert!(answer.status.as_u16() == 400 && answer.text().contains("say why"), "{path}: {}", answer.text());
    }
    let long = json!({"text": "x".repeat(257)});
    assert_eq!(bank.ops_post("/operations/search?reason=case-7", &long).await.0, 400);
    assert_eq!(bank.ops_post("/operations/search", &json!({"text": "E2E-1"})).await.0, 400, "without a reason");
}

#[tokio::test]
async fn all_access_that_a_customer_gave_is_ended_at_once() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let reading = access(&robot, &EVERYTHING).await;
        let paying = PayingTpp::robot(&bank).await;
        let vrp = paying.agreed_to(PaymentProduct::DomesticVrp, within(&[limit("Month", "Consent", "100.00")])).await;
        let (order, _) = paying.ordered(&vrp).await;
        let customer = show(&bank, "customers", "amelia").await;
        let revocable = |customer: &Value| {
            let consents = customer.list("/consents");
            let live = consents.iter().filter(|it| it["is_revocable"] == true).map(|it| it.text("id").to_owned());
            live.collect::<Vec<_>>()
        };
        let live = revocable(&customer);
        assert!(live.len() == 2 && live.contains(&reading.consent) && live.contains(&vrp.consent), "{customer}");
        assert!(customer.list("/orders").iter().any(|it| it.text("id") == order), "{customer}");

        bank.clock.advance(SignedDuration::from_secs(5));
        let why = json!({"reason": "case 7"});
        let revoke = || bank.ops_post("/operations/customers/amelia/revoke", &why);
        let (status, revoked) = revoke().await;
        assert_eq!((status, revoked.list("/revoked").len(), &revoked["more"]), (200, 2, &json!(false)), "{revoked}");
        assert_eq!(reading.tpp.get(reading.token(), "aisp/accounts").await.unwrap().status.as_u16(), 401);
        assert_eq!(revocable(&show(&bank, "customers", "amelia").await), [""; 0]);
        let story = show(&bank, "consents", &order).await;
        assert!(tells(&story, &["Consent authorised", "Order created", "Consent: Stopped by the bank"]), "{story:#}");
        assert!(story.list("/entries").iter().any(|it| it.text("kind") == "event"), "{story:#}");
        assert_eq!(revoke().await.1.list("/revoked").len(), 0, "again");
    }
}

#[tokio::test]
async fn lookups_of_staff_work_on_the_database_while_no_server_runs() {
    let mut bank = Bank::start_on(Engine::Sqlite).await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(PaymentProduct::DomesticPayment).await;
    paying.ordered(&agreed).await;
    let run = async |command: &str, bank: &Bank| crate::readme::run_command(bank, command).await;
    for is_running in [true, false] {
        if !is_running {
            bank.stop().await;
        }
        for command in ["order show E2E-1", "consent show E2E-1 --json", "customer show amelia"] {
            assert!(run(&format!("lombard {command} --reason case-7"), &bank).await, "{command}, {is_running}");
        }
        assert!(!run("lombard order show E2E-2 --reason case-7", &bank).await, "no such order");
        let ends = run("lombard customer revoke amelia --reason case-7", &bank).await;
        assert_eq!(ends, is_running, "access is ended by a server");
    }
}

#[tokio::test]
async fn a_search_is_not_in_the_log() {
    let bank = Bank::unstarted(Engine::Sqlite).await;
    let server = crate::harness::ServerProcess::logging(&bank, "info").await;
    let search = |text: &str| {
        let url = format!("{}/operations/search?reason=case-7", bank.endpoints().ops);
        bank.ops(HttpCall::post(url).with_json(&json!({"text": text})))
    };
    assert_eq!(search("20000319825731").await.status.as_u16(), 200);
    let logs = server.kill().await;
    assert!(logs.contains("\"support.search\"") && logs.contains("case-7"), "{logs}");
    assert!(!logs.contains("20000319825731"), "{logs}");
}
