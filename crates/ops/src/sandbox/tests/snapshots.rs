//! Snapshots over HTTP.

use super::*;

#[tokio::test]
async fn snapshots_are_saved_loaded_and_removed_by_their_name() {
    let sandbox = Arc::new(Recording::default());
    let call = async |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        send(Some(Arc::clone(&sandbox) as Sandbox), request).await
    };
    let shown = json!({"name": "before-pay-day", "saved_at": "1970-01-01T00:00:00Z", "clock": "1970-01-01T00:00:00Z"});
    let saved = call("PUT", "/sandbox/snapshots/before-pay-day").await;
    assert_eq!(saved, (StatusCode::CREATED, shown.clone()));
    assert_eq!(call("GET", "/sandbox/snapshots").await, (StatusCode::OK, json!({ "snapshots": [shown] })));
    for (method, path) in
        [("POST", "/sandbox/snapshots/before-pay-day/load"), ("DELETE", "/sandbox/snapshots/before-pay-day")]
    {
        assert_eq!(call(method, path).await.0, StatusCode::NOT_FOUND, "what the controls say of {method} {path}");
    }
    let longest = "a".repeat(40);
    assert_eq!(call("PUT", &format!("/sandbox/snapshots/{longest}")).await.0, StatusCode::CREATED);
    for name in [format!("{longest}a"), "Pay".to_owned(), "a_b".to_owned(), "%2e%2e".to_owned(), "a%20b".to_owned()] {
        let (status, answer) = call("PUT", &format!("/sandbox/snapshots/{name}")).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{name}: {answer}");
    }
    assert_eq!(sandbox.snapshots.lock().len(), 4);
}
