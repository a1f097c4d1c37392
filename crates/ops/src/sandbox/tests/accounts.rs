//! Accounts over HTTP.

use super::*;
use lombard_ports::controls::NewCreditLimit;

#[tokio::test]
async fn an_account_is_closed_switched_or_barred_without_a_body() {
    let sandbox = Arc::new(Recording::default());
    for way in ["close", "switch", "bar"] {
        let request = Request::post(format!("/sandbox/accounts/b-1/{way}")).body(Body::empty()).unwrap();
        let (status, _) = send(Some(Arc::clone(&sandbox) as Sandbox), request).await;
        assert_eq!(status, StatusCode::CONFLICT);
    }
    let ends: Vec<_> = sandbox.ends.lock().iter().map(|(_, end)| *end).collect();
    assert_eq!(ends, [AccountClosure::Closed, AccountClosure::Switched, AccountClosure::Blocked]);
}

#[tokio::test]
async fn a_change_names_the_holder_or_the_limit_with_its_currency() {
    let sandbox = Arc::new(Recording::default());
    const PATH: &str = "/sandbox/accounts/b-1/change";
    let limit = |minor, currency| Some(NewCreditLimit { minor, currency });
    let changes = [
        (r#"{"holder":"Mill Ltd"}"#, AccountEdit { holder: Some("Mill Ltd".to_owned()), credit_limit: None }),
        (
            r#"{"credit_limit":"250.5","currency":"GBP"}"#,
            AccountEdit { holder: None, credit_limit: limit(25_050, Currency::GBP) },
        ),
        (
            r#"{"holder":"A","credit_limit":"0","currency":"USD"}"#,
            AccountEdit { holder: Some("A".to_owned()), credit_limit: limit(0, Currency::USD) },
        ),
    ];
    for (body, _) in &changes {
        assert_eq!(post_to(&sandbox, PATH, body).await.0, StatusCode::CONFLICT, "{body}");
    }
    assert_eq!(*sandbox.changes.lock(), changes.map(|(_, change)| change));
    let long = format!(r#"{{"holder":"{}"}}"#, "x".repeat(351));
    for (body, hint) in [
        ("{}", "credit_limit"),
        (r#"{"currency":"GBP"}"#, "credit_limit"),
        (r#"{"holder":" "}"#, "holder"),
        (r#"{"holder":"a\nb"}"#, "holder"),
        (&long, "holder"),
        (r#"{"credit_limit":"1"}"#, "currency"),
        (r#"{"credit_limit":"1","currency":"pounds"}"#, "currency"),
        (r#"{"credit_limit":"-1","currency":"GBP"}"#, "credit_limit"),
        (r#"{"credit_limit":"1.005","currency":"GBP"}"#, "credit_limit"),
        (r#"{"limit":"1"}"#, "limit"),
    ] {
        let (status, answer) = post_to(&sandbox, PATH, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(hint), "{body}: {answer}");
    }
    assert_eq!(sandbox.changes.lock().len(), 3);
}
