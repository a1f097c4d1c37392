//! Customers over HTTP.

use super::*;

#[tokio::test]
async fn a_change_names_what_is_new() {
    let sandbox = Arc::new(Recording::default());
    const PATH: &str = "/sandbox/psus/zoe/change";
    let text = |text: &str| Some(text.to_owned());
    let changes = [
        (r#"{"name":"Zoe Mill"}"#, CustomerChange { name: text("Zoe Mill"), ..CustomerChange::default() }),
        (
            r#"{"about":"Has moved.","email":"zoe@example.com"}"#,
            CustomerChange { name: None, about: text("Has moved."), email: text("zoe@example.com") },
        ),
    ];
    for (body, _) in &changes {
        assert_eq!(post_to(&sandbox, PATH, body).await.0, StatusCode::NOT_FOUND, "{body}");
    }
    assert_eq!(*sandbox.customers.lock(), changes.map(|(_, change)| change));
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(351));
    for (body, hint) in [
        ("{}", "email"),
        (r#"{"name":" "}"#, "name"),
        (r#"{"about":"a\nb"}"#, "about"),
        (r#"{"email":""}"#, "email"),
        (&long, "350"),
        (r#"{"psu":"amelia"}"#, "psu"),
    ] {
        let (status, answer) = post_to(&sandbox, PATH, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert!(answer["error"].as_str().unwrap().contains(hint), "{body}: {answer}");
    }
    assert_eq!(sandbox.customers.lock().len(), 2);
}
