//! Plans for the orders of a consent over HTTP.

use super::*;
use lombard_domain::code::StoredCode;
use lombard_ports::controls::{PLAN_WAIT_SECS_MAX, PlannedOutcome};

#[tokio::test]
async fn a_plan_names_an_outcome_and_how_long_an_order_stays_pending() {
    let sandbox = Arc::new(Recording::default());
    const PATH: &str = "/sandbox/consents/c/plan";
    for outcome in PlannedOutcome::ALL {
        let body = format!(r#"{{"outcome":"{}"}}"#, outcome.code());
        let (status, answer) = post_to(&sandbox, PATH, &body).await;
        let expected = json!({"consent_id": "c", "outcome": outcome.code(), "wait_secs": 0});
        assert_eq!((status, answer), (StatusCode::OK, expected));
    }
    let longest = format!(r#"{{"outcome":"usual","wait_secs":{PLAN_WAIT_SECS_MAX}}}"#);
    assert_eq!(post_to(&sandbox, PATH, &longest).await.0, StatusCode::OK);
    let plans: Vec<_> = sandbox.plans.lock().iter().map(|plan| (plan.outcome, plan.wait_secs)).collect();
    let at_once = PlannedOutcome::ALL.map(|outcome| (outcome, 0));
    assert_eq!(plans, [&at_once[..], &[(PlannedOutcome::Usual, PLAN_WAIT_SECS_MAX)]].concat());
    let longer = format!(r#"{{"outcome":"usual","wait_secs":{}}}"#, PLAN_WAIT_SECS_MAX + 1);
    for (body, hint) in [
        ("{}", "outcome"),
        (r#"{"outcome":"win"}"#, "payee-closed"),
        (r#"{"outcome":"held","wait_secs":-1}"#, "whole number"),
        (r#"{"outcome":"held","delay":1}"#, "delay"),
        (&longer, "at most 604800"),
    ] {
        let (status, answer) = post_to(&sandbox, PATH, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(hint), "{body}: {answer}");
    }
}
