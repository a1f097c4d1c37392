//! What the world reads of maintenance, and what operators may do. Source: DTN-004, DTN-005, DTN-007, DTN-008.

use super::{act, announce, begin, in_minutes, refused};
use crate::harness::{Bank, Browser, ExchangeExt, ValueExt, until};
use jiff::SignedDuration;
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::json;

async fn published(browser: &mut Browser, bank: &Bank, tag: &str) -> HttpExchange {
    let call = HttpCall::get(format!("{}/notices.json", bank.endpoints().public));
    browser.send(call.with_header("if-none-match", tag)).await
}

#[tokio::test]
async fn dtn_007_notices_are_published_with_their_status_and_a_tag() {
    for bank in Bank::each_engine().await {
        let mut browser = Browser::new(&bank.tpp("robot"));
        let none = published(&mut browser, &bank, "\"\"").await;
        assert_eq!(none.ok(200), json!({"notices": []}));
        assert_eq!(none.head("cache-control"), "public, max-age=10");

        let notice = announce(&bank, 60, 120).await;
        assert_eq!((notice.text("status"), notice["late"].as_bool()), ("confirmed", Some(true)), "within five days");
        let listed = published(&mut browser, &bank, none.head("etag")).await;
        assert_eq!(listed.ok(200), json!({"notices": [notice]}), "the tag has changed");
        let same = published(&mut browser, &bank, listed.head("etag")).await;
        assert_eq!((same.status.as_u16(), same.body.len()), (304, 0));

        bank.clock.advance(SignedDuration::from_mins(61));
        // The node reads the notices again within seconds.
        let is_in_progress = async |browser: &mut Browser| {
            let list = published(browser, &bank, "\"\"").await.ok(200);
            (list["notices"][0]["status"] == "in_progress").then_some(list)
        };
        let list = until(async || is_in_progress(&mut browser).await).await;
        assert_eq!(list["notices"][0]["started_at"], notice["from"]);
        let page = browser.open(&format!("{}/portal/notices", bank.endpoints().public)).await.exchange;
        let text = page.text().into_owned();
        assert!(text.contains("Planned maintenance: in progress") && text.contains("The database is moved."), "{text}");
        assert!(bank.ops_get("/metrics").await.text().contains("lombard_maintenance{kind=\"planned\"}"));
    }
}

#[tokio::test]
async fn dtn_004_and_005_operators_learn_why_an_act_is_refused() {
    for bank in Bank::each_engine().await {
        let period = |from: i64, until: i64| json!({"from": in_minutes(&bank, from).to_string(), "until": in_minutes(&bank, until).to_string(), "message": "m"});
        for (command, part) in [
            (period(-1, 5), "in the future"),
            (period(5, 5), "end after it begins"),
            (json!({"from": in_minutes(&bank, 5).to_string(), "message": "m"}), "needs the time of its end"),
            (json!({"from": in_minutes(&bank, 5).to_string(), "until": in_minutes(&bank, 6).to_string()}), "message"),
        ] {
            let said = refused(&bank, "announce", &command).await;
            assert!(said.contains(part), "{command}: {said}");
        }
        let notice = announce(&bank, 60, 120).await;
        let id = notice.text("id");
        assert!(refused(&bank, "announce", &period(90, 150)).await.contains(&format!("overlaps that of notice {id}")));
        assert!(refused(&bank, "end", &json!({"id": id})).await.contains("has not begun"));
        assert!(refused(&bank, "end", &json!({})).await.contains("No maintenance is in force"));
        assert!(refused(&bank, "begin", &json!({})).await.contains("needs a message"));
        assert!(refused(&bank, "withdraw", &json!({"id": "other"})).await.contains("no notice with this id"));

        let mut moved = period(200, 230);
        moved["id"] = json!(id);
        assert_eq!(act(&bank, "announce", &moved).await.text("id"), id);
        assert_eq!(act(&bank, "withdraw", &json!({"id": id})).await.text("status"), "withdrawn");
        begin(&bank).await;
        assert!(refused(&bank, "begin", &json!({"message": "again"})).await.contains("in force by notice"));
        let (status, list) = (200, bank.ops_get("/operations/maintenance").await.ok(200));
        let statuses: Vec<_> = list.list("/notices").iter().map(|it| it.text("status").to_owned()).collect();
        assert_eq!((status, statuses), (200, vec!["withdrawn".to_owned(), "in_progress".to_owned()]));
    }
}

#[tokio::test]
async fn dtn_003_a_change_is_announced_and_interrupts_nothing() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let change = json!({
        "change": true, "from": in_minutes(&bank, 1).to_string(), "message": "Version 3.1 ends.",
        "reason": "Version 4.0 takes its place.", "systems": ["sandbox", "production"], "action": "Call version 4.0.",
    });
    let notice = act(&bank, "announce", &change).await;
    assert_eq!((notice.text("kind"), notice["until"].is_null()), ("change", true));
    bank.clock.advance(SignedDuration::from_mins(2));
    robot.client_credentials("accounts").await.unwrap();
}
