//! Each act of staff leaves exactly one entry.

use super::entries;
use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ValueExt, access};
use jiff::SignedDuration;
use lombard_ops::{StaffAction, list_staff_actions};
use lombard_ports::clock::Clock;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Acts that need more than a bank: a parked event, an order, a security module, an order that the core has lost, a registration that waits. The use-cases of the first two have tests of their own, and the others share their code with acts below.
const ELSEWHERE: [&str; 6] = [
    "POST /operations/events/{jti}/requeue",
    "GET /operations/orders/{id}",
    "POST /operations/keys/login",
    "POST /operations/orders/{id}/resubmit",
    "POST /operations/tpps/{id}/approve",
    "POST /operations/tpps/{id}/refuse",
];

/// A request of the operator: the row of its route, its path, and its body.
struct Act(&'static str, String, Value);

/// One act for each row, in an order in which each succeeds.
async fn acts(bank: &Bank) -> Vec<Act> {
    let consent = access(&bank.tpp("robot"), &EVERYTHING).await.consent;
    // The second consent is the one that ends with all of its customer's.
    access(&bank.tpp("robot"), &EVERYTHING).await;
    let private_key = std::fs::read_to_string(bank.data_dir().join("tpps/rival/signing.key")).unwrap();
    let keys = bank.ops_get("/operations/keys").await.ok(200);
    let kid = keys.list("/keys")[0].text("kid").to_owned();
    let from = (bank.clock.now() + SignedDuration::from_hours(1)).to_string();
    let until = (bank.clock.now() + SignedDuration::from_hours(2)).to_string();
    let of_tpp = |row, name: &str, body| Act(row, format!("/operations/tpps/{name}"), body);
    let plain = |row: &'static str, body| Act(row, row.split_once(' ').unwrap().1.to_owned(), body);
    let tpp = json!({"name": "shop", "roles": ["aisp"]});
    vec![
        plain("POST /operations/quarantine/retry", json!(null)),
        Act("POST /operations/quarantine/{id}/retry", "/operations/quarantine/none/retry".to_owned(), json!(null)),
        plain("POST /operations/search", json!({"text": consent})),
        Act("GET /operations/consents/{id}", format!("/operations/consents/{consent}"), json!(null)),
        Act("GET /operations/customers/{id}", "/operations/customers/amelia".to_owned(), json!(null)),
        Act("GET /operations/consents/{id}/evidence", format!("/operations/consents/{consent}/evidence"), json!(null)),
        Act("POST /operations/consents/{id}/revoke", format!("/operations/consents/{consent}/revoke"), json!(null)),
        Act("POST /operations/customers/{id}/revoke", "/operations/customers/amelia/revoke".to_owned(), json!(null)),
        Act("POST /operations/customers/{id}/hold", "/operations/customers/bashir/hold".to_owned(), json!(null)),
        Act("POST /operations/customers/{id}/release", "/operations/customers/bashir/release".to_owned(), json!(null)),
        Act("GET /operations/customers/{id}/export", "/operations/customers/bashir/export".to_owned(), json!(null)),
        Act("POST /operations/customers/{id}/erase", "/operations/customers/bashir/erase".to_owned(), json!(null)),
        plain("POST /operations/keys/rotate", json!(null)),
        plain("POST /operations/keys/csr", json!({})),
        Act("POST /operations/keys/csr", "/operations/keys/csr".to_owned(), json!({"kid": kid})),
        plain("POST /operations/keys/import", json!({"private_key": private_key, "kid": "imported"})),
        plain("POST /operations/keys/reseal", json!(null)),
        Act("POST /operations/keys/{kid}/retire", format!("/operations/keys/{kid}/retire"), json!({})),
        Act("POST /operations/keys/{kid}/withdraw", format!("/operations/keys/{kid}/withdraw"), json!(null)),
        plain("POST /operations/maintenance/announce", json!({"from": from, "until": until, "message": "m"})),
        plain("POST /operations/maintenance/begin", json!({"message": "m"})),
        plain("POST /operations/maintenance/end", json!({})),
        plain("POST /operations/tls/reload", json!(null)),
        plain("POST /operations/tpps", tpp),
        of_tpp("POST /operations/tpps/{id}/disable", "shop/disable", json!({})),
        of_tpp("POST /operations/tpps/{id}/enable", "shop/enable", json!({})),
        of_tpp("POST /operations/tpps/{id}/login", "shop/login", json!(null)),
        of_tpp("PUT /operations/tpps/{id}/roles", "robot/roles", json!({"roles": ["aisp"]})),
        of_tpp(
            "PUT /operations/tpps/{id}/redirect-uris",
            "robot/redirect-uris",
            json!({"redirect_uris": ["https://localhost:8445/callback"]}),
        ),
        of_tpp("PUT /operations/tpps/{id}/profile", "robot/profile", json!({"profile": "fapi2"})),
        of_tpp(
            "PUT /operations/tpps/{id}/signed-messages",
            "robot/signed-messages",
            json!({"signed_messages": ["responses"]}),
        ),
        of_tpp("DELETE /operations/tpps/{id}", "shop", json!({})),
        plain("GET /operations/requests", json!(null)),
        plain("GET /operations/audit", json!(null)),
        plain("POST /operations/vrp/migrate", json!({})),
        plain("POST /operations/reconcile", json!({})),
    ]
}

/// Sends the request with a reason, where it belongs.
async fn carry_out(bank: &Bank, Act(row, path, body): &Act) -> Value {
    let (method, _) = row.split_once(' ').unwrap();
    let url = format!("{}{path}?reason=case%207", bank.endpoints().ops);
    let call = HttpCall::new(method.parse().unwrap(), url);
    let takes_reason = body.is_null() && method != "GET";
    let body = if takes_reason || path.contains("/tpps/") { with_reason(body) } else { body.clone() };
    let call = if method == "GET" { call } else { call.with_json(&body) };
    let answer = bank.ops(call).await;
    let status = answer.status.as_u16();
    let is_done = (200..300).contains(&status) || path.contains("/quarantine/none/");
    assert!(is_done, "{row}: {status} {}", answer.text());
    answer.json().unwrap_or(Value::Null)
}

fn with_reason(body: &Value) -> Value {
    let mut body = if body.is_null() { json!({}) } else { body.clone() };
    body["reason"] = json!("case 7");
    body
}

#[tokio::test]
async fn each_act_of_staff_leaves_one_entry_with_who_why_and_from_where() {
    for bank in Bank::each_engine().await {
        let mut tried = BTreeSet::from(ELSEWHERE);
        for act in acts(&bank).await {
            let StaffAction { audited, .. } = staff_action(act.0);
            let name = lombard_domain::code::StoredCode::code(&audited.unwrap_or_else(|| panic!("{}", act.0)));
            let query = format!("action={name}&limit=1000");
            let before = entries(&bank, &query).await.len();
            carry_out(&bank, &act).await;
            let after = entries(&bank, &query).await;
            // Reading the log is an act of its own.
            let reads = if name == "audit.read" { 1 } else { 0 };
            assert_eq!(after.len(), before + 1 + reads, "{} {}", act.0, act.1);
            let entry = &after[reads];
            let told = (entry.actor.as_str(), entry.role.as_str(), entry.reason.as_deref(), entry.from.as_str());
            assert_eq!(told, ("operator", "admin", Some("case 7"), "127.0.0.1"), "{}", act.0);
            assert!(entry.interaction_id.is_some(), "{}", act.0);
            tried.insert(act.0);
        }
        let rows = list_staff_actions().into_iter().filter(|row| row.audited.is_some());
        let rows: BTreeSet<_> = rows.map(|row| format!("{} {}", row.method, row.path)).collect();
        // The withdrawal of a notice needs one that has not begun.
        tried.insert("POST /operations/maintenance/withdraw");
        let tried: BTreeSet<_> = tried.into_iter().map(str::to_owned).collect();
        assert_eq!(tried, rows, "every row that the log tells of is tried");
    }
}

fn staff_action(row: &str) -> StaffAction {
    let found = list_staff_actions().into_iter().find(|it| format!("{} {}", it.method, it.path) == row);
    found.unwrap_or_else(|| panic!("{row} has no row"))
}

#[tokio::test]
async fn a_refused_act_and_one_without_effect_leave_no_entry() {
    let bank = Bank::start().await;
    let count = async || entries(&bank, "limit=1000").await.iter().filter(|it| it.action.starts_with("tpp.")).count();
    let before = count().await;
    for (path, status) in [("robot/enable", 200), ("none/disable", 400), ("robot/approve", 400)] {
        assert_eq!(bank.ops_post(&format!("/operations/tpps/{path}"), &json!({})).await.0, status, "{path}");
    }
    assert_eq!(count().await, before);
}

#[tokio::test]
async fn the_log_is_read_by_target_a_page_at_a_time() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot").client_id().to_string();
        for status in ["disable", "enable", "disable"] {
            assert_eq!(bank.ops_post(&format!("/operations/tpps/robot/{status}"), &json!({})).await.0, 200);
        }
        let page = bank.ops_get(&format!("/operations/audit?target={robot}&limit=2")).await.ok(200);
        let actions: Vec<_> = page.list("/entries").iter().map(|it| it.text("action").to_owned()).collect();
        // The read itself has the target too.
        assert_eq!(actions, ["audit.read", "tpp.disable"]);
        let next = format!("/operations/audit?target={robot}&limit=3&before={}", page["next"]);
        let page = bank.ops_get(&next).await.ok(200);
        let actions: Vec<_> = page.list("/entries").iter().map(|it| it.text("action").to_owned()).collect();
        assert_eq!(actions, ["tpp.enable", "tpp.disable"]);
        assert!(page.get("next").is_none() && page["chains"].is_array(), "{page}");
        for bad in ["limit=0", "action=none", "after=1&before=2", "since=today", "other=1"] {
            assert_eq!(bank.ops_get(&format!("/operations/audit?{bad}")).await.status.as_u16(), 400, "{bad}");
        }
    }
}

#[tokio::test]
async fn a_start_tells_the_configuration_by_its_digest() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let mut digests = Vec::new();
    for page_size in ["50", "50", "60"] {
        bank.restart_with(&[("limits.page_size", page_size), ("server.public_port", "0")]).await;
        let start = entries(&bank, "action=server.start&limit=1").await.remove(0);
        assert_eq!((start.actor.as_str(), start.role.as_str()), ("lombard", "server"));
        assert!(start.target.starts_with(env!("CARGO_PKG_VERSION")), "{}", start.target);
        digests.push(start.after.unwrap());
        bank.stop().await;
    }
    assert_ne!(digests[1], digests[2], "another setting is another digest");
}
