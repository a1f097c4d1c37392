//! Orders over HTTP.

use super::*;

#[tokio::test]
async fn an_order_is_shown_with_its_payments_and_who_agreed() {
    let sandbox = Arc::new(Recording::default()) as Sandbox;
    let get = Request::get("/sandbox/orders/o-1").body(Body::empty()).unwrap();
    let (status, answer) = send(Some(Arc::clone(&sandbox)), get).await;
    let epoch = "1970-01-01T00:00:00Z";
    let expected = json!({
        "order_id": "o-1", "consent_id": "c", "client_id": "acme", "product": "domestic-payment",
        "status": "Rejected", "status_since": epoch, "reason": "refused-by-scheme",
        "debtor_account": "studio", "psu": "bashir",
        "authorisation": {"status": "Authorised", "required": 2, "agreed": ["bashir", "chloe"]},
        "payments": [{"number": 1, "status": "Pending", "since": epoch, "due_on": "1970-01-01",
            "paid_on": "1970-01-01", "amount": "10.50", "currency": "GBP"}],
    });
    assert_eq!((status, answer), (StatusCode::OK, expected));
    let get = Request::get("/sandbox/orders/none").body(Body::empty()).unwrap();
    assert_eq!(send(Some(sandbox), get).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_outcome_is_said_in_a_word_and_a_rejection_with_its_reason() {
    let sandbox = Arc::new(Recording::default());
    let outcomes = [
        (r#"{"outcome":"settle"}"#, OrderOutcome::Settled),
        (r#"{"outcome":"credit"}"#, OrderOutcome::Credited),
        (r#"{"outcome":"without-posting"}"#, OrderOutcome::WithoutPosting),
        (r#"{"outcome":"reject"}"#, OrderOutcome::Rejected(RejectionReason::RefusedByScheme)),
        (r#"{"outcome":"reject","reason":"suspected-fraud"}"#, OrderOutcome::Rejected(RejectionReason::SuspectedFraud)),
        (r#"{"outcome":"reject","reason":"unstated"}"#, OrderOutcome::Rejected(RejectionReason::NotGiven)),
        (r#"{"outcome":"cancel"}"#, OrderOutcome::Cancelled),
    ];
    for (body, _) in outcomes {
        let (status, answer) = post_to(&sandbox, "/sandbox/orders/o-1/outcome", body).await;
        assert_eq!((status, &answer["order_id"]), (StatusCode::OK, &json!("o-1")), "{body}");
    }
    assert_eq!(*sandbox.outcomes.lock(), outcomes.map(|(_, outcome)| outcome));
}

#[tokio::test]
async fn pis_112_a_further_customer_approves_or_rejects() {
    let sandbox = Arc::new(Recording::default());
    for body in [r#"{"psu":"chloe","decision":"approve"}"#, r#"{"psu":"bashir","decision":"reject"}"#] {
        let (status, _) = post_to(&sandbox, "/sandbox/orders/o-1/authorise", body).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let expected = [("chloe".into(), CountersignDecision::Approve), ("bashir".into(), CountersignDecision::Decline)];
    assert_eq!(*sandbox.countersigned.lock(), expected);
}
