use super::*;

const PATH: &str = "/sandbox/accounts/b-1/transactions";

#[tokio::test]
async fn money_arrives_or_leaves_booked_unless_said() {
    let sandbox = Arc::new(Recording::default());
    let body = r#"{"amount":"12.5","currency":"GBP","indicator":"Debit","counterparty":"Shop","reference":"R 1"}"#;
    let (status, answer) = post_to(&sandbox, PATH, body).await;
    let expected = json!({
        "transaction_id": "e-1", "account_id": "b-1", "amount": "12.50", "currency": "GBP", "indicator": "Debit",
        "status": "Booked", "booked_at": "1970-01-01T00:00:00Z", "counterparty": "Shop", "reference": "R 1",
        "balance": "-1.50",
    });
    assert_eq!((status, answer), (StatusCode::CREATED, expected));
    let body = r#"{"amount":"3","currency":"USD","indicator":"Credit","status":"Pending"}"#;
    let (status, answer) = post_to(&sandbox, PATH, body).await;
    assert_eq!(
        (status, &answer["status"], &answer["amount"]),
        (StatusCode::CREATED, &json!("Pending"), &json!("3.00"))
    );
    let entries: Vec<_> = sandbox.entries.lock().iter().map(|it| (it.minor, it.is_pending)).collect();
    assert_eq!(entries, [(-1250, false), (300, true)]);
}

#[tokio::test]
async fn an_entry_that_cannot_be_is_told_by_its_member() {
    let sandbox = Arc::new(Recording::default());
    let long = format!(r#","reference":"{}""#, "x".repeat(36));
    for (amount, currency, rest, hint) in [
        ("0", "GBP", "", "amount"),
        ("-1", "GBP", "", "amount"),
        ("1.005", "GBP", "", "amount"),
        ("1", "pounds", "", "currency"),
        ("1", "GBP", r#","status":"Rejected""#, "Pending"),
        ("1", "GBP", r#","booked_at":"2020-01-01T00:00:00Z""#, "booked_at"),
        ("1", "GBP", r#","reference":"""#, "reference"),
        ("1", "GBP", r#","counterparty":"a\nb""#, "counterparty"),
        ("1", "GBP", &long, "reference"),
    ] {
        let body = format!(r#"{{"amount":"{amount}","currency":"{currency}","indicator":"Credit"{rest}}}"#);
        let (status, answer) = post_to(&sandbox, PATH, &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(hint), "{body}: {answer}");
    }
    assert!(sandbox.entries.lock().is_empty());
}
