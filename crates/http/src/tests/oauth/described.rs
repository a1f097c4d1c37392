//! Compares the endpoints with the descriptions from which documents are made.

use super::fixture::FORM;
use crate::test_app::{Answer, Served};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use lombard_oauth::{OAuthOperation, RequestBody, RequiredCaller};
use serde_json::Value;
use std::collections::BTreeSet;
use url::form_urlencoded;

/// Sends a request without a body to an endpoint of a listener.
async fn ask(served: &Served, is_mutual: bool, method: &str, path: &str) -> StatusCode {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    if is_mutual { served.mutual(request).await.status } else { served.public(request).await.status }
}

#[tokio::test]
async fn rw_252_tls_003_what_is_described_is_what_each_listener_serves() {
    let served = Served::new().await;
    let described = lombard_oauth::operations();
    let paths: BTreeSet<_> = described.iter().map(|it| (it.path(), it.endpoint.requires_mtls())).collect();
    for (path, is_mutual) in paths {
        let asked = path.replace("{ClientId}", "acme");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            let is_described = described.iter().any(|it| it.path() == path && it.method.name() == method);
            let status = ask(&served, is_mutual, method, &asked).await;
            assert_eq!(status != StatusCode::METHOD_NOT_ALLOWED, is_described, "{method} {path}: {status}");
            assert_ne!(status, StatusCode::NOT_FOUND, "{method} {path}");
            assert_eq!(ask(&served, !is_mutual, method, &asked).await, StatusCode::NOT_FOUND, "{method} {path}");
        }
    }
    let discovery = served.public(Request::get("/.well-known/openid-configuration").body(Body::empty()).unwrap()).await;
    let discovery = discovery.json();
    let members = discovery.as_object().unwrap().iter();
    let published = members.filter(|(name, _)| name.ends_with("_endpoint") || *name == "jwks_uri");
    for (name, url) in published {
        let url = url.as_str().unwrap();
        assert!(described.iter().any(|it| url.ends_with(&it.path())), "{name}: {url} is not described");
    }
}

#[tokio::test]
async fn rw_252_examples_are_accepted_and_a_missing_required_field_is_refused() {
    let served = Served::new().await;
    let mut forms = 0;
    for operation in lombard_oauth::operations().iter().filter(|it| it.caller == RequiredCaller::Client) {
        let Some(RequestBody::Form { fields, examples, .. }) = &operation.request else { panic!("{operation:?}") };
        for (name, example) in examples {
            let all: Vec<_> = example.as_object().unwrap().iter().map(|(name, value)| (name.as_str(), value)).collect();
            let answer = post(&served, operation, &all).await;
            assert!(!is_unread(&answer), "{} {name}: {}", operation.path(), answer.json());
            let required = fields.iter().filter(|it| it.required).map(|it| it.name).chain(["client_id"]);
            for left_out in required {
                let less: Vec<_> = all.iter().filter(|(name, _)| *name != left_out).copied().collect();
                let answer = post(&served, operation, &less).await;
                let refused = is_unread(&answer) || answer.json()["error"] == "unauthorized_client";
                assert!(refused, "{} {name} without {left_out}", operation.path());
            }
            forms += 1;
        }
    }
    assert!(forms > 6, "{forms}");
}

/// Posts these fields as the client `acme`, and checks that the status of the response is described.
async fn post(served: &Served, operation: &OAuthOperation, fields: &[(&str, &Value)]) -> Answer {
    let mut form = form_urlencoded::Serializer::new(String::new());
    for (name, value) in fields {
        let value = if *name == "client_id" { "acme" } else { value.as_str().unwrap() };
        form.append_pair(name, value);
    }
    let request = Request::post(operation.path()).header(header::CONTENT_TYPE, FORM);
    let answer = served.mutual(request.body(Body::from(form.finish())).unwrap()).await;
    let mut statuses = operation.errors.iter().map(|(status, _)| *status).chain([operation.success.status]);
    assert!(statuses.any(|status| status == answer.status), "{}: {}", operation.path(), answer.status);
    answer
}

/// Whether the form or its sender was refused.
fn is_unread(answer: &Answer) -> bool {
    let error = if answer.body.is_empty() { Value::Null } else { answer.json()["error"].clone() };
    error == "invalid_request" || error == "invalid_client"
}
