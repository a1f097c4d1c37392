//! The routes of the controls, over a sandbox that records the calls.

use super::*;
use crate::index::OpsRoute;
use crate::recording_controls::RecordingControls as Recording;
use axum::body::{Body, to_bytes};
use http::{Request, StatusCode};
use jiff::SignedDuration;
use lombard_domain::ids::FapiInteractionId;
use lombard_domain::money::Currency;
use lombard_domain::payment::order::RejectionReason;
use lombard_ports::controls::{
    AccountClosure, AccountEdit, ClockMove, ConsentDecision, CountersignDecision, CustomerChange, DecisionChoice,
    OrderOutcome, ResetContents,
};
use serde_json::{Value, json};
use std::sync::Arc;
use tower::ServiceExt;

mod accounts;
mod customers;
mod entries;
mod orders;
mod plans;
mod snapshots;

fn operations() -> Ops {
    Arc::new(crate::tests::recording::Recording::default())
}

fn tools(controls: Option<Sandbox>) -> SandboxTools {
    SandboxTools { controls, faults: None }
}

async fn send(controls: Option<Sandbox>, mut request: Request<Body>) -> (StatusCode, Value) {
    request.extensions_mut().insert(FapiInteractionId::from("the request's"));
    let response = routes(operations(), tools(controls)).into_router().oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), 4096).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

async fn post_to(sandbox: &Arc<Recording>, path: &str, body: &str) -> (StatusCode, Value) {
    let request = Request::post(path).header("content-type", "application/json");
    send(Some(Arc::clone(sandbox) as Sandbox), request.body(Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn the_index_lists_the_controls_that_answer() {
    let sandbox = Arc::new(Recording::default());
    let listed = routes(operations(), tools(Some(Arc::clone(&sandbox) as Sandbox)));
    for OpsRoute { verb, path, .. } in listed.entries() {
        // A control that is not there would answer 404, and what is unknown to one 404 with a body.
        let request = Request::builder().method(*verb).uri(path.replace(['{', '}'], ""));
        let request = request.header("content-type", "application/json").body(Body::from("-")).unwrap();
        let (status, body) = send(Some(Arc::clone(&sandbox) as Sandbox), request).await;
        let answers = status != StatusCode::METHOD_NOT_ALLOWED && (status != StatusCode::NOT_FOUND || !body.is_null());
        assert!(answers, "{verb} {path}: {status}");
    }
    assert_eq!(listed.entries().len(), 24);
    let shown = listed.into_router().oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
    let text = to_bytes(shown.into_body(), 8192).await.unwrap();
    let text = String::from_utf8(text.to_vec()).unwrap();
    assert!(text.contains("POST   /sandbox/clock") && text.contains("GET    /sandbox/seed"), "{text}");
    assert!(routes(operations(), tools(None)).entries().is_empty(), "there are no controls outside a sandbox");
}

#[tokio::test]
async fn the_clock_is_moved_by_seconds_or_set_to_a_time() {
    let sandbox = Arc::new(Recording::default());
    for body in [r#"{"advance_secs":90}"#, r#"{"advance_secs":-1}"#, r#"{"set":"2030-01-31T10:00:00.0000019+01:00"}"#] {
        let (status, answer) = post_to(&sandbox, "/sandbox/clock", body).await;
        assert_eq!(
            (status, answer),
            (StatusCode::OK, json!({"now": "1970-01-01T00:00:00Z", "settled": true})),
            "{body}"
        );
    }
    let get = Request::get("/sandbox/clock").body(Body::empty()).unwrap();
    let shown = json!({"now": "1970-01-01T00:00:00Z", "settled": false, "left": ["bank-work"]});
    assert_eq!(send(Some(Arc::clone(&sandbox) as Sandbox), get).await, (StatusCode::OK, shown));
    let there = "2030-01-31T09:00:00.000001Z".parse().unwrap();
    let by = |secs| ClockMove::By(SignedDuration::from_secs(secs));
    assert_eq!(*sandbox.moves.lock(), [by(90), by(-1), ClockMove::To(there)]);
}

#[tokio::test]
async fn an_order_that_cannot_be_read_says_how_to_write_it() {
    let sandbox = Arc::new(Recording::default());
    for (path, body, hint) in [
        ("/sandbox/clock", "", "not JSON"),
        ("/sandbox/clock", "{", "not JSON"),
        ("/sandbox/clock", "{}", "advance_secs"),
        ("/sandbox/clock", r#"{"advance_secs":1,"set":"2030-01-01T00:00:00Z"}"#, "either"),
        ("/sandbox/clock", r#"{"advance_secs":"1"}"#, "advance_secs: must be a whole number"),
        ("/sandbox/clock", r#"{"advance_secs":1.5}"#, "whole number"),
        ("/sandbox/clock", r#"{"set":"tomorrow"}"#, "RFC 3339"),
        ("/sandbox/clock", r#"{"set":"2030-01-01T00:00:00"}"#, "offset"),
        ("/sandbox/clock", r#"{"advance":1}"#, "advance_secs"),
        ("/sandbox/events", "{}", "client_id"),
        ("/sandbox/events", r#"{"client_id":"acme","count":-1}"#, "count: must be a whole number"),
        ("/sandbox/events", r#"{"client_id":"acme","number":1}"#, "number"),
        ("/sandbox/consents/c/authorise", "{}", "psu"),
        ("/sandbox/consents/c/authorise", r#"{"psu":"amelia"}"#, "decision"),
        ("/sandbox/consents/c/authorise", r#"{"psu":"amelia","decision":"maybe"}"#, "approve"),
        ("/sandbox/consents/c/authorise", r#"{"psu":"amelia","decision":"reject","accounts":["a"]}"#, "approval"),
        ("/sandbox/orders/o/outcome", "{}", "outcome"),
        ("/sandbox/orders/o/outcome", r#"{"outcome":"win"}"#, "without-posting"),
        ("/sandbox/orders/o/outcome", r#"{"outcome":"settle","reason":"unstated"}"#, "only a rejection"),
        ("/sandbox/orders/o/outcome", r#"{"outcome":"reject","reason":"mood"}"#, "refused-by-scheme"),
        ("/sandbox/orders/o/outcome", r#"{"outcome":"reject","reason":"cancelled-by-customer"}"#, "one of"),
        ("/sandbox/orders/o/authorise", r#"{"psu":"chloe"}"#, "decision"),
        ("/sandbox/orders/o/authorise", r#"{"decision":"approve"}"#, "psu"),
        ("/sandbox/orders/o/authorise", r#"{"psu":"chloe","decision":"yes"}"#, "approve"),
    ] {
        let (status, answer) = post_to(&sandbox, path, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(hint), "{body}: {answer}");
        assert_eq!(answer["interaction_id"], "the request's");
    }
    assert!(sandbox.is_untouched());
}

#[tokio::test]
async fn a_form_of_a_web_page_is_not_an_order() {
    let sandbox = Arc::new(Recording::default());
    for path in ["/sandbox/clock", "/sandbox/consents/c/authorise", "/sandbox/orders/o/outcome"] {
        for content_type in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
            let request = Request::post(path);
            let request = content_type.into_iter().fold(request, |it, value| it.header("content-type", value));
            let body = Body::from(r#"{"advance_secs":1}"#);
            let (status, answer) = send(Some(Arc::clone(&sandbox) as Sandbox), request.body(body).unwrap()).await;
            assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
            assert!(answer["error"].as_str().unwrap().contains("application/json"));
        }
    }
    let (status, _) = post_to(&sandbox, "/sandbox/clock", &" ".repeat(BODY_BYTES_MAX + 1)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(sandbox.is_untouched());
}

#[tokio::test]
async fn a_decision_answers_with_the_consent_under_the_names_of_its_tpp() {
    let sandbox = Arc::new(Recording::default());
    let order = r#"{"psu":"amelia","accounts":["a"],"decision":"approve"}"#;
    let (status, answer) = post_to(&sandbox, "/sandbox/consents/c/authorise", order).await;
    assert_eq!(status, StatusCode::OK);
    let id = &answer["consent_id"];
    let accounts = &answer["accounts"];
    assert_eq!((id, accounts), (&json!("c"), &json!(["the TPP's"])));
    assert_eq!((&answer["status"], &answer["client_id"]), (&json!("Authorised"), &json!("acme")));
    let expected = ConsentDecision { psu: "amelia".into(), choice: DecisionChoice::Approve(Some(vec!["a".into()])) };
    assert_eq!(*sandbox.decisions.lock(), [expected]);
    for (id, expected) in [("none", StatusCode::NOT_FOUND), ("over", StatusCode::CONFLICT)] {
        let order = r#"{"psu":"amelia","decision":"reject"}"#;
        let (status, answer) = post_to(&sandbox, &format!("/sandbox/consents/{id}/authorise"), order).await;
        assert_eq!((status, &answer["error"]), (expected, &json!(id)));
    }
}

#[tokio::test]
async fn ais_071_a_revocation_needs_no_body_and_tells_what_the_tpp_is_not_told() {
    let sandbox = Arc::new(Recording::default()) as Sandbox;
    let request = Request::post("/sandbox/consents/c/revoke").body(Body::empty()).unwrap();
    let (status, answer) = send(Some(sandbox), request).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!((&answer["status"], &answer["bank_status"]), (&json!("Authorised"), &json!("Revoked")));
}

#[tokio::test]
async fn a_data_file_comes_and_goes_and_every_fault_is_told() {
    let sandbox = || Some(Arc::new(Recording::default()) as Sandbox);
    let get = Request::get("/sandbox/seed").body(Body::empty()).unwrap();
    assert_eq!(send(sandbox(), get).await, (StatusCode::OK, json!({})));
    let post = |path: &str, content_type: &str, body: &str| {
        Request::post(path).header("content-type", content_type).body(Body::from(body.to_owned())).unwrap()
    };
    for (path, rebase) in [("/sandbox/seed", 0), ("/sandbox/seed?rebase=false", 0), ("/sandbox/seed?rebase=true", 1)] {
        let large = " ".repeat(BODY_BYTES_MAX + 1);
        let (status, answer) = send(sandbox(), post(path, "application/json", &large)).await;
        assert_eq!((status, &answer["accounts"]), (StatusCode::OK, &json!(rebase)), "{path}");
        assert_eq!(answer["transactions"], json!(large.len()));
    }
    let (status, answer) = send(sandbox(), post("/sandbox/seed", "application/json", "[")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(answer["faults"][1], json!({"path": "B", "message": "Is wrong."}));
    assert_eq!(answer["interaction_id"], "the request's");
    let (status, _) = send(sandbox(), post("/sandbox/seed", "text/plain", "{}")).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let (status, _) = send(sandbox(), post("/sandbox/seed?rebase=1", "application/json", "{}")).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_failure_tells_nothing_of_its_cause() {
    let sandbox = Arc::new(Recording::default()) as Sandbox;
    let (status, answer) = send(Some(sandbox), Request::get("/sandbox/psus").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(!answer.to_string().contains("secret"), "{answer}");
}

#[tokio::test]
async fn without_a_sandbox_nothing_is_there() {
    for path in [
        "/sandbox/clock",
        "/sandbox/psus",
        "/sandbox/seed",
        "/sandbox/consents/c/authorise",
        "/sandbox/consents/c/revoke",
        "/sandbox/consents/c/plan",
        "/sandbox/reset",
        "/sandbox/orders/o",
        "/sandbox/orders/o/outcome",
        "/sandbox/orders/o/authorise",
    ] {
        for method in ["GET", "POST"] {
            let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
            assert_eq!(send(None, request).await.0, StatusCode::NOT_FOUND, "{method} {path}");
        }
    }
}

#[tokio::test]
async fn evt_090_events_are_raised_for_a_client_one_unless_said() {
    let sandbox = Arc::new(Recording::default());
    for (body, jtis) in [
        (r#"{"client_id":"acme"}"#, json!(["acme-0"])),
        (r#"{"client_id":"acme","count":2}"#, json!(["acme-0", "acme-1"])),
    ] {
        let (status, answer) = post_to(&sandbox, "/sandbox/events", body).await;
        assert_eq!((status, answer), (StatusCode::OK, json!({ "jtis": jtis })));
    }
}

#[tokio::test]
async fn a_new_beginning_is_with_customers_unless_said() {
    let sandbox = Arc::new(Recording::default());
    for (path, status) in [
        ("/sandbox/reset", StatusCode::OK),
        ("/sandbox/reset?empty=true", StatusCode::OK),
        ("/sandbox/reset?empty=1", StatusCode::BAD_REQUEST),
        ("/sandbox/reset?full=true", StatusCode::BAD_REQUEST),
    ] {
        let request = Request::post(path).body(Body::empty()).unwrap();
        let (found, answer) = send(Some(Arc::clone(&sandbox) as Sandbox), request).await;
        assert_eq!(found, status, "{path}: {answer}");
    }
    assert_eq!(*sandbox.beginnings.lock(), [ResetContents::Seeded, ResetContents::Empty]);
}
