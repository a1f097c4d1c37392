//! TPPs that an operator disables, enables, deletes and changes. Source: AS-113, AS-116, DCR-042, DCR-043.

use crate::harness::{
    Bank, CustomerAccess, EVERYTHING, Engine, ExchangeExt, ValueExt, access, unstarted_on_each_engine, until,
};
use lombard_tpp::{HttpCall, HttpExchange, Protocol, Tpp};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// Sends a change of a TPP to the ops listener; gives status and body.
async fn change(bank: &Bank, method: &str, path: &str, body: &Value) -> (u16, Value) {
    let url = format!("{}/operations/tpps/{path}", bank.endpoints().ops);
    let answer = bank.ops(HttpCall::new(method.parse().unwrap(), url).with_json(body)).await;
    (answer.status.as_u16(), answer.json().unwrap_or(Value::Null))
}

/// A change that is made.
async fn changed(bank: &Bank, method: &str, path: &str, body: &Value) -> Value {
    let (status, view) = change(bank, method, path, body).await;
    assert_eq!(status, 200, "{method} {path}: {view}");
    view
}

async fn disable(bank: &Bank, name: &str) {
    let view = changed(bank, "POST", &format!("{name}/disable"), &json!({"reason": "fraud case 7"})).await;
    assert_eq!((view.text("status"), view.text("status_reason")), ("disabled", "fraud case 7"));
}

async fn enable(bank: &Bank, name: &str) {
    assert_eq!(changed(bank, "POST", &format!("{name}/enable"), &json!({})).await.text("status"), "active");
}

/// The status of a read with the customer's token.
async fn read_status(access: &CustomerAccess) -> u16 {
    access.tpp.get(access.token(), "aisp/accounts").await.unwrap().status.as_u16()
}

/// Every call of the client is refused, whatever it authenticates with.
async fn everything_is_refused(tpp: &Tpp, access: &CustomerAccess) {
    assert_eq!(read_status(access).await, 401, "a customer's token");
    let own = tpp.get(&access.own, &access.consent_path()).await.unwrap();
    assert_eq!(own.status.as_u16(), 401, "the client's own token");
    let refresh = access.tokens.refresh_token.clone().unwrap();
    let fields = [("grant_type", "client_credentials"), ("scope", "accounts")];
    let answers = [tpp.request_token(&fields).await.unwrap(), tpp.refresh(&refresh).await.unwrap()];
    for answer in answers {
        assert_eq!((answer.status.as_u16(), answer.text_at("/error").unwrap().as_str()), (401, "invalid_client"));
    }
    for endpoint in ["introspect", "revoke", "par"] {
        let mut fields = tpp.authentication().await.unwrap();
        fields.push(("token".to_owned(), access.token().to_owned()));
        let url = format!("{}/{endpoint}", tpp.endpoints.mtls);
        let answer = tpp.send(HttpCall::post(url).with_form(fields)).await.unwrap();
        assert_eq!(answer.status.as_u16(), 401, "{endpoint}: {}", answer.text());
    }
    let userinfo = HttpCall::get(format!("{}/userinfo", tpp.endpoints.mtls)).with_bearer(access.token());
    assert_eq!(tpp.send(userinfo).await.unwrap().status.as_u16(), 401, "userinfo");
}

#[tokio::test]
async fn as_113_a_disabled_tpp_is_refused_and_its_tokens_work_once_reenabled() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let customer = access(&robot, &EVERYTHING).await;
        let request = robot.new_authorisation_request(&customer.consent, "accounts").await.unwrap();
        disable(&bank, "robot").await;
        everything_is_refused(&robot, &customer).await;
        let page = robot.open_authorisation(&request.url(&robot.folder.signing).unwrap()).await.unwrap();
        assert_eq!((page.status.as_u16(), page.header("location")), (400, None), "the browser is not sent to it");
        enable(&bank, "robot").await;
        assert_eq!(read_status(&customer).await, 200, "tokens that have not expired work again");
        robot.client_credentials("accounts").await.unwrap();
        bank.tpp("rival").client_credentials("accounts").await.unwrap();
    }
}

#[tokio::test]
async fn as_116_disabling_a_tpp_at_one_node_refuses_calls_and_polls_at_another() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut first = Bank::unstarted(Engine::Postgres).await;
    let mut second = first.twin();
    first.restart_with(&[("events.long_poll_s", "55")]).await;
    second.restart_with(&[("events.long_poll_s", "55")]).await;
    let there = second.tpp("robot");
    let customer = access(&there, &EVERYTHING).await;
    assert_eq!(read_status(&customer).await, 200, "the other node has the caller in its cache");
    let poller = there.with_certificate(Some(&there.folder.identity), Protocol::Http1).unwrap();
    let token = customer.own.clone();
    // Events of the consent are fetched first, so that the next poll finds none and is held.
    let polled = poller.poll_events(&token, &json!({"returnImmediately": true})).await.unwrap().ok(200);
    let received: Vec<_> = polled["sets"].as_object().unwrap().keys().cloned().collect();
    let held = tokio::spawn(async move { poller.poll_events(&token, &json!({"ack": received})).await.unwrap() });
    until(async || {
        let shown = second.ops_get("/operations/events").await.ok(200);
        (shown["held"] == json!(1)).then_some(())
    })
    .await;
    let started = tokio::time::Instant::now();
    disable(&first, "robot").await;
    assert_eq!(read_status(&customer).await, 401, "the next call at the other node");
    assert_eq!(held.await.unwrap().status.as_u16(), 401, "the held poll ends");
    assert!(started.elapsed().as_secs() < 10, "by the wake-up, not at its deadline");
    everything_is_refused(&there, &customer).await;
    enable(&first, "robot").await;
    assert_eq!(read_status(&customer).await, 200);
}

/// Begins a poll that is held.
async fn hold(bank: &Bank, name: &str) -> JoinHandle<HttpExchange> {
    let tpp = bank.tpp(name);
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    tokio::spawn(async move { tpp.poll_events(&token, &json!({})).await.unwrap() })
}

#[tokio::test]
async fn as_113_held_polls_end_with_their_client_and_those_of_others_do_not() {
    for mut bank in unstarted_on_each_engine().await {
        bank.restart_with(&[("events.long_poll_s", "55")]).await;
        let robots = hold(&bank, "robot").await;
        let rivals = hold(&bank, "rival").await;
        let until_held = async |count: u64| {
            until(async || {
                let shown = bank.ops_get("/operations/events").await.ok(200);
                (shown["held"] == json!(count)).then_some(())
            })
            .await;
        };
        until_held(2).await;
        changed(&bank, "PUT", "robot/roles", &json!({"roles": ["aisp"]})).await;
        disable(&bank, "robot").await;
        assert_eq!(robots.await.unwrap().status.as_u16(), 401);
        until_held(1).await;
        changed(&bank, "DELETE", "rival", &json!({})).await;
        assert_eq!(rivals.await.unwrap().status.as_u16(), 401);
    }
}

#[tokio::test]
async fn dcr_042_narrowed_roles_have_an_effect_with_the_next_call() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let customer = access(&robot, &EVERYTHING).await;
        let view = changed(&bank, "PUT", "robot/roles", &json!({"roles": ["pisp"]})).await;
        assert_eq!((&view["roles"], &view["allowed_roles"]), (&json!(["PISP"]), &json!(["AISP", "PISP", "CBPII"])));
        assert_eq!(read_status(&customer).await, 403, "the token has lost the scope");
        let refused =
            robot.request_token(&[("grant_type", "client_credentials"), ("scope", "accounts")]).await.unwrap();
        assert_eq!(refused.text_at("/error").unwrap(), "invalid_scope");
        robot.client_credentials("payments").await.unwrap();
        changed(&bank, "PUT", "robot/roles", &json!({"roles": ["aisp", "pisp"]})).await;
        assert_eq!(read_status(&customer).await, 200);
        let narrow = bank.create_tpp(&json!({"name": "narrow", "roles": ["aisp"]})).await;
        for (roles, said) in [
            (json!(["aisp", "pisp"]), "does not grant the role PISP"),
            (json!([]), "at least one role"),
            (json!(["admin"]), "roles are aisp, pisp and cbpii"),
        ] {
            let (status, answer) = change(&bank, "PUT", "narrow/roles", &json!({"roles": roles})).await;
            assert!(status == 400 && answer.text("error").contains(said), "{status} {answer}");
        }
        narrow.client_credentials("accounts").await.unwrap();
    }
}

#[tokio::test]
async fn dcr_042_a_removed_redirect_uri_is_refused_at_once() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let customer = access(&robot, &EVERYTHING).await;
    let request = robot.new_authorisation_request(&customer.consent, "accounts").await.unwrap();
    let new = json!({"redirect_uris": ["https://new.example/callback"]});
    let view = changed(&bank, "PUT", "robot/redirect-uris", &new).await;
    assert_eq!(view["redirect_uris"], new["redirect_uris"]);
    let page = robot.open_authorisation(&request.url(&robot.folder.signing).unwrap()).await.unwrap();
    assert_eq!((page.status.as_u16(), page.header("location")), (400, None));
    for uris in
        [json!([]), json!(["http://new.example/"]), json!(["https://a.example/#f"]), json!(vec!["https://a/"; 33])]
    {
        let (status, answer) = change(&bank, "PUT", "robot/redirect-uris", &json!({"redirect_uris": uris})).await;
        assert!(status == 400 && answer.text("error").ends_with('.'), "{status} {answer}");
    }
}

#[tokio::test]
async fn what_an_operator_changed_stays_changed_when_a_sandbox_starts_again() {
    let mut bank = Bank::start().await;
    disable(&bank, "acme").await;
    changed(&bank, "PUT", "rival/roles", &json!({"roles": ["aisp"]})).await;
    changed(&bank, "PUT", "robot/redirect-uris", &json!({"redirect_uris": ["https://new.example/"]})).await;
    let deleted = bank.create_tpp(&json!({"name": "gone"})).await;
    changed(&bank, "DELETE", "gone", &json!({})).await;
    bank.stop().await;
    let operator = bank.operator().await;
    for (name, status) in [("acme", "disabled"), ("gone", "deleted"), ("robot", "active")] {
        assert_eq!(operator.find_tpp(name).await.unwrap().status, status, "as a command sees it while no server runs");
    }
    drop(operator);
    bank.restart().await;
    let show = async |name: &str| bank.ops_get(&format!("/operations/tpps/{name}")).await.ok(200);
    assert_eq!(show("acme").await.text("status"), "disabled");
    assert_eq!(show("rival").await["roles"], json!(["AISP"]));
    assert_eq!(show("robot").await["redirect_uris"], json!(["https://new.example/"]));
    assert_eq!(show(deleted.client_id().as_str()).await.text("status"), "deleted");
    assert!(bank.tpp("gone").client_credentials("accounts").await.is_err());
}

#[tokio::test]
async fn dcr_043_a_deleted_tpp_is_refused_and_its_consents_and_events_end() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let customer = access(&robot, &EVERYTHING).await;
        let view = changed(&bank, "DELETE", "robot", &json!({"reason": "left the directory"})).await;
        assert_eq!(view.text("status"), "deleted");
        everything_is_refused(&robot, &customer).await;
        for (method, path, body) in
            [("POST", "robot/enable", json!({})), ("PUT", "robot/roles", json!({"roles": ["aisp"]}))]
        {
            let (status, answer) = change(&bank, method, path, &body).await;
            assert!(status == 400 && answer.text("error").contains("was deleted"), "{status} {answer}");
        }
        let (status, _) = bank.ops_post("/sandbox/events", &json!({"client_id": robot.client_id()})).await;
        assert_eq!(status, 404, "EVT-090");
        until(async || {
            let path = format!("/operations/consents/{}/revoke", customer.consent);
            let (status, answer) = bank.ops_post(&path, &json!(null)).await;
            (status == 400 && answer.text("error") == "only an authorised consent can be revoked").then_some(())
        })
        .await;
        bank.tpp("rival").client_credentials("accounts").await.unwrap();
    }
}

#[tokio::test]
async fn tpps_are_listed_by_page_and_found_by_each_of_their_names() {
    let bank = Bank::start().await;
    let list = bank.ops_get("/operations/tpps?limit=2").await.ok(200);
    let page = list.list("/tpps");
    let next = list.text("next");
    assert_eq!((page.len(), page[1].text("client_id")), (2, next));
    let rest = bank.ops_get(&format!("/operations/tpps?limit=2&after={next}")).await.ok(200);
    assert_eq!((rest.list("/tpps").len(), rest.get("next")), (1, None));
    let robot = bank.tpp("robot");
    for name in
        [robot.client_id().as_str(), robot.folder.details.software_id.as_str(), "robot", "Robot", "Robot%20Limited"]
    {
        let view = bank.ops_get(&format!("/operations/tpps/{name}")).await.ok(200);
        assert_eq!(view.text("client_id"), robot.client_id().as_str(), "{name}");
        assert!(!view.to_string().contains("software_statement"));
    }
    let unknown = bank.ops_get("/operations/tpps/nobody").await;
    assert_eq!(unknown.status.as_u16(), 400);
    let reason = "x".repeat(201);
    let (status, answer) = change(&bank, "POST", "robot/disable", &json!({"reason": reason})).await;
    assert!(status == 400 && answer.text("error").contains("1 to 200 characters"), "{answer}");
    robot.client_credentials("accounts").await.unwrap();
}
