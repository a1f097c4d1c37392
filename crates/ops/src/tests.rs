pub(crate) mod recording;
pub(crate) mod staff_door;

use super::*;
use axum::body::{Body, to_bytes};
use futures_util::FutureExt;
use http::Request;
use lombard_edge::layers::{HeaderLimits, LayerContext};
use lombard_edge::start_barrier::StartBarrier;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use recording::{DatabaseState, Recording};
use serde_json::json;
use staff_door::door_of_roles;
use std::net::{IpAddr, Ipv4Addr};
use tower::ServiceExt;

async fn answer(ops: &Arc<Recording>, request: http::request::Builder, body: &str) -> (StatusCode, String) {
    let hosts = AllowedHosts::new(IpAddr::V4(Ipv4Addr::LOCALHOST), ["metrics.example"]);
    let router = routes(Arc::clone(ops) as Ops, SandboxTools::default(), door_of_roles().await, hosts);
    let request = request.header("authorization", "Bearer admin");
    let response = router.oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), 32_768).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn only_loopback_names_and_configured_ones_are_answered() {
    let ops = Arc::new(Recording::default());
    for (host, fine) in [
        ("localhost", true),
        ("LOCALHOST:9090", true),
        ("127.0.0.1:9090", true),
        ("[::1]:9090", true),
        ("metrics.example:9090", true),
        ("evil.example", false),
        ("localhost.evil.example", false),
        ("evil@localhost", false),
        ("", false),
    ] {
        let request = Request::get("/healthz").header("host", host);
        let (status, _) = answer(&ops, request, "").await;
        assert_eq!(status, if fine { StatusCode::OK } else { StatusCode::MISDIRECTED_REQUEST }, "{host:?}");
    }
    let twice = Request::get("/healthz").header("host", "localhost").header("host", "localhost");
    assert_eq!(answer(&ops, twice, "").await.0, StatusCode::MISDIRECTED_REQUEST);
    assert_eq!(answer(&ops, Request::get("/healthz"), "").await.0, StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test]
async fn a_server_that_still_makes_its_data_is_alive_and_everything_else_waits() {
    let (opener, barrier) = StartBarrier::closed();
    let around = LayerContext::new(
        "ops",
        IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system()),
        HeaderLimits { bytes_max: 2048, fields_max: 8 },
    );
    let hosts = AllowedHosts::new(IpAddr::V4(Ipv4Addr::LOCALHOST), []);
    let ops = Arc::new(Recording::default()) as Ops;
    let router = ops_router(ops, SandboxTools::default(), door_of_roles().await, hosts, around, Some(&barrier));
    let ask = |path: &str| {
        let request = Request::get(path).header("host", "localhost").header("authorization", "Bearer view");
        let request = request.body(Body::empty()).unwrap();
        router.clone().oneshot(request).map(|answer| answer.unwrap().status())
    };
    assert_eq!(ask("/healthz").await, StatusCode::OK);
    let mut listed = Box::pin(ask("/operations/keys"));
    assert!((&mut listed).now_or_never().is_none());
    opener.open();
    assert_eq!(listed.await, StatusCode::OK);
}

/// Every route of the listener outside a sandbox.
const ROUTES: &[&str] = &[
    "GET /healthz",
    "GET /readyz",
    "GET /health/database",
    "GET /metrics",
    "GET /operations/events",
    "POST /operations/events/{jti}/requeue",
    "GET /operations/quarantine",
    "POST /operations/quarantine/retry",
    "POST /operations/quarantine/{id}/retry",
    "POST /operations/search",
    "GET /operations/orders/{id}",
    "GET /operations/consents/{id}",
    "GET /operations/customers/{id}",
    "POST /operations/customers/{id}/revoke",
    "POST /operations/consents/{id}/revoke",
    "GET /operations/consents/{id}/evidence",
    "GET /operations/customers/{id}/export",
    "POST /operations/customers/{id}/hold",
    "POST /operations/customers/{id}/release",
    "POST /operations/customers/{id}/erase",
    "GET /operations/keys",
    "POST /operations/keys/rotate",
    "POST /operations/keys/csr",
    "POST /operations/keys/import",
    "POST /operations/keys/reseal",
    "POST /operations/keys/login",
    "POST /operations/keys/{kid}/retire",
    "POST /operations/keys/{kid}/withdraw",
    "GET /operations/maintenance",
    "POST /operations/maintenance/announce",
    "POST /operations/maintenance/begin",
    "POST /operations/maintenance/end",
    "POST /operations/maintenance/withdraw",
    "POST /operations/tls/reload",
    "GET /operations/tpps",
    "POST /operations/tpps",
    "GET /operations/tpps/{id}",
    "DELETE /operations/tpps/{id}",
    "POST /operations/tpps/{id}/disable",
    "POST /operations/tpps/{id}/enable",
    "POST /operations/tpps/{id}/approve",
    "POST /operations/tpps/{id}/refuse",
    "POST /operations/tpps/{id}/login",
    "PUT /operations/tpps/{id}/roles",
    "PUT /operations/tpps/{id}/redirect-uris",
    "PUT /operations/tpps/{id}/profile",
    "PUT /operations/tpps/{id}/signed-messages",
    "GET /operations/audit",
    "GET /operations/requests",
    "POST /operations/vrp/migrate",
    "POST /operations/reconcile",
    "POST /operations/orders/{id}/resubmit",
];

#[tokio::test]
async fn requests_are_asked_for_by_their_id_client_and_status() {
    let ops = Arc::new(Recording::default());
    let get = |search: &str| {
        let reason = if search.is_empty() { "?reason=case+7" } else { "&reason=case+7" };
        Request::get(format!("/operations/requests{search}{reason}")).header("host", "localhost")
    };
    assert_eq!(answer(&ops, get(""), "").await, (StatusCode::OK, r#"{"requests":[],"next":7}"#.to_owned()));
    let all = "?interaction_id=i&client_id=c&status=4xx&after=3&limit=100&wait_secs=30";
    assert_eq!(answer(&ops, get(all), "").await.0, StatusCode::OK);
    let asked = ops.done.lock().clone();
    assert!(asked[0].ends_with("after: None, limit: 50 } 0"), "{asked:?}");
    assert!(asked[1].contains("Class(4)") && asked[1].ends_with("after: Some(3), limit: 100 } 30"), "{asked:?}");
    for (bad, hint) in [
        ("?status=4x", "status"),
        ("?status=6xx", "status"),
        ("?limit=0", "limit"),
        ("?limit=101", "limit"),
        ("?wait_secs=31", "wait_secs"),
        ("?interaction=i", "interaction_id"),
        ("?after=-1", "after"),
    ] {
        let (status, text) = answer(&ops, get(bad), "").await;
        assert!(status == StatusCode::BAD_REQUEST && text.contains(hint), "{bad}: {status} {text}");
    }
    let sandbox = Request::get("/sandbox/requests").header("host", "localhost");
    assert_eq!(answer(&ops, sandbox, "").await.0, StatusCode::NOT_FOUND, "there are no controls outside a sandbox");
}

#[tokio::test]
async fn v4_030_a_batch_of_the_migration_names_what_failed() {
    let ops = Arc::new(Recording::default());
    let post = || {
        Request::post("/operations/vrp/migrate").header("host", "localhost").header("content-type", "application/json")
    };
    let (status, text) = answer(&ops, post(), r#"{"dry_run":false}"#).await;
    let expected = r#"{"migrated":1,"skipped":1,"total":3,"failed":[{"consent":"c-2","causes":["U002 at Data.Initiation.CreditorAccount.Name: UK.OBIE.Field.Invalid: Must have 1 to 70 characters."]}],"last":"c-2"}"#;
    assert_eq!((status, text.as_str()), (StatusCode::OK, expected));
    let (_, text) = answer(&ops, post(), r#"{"after":"c-2","dry_run":true}"#).await;
    assert!(text.contains(r#""migrated":0"#) && !text.contains(r#""last""#), "{text}");
    assert_eq!(answer(&ops, post(), r#"{"force":true}"#).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, text) = answer(&ops, post(), r#"{"client":"acme"}"#).await;
    assert_eq!((status, text.as_str()), (StatusCode::OK, expected));
    let (status, text) = answer(&ops, post(), r#"{"client":"nobody"}"#).await;
    assert!(status.is_client_error() && text.contains("no client with this id"), "{status} {text}");
}

#[tokio::test]
async fn a_batch_of_a_reconciliation_names_each_difference() {
    let ops = Arc::new(Recording::default());
    let post = || {
        Request::post("/operations/reconcile").header("host", "localhost").header("content-type", "application/json")
    };
    let (status, text) = answer(&ops, post(), r#"{"since":"2026-03-01T00:00:00Z"}"#).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let view: serde_json::Value = serde_json::from_str(&text).unwrap();
    let difference = &view["differences"][0];
    assert_eq!((&difference["order"], &difference["difference"]), (&"o".into(), &"only-at-core".into()));
    assert_eq!((&difference["is_certain"], &difference["at_core"]), (&false.into(), &"5.00 GBP".into()));
    let next = serde_json::json!({"since": view["since"], "position": view["next"], "dry_run": true}).to_string();
    let (status, text) = answer(&ops, post(), &next).await;
    assert!(status == StatusCode::OK && !text.contains("\"next\""), "{text}");
    assert_eq!(answer(&ops, post(), r#"{"force":true}"#).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let path = "/operations/orders/o-1/resubmit";
    let resubmit = Request::post(path).header("host", "localhost").header("content-type", "application/json");
    assert_eq!(answer(&ops, resubmit, "null").await.0, StatusCode::OK);
    assert_eq!(*ops.done.lock(), ["resubmit o-1"]);
}

#[tokio::test]
async fn the_page_of_the_role_lists_every_route() {
    let ops = Arc::new(Recording::default());
    let get = |path: &str| Request::get(path.to_owned()).header("host", "localhost");
    let (status, text) = answer(&ops, get("/role"), "").await;
    assert_eq!(status, StatusCode::OK);
    let routes = indexed_routes(Arc::clone(&ops) as Ops, SandboxTools::default());
    let named: Vec<_> = routes.entries().iter().map(|it| format!("{} {}", it.verb, it.path)).collect();
    assert_eq!(named, ROUTES);
    for index::OpsRoute { verb, path, purpose } in routes.entries() {
        let purpose = purpose.replace('\'', "&#39;");
        assert!(text.contains(&format!("{verb}</span> <code>{path}</code></td><td>{purpose}<")), "{path}: {text}");
        let request = Request::builder().method(*verb).uri(path.replace(['{', '}'], "")).header("host", "localhost");
        let (status, _) = answer(&ops, request, "").await;
        assert!(status != StatusCode::NOT_FOUND && status != StatusCode::METHOD_NOT_ALLOWED, "{verb} {path}: {status}");
    }
    assert_eq!(answer(&ops, get("/favicon.ico"), "").await.0, StatusCode::OK);
    assert_eq!(answer(&ops, get("/nowhere"), "").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn pages_of_other_origins_cannot_operate_the_server() {
    let ops = Arc::new(Recording::default());
    for (origin, expected) in [
        (Some("http://localhost:9090"), StatusCode::OK),
        (None, StatusCode::OK),
        (Some("http://localhost:3000"), StatusCode::FORBIDDEN),
        (Some("https://localhost:9090"), StatusCode::FORBIDDEN),
        (Some("https://evil.example"), StatusCode::FORBIDDEN),
        (Some("null"), StatusCode::FORBIDDEN),
    ] {
        let request = Request::post("/operations/keys/rotate").header("host", "localhost:9090");
        let request = request.header("content-type", "application/json");
        let request = if let Some(origin) = origin { request.header("origin", origin) } else { request };
        assert_eq!(answer(&ops, request, "null").await.0, expected, "{origin:?}");
    }
    assert_eq!(ops.done.lock().len(), 2);
}

#[tokio::test]
async fn a_browser_that_says_that_another_site_asks_is_refused() {
    let ops = Arc::new(Recording::default());
    for (site, expected) in [
        ("same-origin", StatusCode::OK),
        ("none", StatusCode::OK),
        ("same-site", StatusCode::FORBIDDEN),
        ("cross-site", StatusCode::FORBIDDEN),
        ("", StatusCode::FORBIDDEN),
    ] {
        let request = Request::get("/healthz").header("host", "localhost:9090").header("sec-fetch-site", site);
        assert_eq!(answer(&ops, request, "").await.0, expected, "{site:?}");
    }
}

#[tokio::test]
async fn rfc_9112_an_absolute_target_stands_in_for_no_foreign_host() {
    let ops = Arc::new(Recording::default());
    for (target, host, expected) in [
        ("http://localhost:9090/healthz", None, StatusCode::OK),
        ("http://localhost:9090/healthz", Some("LOCALHOST:9090"), StatusCode::OK),
        ("http://localhost:9090/healthz", Some("evil.example"), StatusCode::MISDIRECTED_REQUEST),
        ("http://localhost:9090/healthz", Some("localhost"), StatusCode::MISDIRECTED_REQUEST),
        ("http://evil.example/healthz", Some("localhost:9090"), StatusCode::MISDIRECTED_REQUEST),
        ("http://evil.example/healthz", None, StatusCode::MISDIRECTED_REQUEST),
    ] {
        let request = host.into_iter().fold(Request::get(target), |request, host| request.header("host", host));
        assert_eq!(answer(&ops, request, "").await.0, expected, "{target} {host:?}");
    }
}

#[tokio::test]
async fn as_008_a_key_is_taken_back_by_its_id() {
    let ops = Arc::new(Recording::default());
    let request = Request::post("/operations/keys/k-1/withdraw").header("host", "localhost");
    let (status, text) = answer(&ops, request.header("content-type", "application/json"), "null").await;
    assert_eq!((status, text.as_str()), (StatusCode::OK, r#"{"kid":"k-1","signs_now":"k"}"#));
    assert_eq!(*ops.done.lock(), ["withdraw k-1"]);
}

#[tokio::test]
async fn as_008_keys_are_listed_requested_imported_retired_and_never_printed() {
    let ops = Arc::new(Recording::default());
    for (method, path, body, expected, done) in [
        ("GET", "", "", 200, ""),
        ("POST", "/csr", "{}", 200, "csr "),
        ("POST", "/csr", r#"{"kid":"k-1"}"#, 200, "csr k-1"),
        ("POST", "/csr", r#"{"key":"k-1"}"#, 422, ""),
        (
            "POST",
            "/import",
            r#"{"kid":"d","private_key":"SECRET"}"#,
            200,
            r#"import KeyImportOrder { kid: Some(KeyId(d)), .. }"#,
        ),
        ("POST", "/import", r#"{"path":"/etc/passwd"}"#, 422, ""),
        ("POST", "/reseal", "null", 200, "reseal"),
        ("POST", "/k-1/retire", r#"{"at":"2027-01-01T00:00:00Z"}"#, 200, "retire k-1 2027-01-01T00:00:00Z"),
        ("POST", "/k-1/retire", "{}", 200, "retire k-1 "),
    ] {
        let request = Request::builder().method(method).uri(format!("/operations/keys{path}"));
        let request = request.header("host", "localhost").header("content-type", "application/json");
        let (status, text) = answer(&ops, request, body).await;
        assert_eq!(status.as_u16(), expected, "{method} {path}: {text}");
        let recorded = std::mem::take(&mut *ops.done.lock());
        assert_eq!(recorded.first().map(String::as_str).unwrap_or_default(), done, "{method} {path}");
    }
}

#[tokio::test]
async fn tls_files_are_reloaded_on_request() {
    let ops = Arc::new(Recording::default());
    let request = Request::post("/operations/tls/reload").header("host", "localhost");
    let (status, text) = answer(&ops, request.header("content-type", "application/json"), "null").await;
    let expected = r#"{"changed":true,"certificates":[{"serial":"0a","not_after":"2027-01-01T00:00:00Z"}],"tpp_anchors":1,"revocation_lists":2}"#;
    assert_eq!((status, text.as_str()), (StatusCode::OK, expected));
    assert_eq!(*ops.done.lock(), ["tls reload"]);
}

#[tokio::test]
async fn a_form_is_not_an_operation() {
    let ops = Arc::new(Recording::default());
    for content_type in ["application/x-www-form-urlencoded", "text/plain"] {
        let request = Request::post("/operations/tpps").header("host", "localhost");
        let request = request.header("content-type", content_type);
        assert_eq!(answer(&ops, request, r#"{"name":"a"}"#).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    assert!(ops.done.lock().is_empty());
}

#[tokio::test]
async fn a_tpp_is_ordered_by_name_and_refusals_say_why() {
    let ops = Arc::new(Recording::default());
    for (body, expected, said) in [
        (r#"{"name":"mine"}"#, StatusCode::CREATED, "client_id"),
        (r#"{"name":""}"#, StatusCode::BAD_REQUEST, "a TPP needs a name"),
        (r#"{"name":"mine","colour":1}"#, StatusCode::UNPROCESSABLE_ENTITY, "colour"),
    ] {
        let request = Request::post("/operations/tpps").header("host", "localhost");
        let (status, text) = answer(&ops, request.header("content-type", "application/json"), body).await;
        assert_eq!(status, expected);
        assert!(text.contains(said), "{text}");
    }
    assert_eq!(*ops.done.lock(), ["mine"]);
}

#[tokio::test]
async fn tpps_are_listed_shown_and_changed_within_limits() {
    let ops = Arc::new(Recording::default());
    let json = |request: http::request::Builder| request.header("content-type", "application/json");
    for (method, path, body, expected, done) in [
        ("GET", "", "", 200, "list  100"),
        ("GET", "?after=c-3&limit=200", "", 200, "list c-3 200"),
        ("GET", "?limit=0", "", 400, ""),
        ("GET", "?limit=201", "", 400, ""),
        ("GET", "?colour=blue", "", 400, ""),
        ("GET", "/My%20Shop", "", 400, "show My Shop"),
        ("POST", "/c-1/disable", r#"{"reason":"fraud"}"#, 400, "Disable c-1 fraud"),
        ("POST", "/c-1/disable", "null", 422, ""),
        ("POST", "/c-1/disable", r#"{"why":"fraud"}"#, 422, ""),
        ("DELETE", "/c-1", r#"{"reason":"gone"}"#, 400, "Delete c-1 gone"),
        ("DELETE", "/c-1", "", 400, ""),
        ("POST", "/c-1/enable", "{}", 400, "Enable c-1 "),
        ("POST", "/c-1/login", "null", 400, "login c-1"),
        ("PUT", "/c-1/roles", r#"{"roles":["aisp"]}"#, 400, r#"SetRoles(["aisp"]) c-1 "#),
        ("POST", "/c-1/roles", r#"{"roles":["aisp"]}"#, 405, ""),
        ("PUT", "/c-1/redirect-uris", r#"{"redirect_uris":[]}"#, 400, "SetRedirectUris([]) c-1 "),
        ("PUT", "/c-1/profile", r#"{"profile":"fapi2","reason":"moves"}"#, 400, "SetProfile(\"fapi2\") c-1 moves"),
        ("PUT", "/c-1/profile", r#"{"reason":"moves"}"#, 422, ""),
        (
            "PUT",
            "/c-1/signed-messages",
            r#"{"signed_messages":["responses"]}"#,
            400,
            r#"SetSignedMessages(["responses"]) c-1 "#,
        ),
    ] {
        let request = Request::builder().method(method).uri(format!("/operations/tpps{path}"));
        let (status, text) = answer(&ops, json(request.header("host", "localhost")), body).await;
        assert_eq!(status.as_u16(), expected, "{method} {path}: {text}");
        let recorded = std::mem::take(&mut *ops.done.lock());
        assert_eq!(recorded.first().map(String::as_str).unwrap_or_default(), done, "{method} {path}");
    }
    let request = Request::get("/operations/tpps").header("host", "localhost");
    assert_eq!(answer(&ops, request, "").await.1, r#"{"tpps":[],"next":"c-9"}"#);
}

#[tokio::test]
async fn readiness_names_what_this_node_lacks() {
    let ready = Arc::new(Recording::default());
    assert_eq!(health(&ready, "/readyz").await, (StatusCode::OK, "ready\n".to_owned()));
    let unready = Arc::new(Recording { missing: vec!["stopping", "signing key"], ..Recording::default() });
    let expected = (StatusCode::SERVICE_UNAVAILABLE, "not ready: stopping, signing key\n".to_owned());
    assert_eq!(health(&unready, "/readyz").await, expected);
}

#[tokio::test(start_paused = true)]
async fn only_the_check_of_the_database_tells_that_it_does_not_answer() {
    let lost = (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n".to_owned());
    for database in [DatabaseState::Fails, DatabaseState::Hangs] {
        let node = Arc::new(Recording { database, ..Recording::default() });
        assert_eq!(health(&node, "/health/database").await, lost, "{database:?}");
        assert_eq!(health(&node, "/readyz").await.0, StatusCode::OK, "{database:?}");
    }
    let node = Arc::new(Recording::default());
    assert_eq!(health(&node, "/health/database").await.0, StatusCode::OK);
}

async fn health(operations: &Arc<Recording>, path: &str) -> (StatusCode, String) {
    answer(operations, Request::get(path).header("host", "localhost"), "").await
}

#[tokio::test]
async fn evt_042_parked_events_are_listed_with_reports_and_can_be_reoffered() {
    let ops = Arc::new(Recording::default());
    let (status, text) = answer(&ops, Request::get("/operations/events").header("host", "localhost"), "").await;
    let shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &shown["held"]), (StatusCode::OK, &json!(7)));
    let event = &shown["parked"][0];
    assert_eq!((&event["err"], &event["description"]), (&json!("jwtIss"), &json!("the issuer is not known")));
    assert_eq!(event["types"], json!(["urn:uk:org:openbanking:events:resource-update"]));
    for (jti, expected) in [("e", StatusCode::OK), ("unknown", StatusCode::BAD_REQUEST)] {
        let request = Request::post(format!("/operations/events/{jti}/requeue")).header("host", "localhost");
        let (status, _) = answer(&ops, request.header("content-type", "application/json"), "null").await;
        assert_eq!(status, expected, "{jti}");
    }
}

#[tokio::test]
async fn work_in_quarantine_is_shown_with_its_cause_and_tried_again() {
    let ops = Arc::new(Recording::default());
    let (status, text) = answer(&ops, Request::get("/operations/quarantine").header("host", "localhost"), "").await;
    let shown: serde_json::Value = serde_json::from_str(&text).unwrap();
    let work = json!({
        "id": "bank-7", "kind": "bank-order", "subject": "o", "cause": "it is odd", "since": "1970-01-01T00:00:00Z",
    });
    assert_eq!((status, shown), (StatusCode::OK, json!({"counts": {"bank-order": 1}, "work": [work]})));
    for (path, expected) in
        [("bank-7/retry", 200), ("retry", 200), ("7/retry", 400), ("seven/retry", 400), ("bank-7", 404)]
    {
        let request = Request::post(format!("/operations/quarantine/{path}")).header("host", "localhost");
        let (status, _) = answer(&ops, request.header("content-type", "application/json"), "null").await;
        assert_eq!(status.as_u16(), expected, "{path}");
    }
}

#[tokio::test]
async fn ais_070_the_bank_ends_access_by_an_operation() {
    let ops = Arc::new(Recording::default());
    let request = Request::post("/operations/consents/c-1/revoke").header("host", "localhost");
    let (status, _) = answer(&ops, request.header("content-type", "application/json"), "null").await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(*ops.done.lock(), ["revoke c-1"]);
}

#[tokio::test]
async fn an_operator_sees_what_was_shown_before_a_payment_was_approved() {
    let ops = Arc::new(Recording::default());
    let request = Request::get("/operations/consents/c-1/evidence?reason=complaint").header("host", "localhost");
    let (status, body) = answer(&ops, request, "").await;
    assert_eq!(status, StatusCode::OK);
    let shown: serde_json::Value = serde_json::from_str(&body).unwrap();
    let decision = json!({
        "psu": "p", "decided_at": "1970-01-01T00:00:00Z", "payee_check": "no-match", "warnings": ["Stop"]
    });
    assert_eq!(shown, json!({"consent_id": "c-1", "decisions": [decision]}));
    assert_eq!(*ops.done.lock(), ["evidence c-1"]);
    let reason = ops.acts.lock()[0].reason.clone();
    assert_eq!(reason.unwrap().as_str(), "complaint");
}
