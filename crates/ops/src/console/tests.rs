//! The pages of the console: what they show, and which forms count.

use crate::staff::tests::{Answer, form, log_in, router_of, send};
use crate::tests::recording::Recording;
use crate::tests::staff_door::{door_of_roles, door_with, password};
use axum::Router;
use http::header::{COOKIE, LOCATION};
use http::{Request, StatusCode};
use std::sync::Arc;

/// The console of an operator who is logged in.
struct Operator {
    operations: Arc<Recording>,
    router: Router,
    cookies: String,
}

impl Operator {
    async fn new() -> Self {
        let operations = Arc::new(Recording::default());
        let router = router_of(Arc::clone(&operations), door_with(password(), true).await);
        let cookies = format!("lombard-staff={}", log_in(&router).await);
        Self { operations, router, cookies }
    }

    async fn open(&self, path: &str) -> Answer {
        send(&self.router, Request::get(path).header(COOKIE, &self.cookies), "").await
    }

    /// Submits a form with the token of this session's pages.
    async fn submit(&self, path: &str, fields: &str) -> Answer {
        let token = self.open("/").await.form_token();
        send(&self.router, form(path, &self.cookies), &format!("form_token={token}&{fields}")).await
    }

    fn done(&self) -> Vec<String> {
        std::mem::take(&mut *self.operations.done.lock())
    }
}

fn location(answer: &Answer) -> &str {
    answer.headers.get(LOCATION).map(|value| value.to_str().unwrap()).unwrap_or_default()
}

#[tokio::test]
async fn each_page_shows_what_its_operations_return() {
    let operator = Operator::new().await;
    for (path, parts) in [
        ("/", &["action=\"/search\"", "Find"][..]),
        (
            "/orders/o-1?reason=case+7",
            &[
                "Acme &#60;Pay&#62;",
                "Submission to the core is not finished",
                "<svg class=\"sequence\"",
                "href=\"/consents/c-1?reason=case%207\"",
                "action=\"/consents/c-1/revoke\"",
                "value=\"case 7\"",
            ],
        ),
        ("/consents/c-1?reason=case+7&done=revoked", &["The access is ended", "href=\"/orders/o-1?reason=case%207\""]),
        ("/customers/amelia?reason=case+7", &["account access", "action=\"/customers/amelia/revoke\"", "10.00 GBP"]),
        ("/tpps", &["Further TPPs", "None is registered"]),
        ("/work", &["bank-order", "it is odd", "the issuer is not known", "action=\"/work/events/e/requeue\""]),
        ("/keys", &["signing", "action=\"/keys/rotate\""]),
        ("/node", &["The node can serve requests", "27 in all, at most 9 in a minute", "<svg class=\"chart\""]),
        ("/role", &["admin", "/operations/search"]),
    ] {
        let page = operator.open(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}: {}", page.text);
        for part in parts {
            assert!(page.text.contains(part), "{path}: no {part}: {}", page.text);
        }
        assert!(!page.text.contains("<script") && !page.text.contains("style="), "{path}");
    }
}

#[tokio::test]
async fn pages_of_customers_ask_for_a_reason_and_keep_it() {
    let operator = Operator::new().await;
    for path in ["/orders/o-1", "/consents/c-1", "/customers/amelia", "/orders/o-1?reason=%0A"] {
        let page = operator.open(path).await;
        let action = format!("action=\"{}\"", path.split('?').next().unwrap());
        assert!(page.status == StatusCode::BAD_REQUEST && page.text.contains(&action), "{path}: {}", page.text);
    }
    assert_eq!(operator.done(), [""; 0]);
    operator.open("/orders/E2E%2F7?reason=case+7").await;
    assert_eq!(operator.done(), ["order E2E/7"]);
    let acts = operator.operations.acts.lock().clone();
    assert_eq!(acts[0].reason.as_ref().unwrap().as_str(), "case 7");
}

#[tokio::test]
async fn a_search_shows_all_that_was_found() {
    let operator = Operator::new().await;
    let page = operator.submit("/search", "reason=case+7&text=E2E-7").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    for link in ["/orders/o-1?reason=case%207", "/customers/amelia?reason=case%207", "/tpps/t-1", "/consents/c-1?"] {
        assert!(page.text.contains(link), "{link}: {}", page.text);
    }
    assert_eq!(operator.done(), ["search E2E-7"]);
}

#[tokio::test]
async fn an_act_is_the_operation_of_a_command_with_its_reason() {
    let operator = Operator::new().await;
    for (path, done, leads_to) in [
        ("/consents/c-1/revoke", "revoke c-1", "/consents/c-1?reason=case%207&done=revoked"),
        ("/customers/amelia/revoke", "revoke all amelia", "/customers/amelia?reason=case%207&done=revoked"),
        ("/keys/rotate", "rotate", "/keys?done=rotated"),
    ] {
        let answer = operator.submit(path, "reason=case+7").await;
        assert_eq!((answer.status, location(&answer)), (StatusCode::SEE_OTHER, leads_to), "{}", answer.text);
        assert_eq!(operator.done(), [done]);
    }
    for path in ["/work/quarantine/bank-7/retry", "/work/events/e/requeue"] {
        let answer = operator.submit(path, "reason=case+7").await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{path}");
    }
    let refused = operator.submit("/tpps/t-1/disable", "reason=fraud+case+8").await;
    assert_eq!(operator.done(), ["Disable t-1 fraud case 8"]);
    assert!(refused.status == StatusCode::BAD_REQUEST && refused.text.contains("There is no such TPP."));
    let absent = operator.submit("/work/events/none/requeue", "reason=case+7").await;
    assert!(absent.status == StatusCode::BAD_REQUEST && absent.text.contains("There is no parked event"));
    assert_eq!(operator.operations.acts.lock().iter().filter(|act| act.reason.is_none()).count(), 0);
}

#[tokio::test]
async fn a_form_without_a_reason_or_of_another_page_does_nothing() {
    let operator = Operator::new().await;
    for path in ["/search", "/consents/c-1/revoke", "/customers/amelia/revoke", "/tpps/t-1/disable", "/keys/rotate"] {
        for fields in ["", "reason=", "reason=two%0Alines"] {
            assert_eq!(operator.submit(path, fields).await.status, StatusCode::BAD_REQUEST, "{path} {fields}");
        }
        let forged = send(&operator.router, form(path, &operator.cookies), "form_token=x&reason=case+7").await;
        assert_eq!(forged.status, StatusCode::FORBIDDEN, "{path}");
        let silent = Request::post(path).header(COOKIE, &operator.cookies);
        let silent = silent.header("content-type", "application/x-www-form-urlencoded");
        assert_eq!(send(&operator.router, silent, "reason=case+7").await.status, StatusCode::FORBIDDEN, "no origin");
    }
    assert_eq!(operator.done(), [""; 0]);
}

#[tokio::test]
async fn a_role_sees_no_form_that_it_may_not_send() {
    let router = router_of(Arc::new(Recording::default()), door_of_roles().await);
    let open = async |role: &str, path: &str| {
        send(&router, Request::get(path).header("authorization", format!("Bearer {role}")), "").await
    };
    let home = open("view", "/").await;
    assert!(home.status == StatusCode::OK && !home.text.contains("action=\"/search\""), "{}", home.text);
    assert_eq!(open("view", "/orders/o-1?reason=case+7").await.status, StatusCode::FORBIDDEN);
    assert!(!open("view", "/work").await.text.contains("/retry"));
    assert!(open("support", "/work").await.text.contains("/retry"));
    assert!(!open("support", "/keys").await.text.contains("/keys/rotate"));
    assert!(open("support", "/consents/c-1?reason=case+7").await.text.contains("/consents/c-1/revoke"));
}
