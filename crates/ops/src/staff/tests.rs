//! Who may do what at the ops listener, and attacks on its login.

use super::*;
use crate::recording_controls::RecordingControls;
use crate::tests::recording::Recording;
use crate::tests::staff_door::{door_of_roles, door_with, password};
use crate::{AllowedHosts, Operations, SandboxTools, routes};
use axum::Router;
use axum::body::{Body, to_bytes};
use http::header::{CONTENT_SECURITY_POLICY, COOKIE, LOCATION, REFRESH, SET_COOKIE};
use http::{HeaderMap, Method, Request, StatusCode};
use lombard_domain::staff::StaffRole;
use lombard_edge::faults::FaultInjection;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use tower::ServiceExt;

/// The answer to a request.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// The value of a cookie that the answer sets.
    fn cookie(&self, name: &str) -> Option<String> {
        let set = self.headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
        let pairs = set.filter_map(|text| text.split(';').next()?.split_once('='));
        pairs.rev().find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }

    /// The token of the form on the page.
    pub(crate) fn form_token(&self) -> String {
        let after = self.text.split("name=\"form_token\" value=\"").nth(1).unwrap_or_else(|| panic!("{}", self.text));
        after.split('"').next().unwrap().to_owned()
    }
}

fn tools() -> SandboxTools {
    let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
    SandboxTools {
        controls: Some(Arc::new(RecordingControls::default())),
        faults: Some(FaultInjection::new(ids, Vec::new())),
    }
}

fn router(door: StaffDoor) -> Router {
    router_of(Arc::new(Recording::default()), door)
}

/// The routes of a listener with these operations.
pub(crate) fn router_of(operations: Arc<Recording>, door: StaffDoor) -> Router {
    let hosts = AllowedHosts::new(IpAddr::V4(Ipv4Addr::LOCALHOST), []);
    routes(operations as Arc<dyn Operations>, tools(), door, hosts)
}

pub(crate) async fn send(router: &Router, request: http::request::Builder, body: &str) -> Answer {
    let request = request.header("host", "localhost:9090").body(Body::from(body.to_owned())).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, 65_536).await.unwrap();
    Answer { status: parts.status, headers: parts.headers, text: String::from_utf8(body.to_vec()).unwrap() }
}

fn json(method: &str, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(path).header("content-type", "application/json")
}

pub(crate) fn form(path: &str, cookies: &str) -> http::request::Builder {
    let request = Request::post(path).header("content-type", "application/x-www-form-urlencoded");
    request.header(COOKIE, cookies).header("origin", "http://localhost:9090")
}

/// Every route of a sandbox, those of the pages included.
fn all_routes() -> Vec<(&'static str, &'static str)> {
    let operations = Arc::new(Recording::default()) as Arc<dyn Operations>;
    let indexed = crate::indexed_routes(operations, tools());
    let pages = [("GET", "/login"), ("POST", "/login"), ("GET", CALLBACK_PATH), ("POST", "/logout")];
    let files = ["/favicon.ico", "/assets/lombard.css", "/assets/lombard.svg"].map(|path| ("GET", path));
    let console = [
        ("GET", "/"),
        ("GET", "/role"),
        ("POST", "/search"),
        ("GET", "/orders/{id}"),
        ("GET", "/consents/{id}"),
        ("POST", "/consents/{id}/revoke"),
        ("GET", "/customers/{id}"),
        ("POST", "/customers/{id}/revoke"),
        ("GET", "/tpps"),
        ("GET", "/tpps/{id}"),
        ("POST", "/tpps/{id}/disable"),
        ("POST", "/tpps/{id}/enable"),
        ("GET", "/work"),
        ("POST", "/work/quarantine/{id}/retry"),
        ("POST", "/work/events/{jti}/requeue"),
        ("GET", "/keys"),
        ("POST", "/keys/rotate"),
        ("GET", "/node"),
    ];
    let listed = indexed.entries().iter().map(|route| (route.verb, route.path));
    listed.chain(pages).chain(console).chain(files).collect()
}

#[test]
fn every_route_has_one_row_and_every_row_a_route() {
    let routes = all_routes();
    let rows: Vec<_> = permissions::PERMISSIONS.iter().map(|row| (row.method, row.path)).collect();
    for route in &routes {
        assert_eq!(
            rows.iter().filter(|row| *row == route).count(),
            1,
            "{route:?} in crates/ops/src/staff/permissions.rs"
        );
    }
    for row in &rows {
        assert!(routes.contains(row), "{row:?} is no route");
    }
}

#[test]
fn admin_may_do_everything_and_view_changes_nothing() {
    for row in permissions::PERMISSIONS {
        let Some(roles) = row.access.roles() else { continue };
        assert!(roles.contains(&StaffRole::Admin), "{row:?}");
        let may_view = roles.contains(&StaffRole::View);
        assert!(!may_view || row.method == "GET" || row.path == "/logout", "{row:?}");
        assert!(!may_view || !row.access.needs_reason(), "{row:?}");
    }
}

#[tokio::test]
async fn each_role_uses_its_routes_and_no_other_and_a_stranger_none() {
    // The listener of a sandbox beyond loopback, where the controls need an identity too.
    let StaffMethod::Provider(provider) = door_of_roles().await.method().clone() else { panic!() };
    let router = router(door_with(StaffMethod::Provider(provider), false).await);
    for row in permissions::PERMISSIONS {
        let path = format!("{}?reason=case+7", row.path.replace(['{', '}'], ""));
        let roles = row.access.roles();
        let stranger = send(&router, json(row.method, &path), "null").await;
        assert_eq!(stranger.status == StatusCode::UNAUTHORIZED, roles.is_some(), "{row:?}: {}", stranger.text);
        let forged = json(row.method, &path).header("authorization", "Bearer owner");
        let forged = send(&router, forged, "null").await;
        assert_eq!(forged.status == StatusCode::UNAUTHORIZED, roles.is_some(), "{row:?}: {}", forged.text);
        let Some(roles) = roles else { continue };
        for role in StaffRole::ALL {
            let request = json(row.method, &path).header("authorization", format!("Bearer {}", role.name()));
            let answer = send(&router, request, "null").await;
            // A form of the pages is also refused without the token of its page, which a program does not have.
            let is_refused = answer.status == StatusCode::FORBIDDEN && answer.text.contains("your role is ");
            assert_eq!(!is_refused, roles.contains(&role), "{row:?} {role:?}: {}", answer.text);
            assert_ne!(answer.status, StatusCode::UNAUTHORIZED, "{row:?} {role:?}");
        }
    }
}

#[tokio::test]
async fn the_controls_of_a_sandbox_are_open_on_loopback_alone() {
    for (is_loopback, expected) in [(true, StatusCode::OK), (false, StatusCode::UNAUTHORIZED)] {
        let router = router(door_with(password(), is_loopback).await);
        assert_eq!(send(&router, json("GET", "/sandbox/clock"), "").await.status, expected);
        assert_eq!(send(&router, json("GET", "/sandbox/requests"), "").await.status, expected);
        assert_eq!(send(&router, json("GET", "/operations/keys"), "").await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(send(&router, json("GET", "/healthz"), "").await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn head_is_guarded_like_get_and_other_methods_reach_nothing() {
    let router = router(door_of_roles().await);
    for method in ["HEAD", "GET"] {
        assert_eq!(send(&router, json(method, "/operations/keys"), "").await.status, StatusCode::UNAUTHORIZED);
    }
    for method in ["OPTIONS", "TRACE", "PATCH", "DELETE"] {
        let request = json(method, "/operations/keys").header("authorization", "Bearer admin");
        assert_eq!(send(&router, request, "").await.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    assert_eq!(send(&router, json("GET", "/operations/nothing"), "").await.status, StatusCode::NOT_FOUND);
    assert_eq!(find_permission(&Method::GET, "/operations/{new}"), FoundPermission::None);
}

#[tokio::test]
async fn data_of_customers_are_read_with_a_reason_alone() {
    let router = router(door_of_roles().await);
    for path in ["/operations/requests", "/operations/consents/c/evidence"] {
        for (query, expected) in [
            ("", StatusCode::BAD_REQUEST),
            ("?reason=", StatusCode::BAD_REQUEST),
            ("?reason=%0A", StatusCode::BAD_REQUEST),
            ("?reason=complaint+7", StatusCode::OK),
        ] {
            let request = json("GET", &format!("{path}{query}")).header("authorization", "Bearer support");
            let answer = send(&router, request, "").await;
            assert_eq!(answer.status, expected, "{path}{query}: {}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_malformed_authorization_header_identifies_nobody() {
    let router = router(door_with(password(), true).await);
    for header in ["Bearer", "Bearer ", "Basic b3BlcmF0b3I6c2VjcmV0", "Bearer tokens", "token", "Bearer secret"] {
        let request = json("GET", "/operations/keys").header("authorization", header);
        assert_eq!(send(&router, request, "").await.status, StatusCode::UNAUTHORIZED, "{header}");
    }
    let twice = json("GET", "/operations/keys").header("authorization", "Bearer token");
    let twice = twice.header("authorization", "Bearer token");
    assert_eq!(send(&router, twice, "").await.status, StatusCode::UNAUTHORIZED);
    let right = json("GET", "/operations/keys").header("authorization", "bearer token");
    assert_eq!(send(&router, right, "").await.status, StatusCode::OK);
}

/// Logs in with the password, and returns the value of the session's cookie.
pub(crate) async fn log_in(router: &Router) -> String {
    let page = send(router, Request::get("/login"), "").await;
    let cookie = page.cookie("lombard-staff-login").unwrap();
    let body = format!("form_token={}&user=operator&password=secret", page.form_token());
    let answer = send(router, form("/login", &format!("lombard-staff-login={cookie}")), &body).await;
    assert_eq!((answer.status, answer.headers.get(LOCATION).unwrap().as_bytes()), (StatusCode::SEE_OTHER, &b"/"[..]));
    let set: Vec<_> = answer.headers.get_all(SET_COOKIE).iter().map(|it| it.to_str().unwrap().to_owned()).collect();
    assert!(set[0].ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{set:?}");
    answer.cookie("lombard-staff").unwrap()
}

#[tokio::test]
async fn a_browser_logs_in_with_the_password_and_out_again() {
    let router = router(door_with(password(), true).await);
    let opened = send(&router, Request::get("/").header("accept", "text/html"), "").await;
    assert_eq!(opened.status, StatusCode::UNAUTHORIZED);
    assert!(opened.text.contains("action=\"/login\""), "{}", opened.text);
    let policy = opened.headers.get(CONTENT_SECURITY_POLICY).unwrap().to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'") && !policy.contains("script-src"), "{policy}");
    let session = log_in(&router).await;
    let cookies = format!("lombard-staff={session}");
    let page = send(&router, Request::get("/role").header(COOKIE, &cookies), "").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("operator") && page.text.contains("admin") && !page.text.contains("<script"));
    let left = send(&router, form("/logout", &cookies), "form_token=x").await;
    assert_eq!(left.status, StatusCode::FORBIDDEN, "a form of no page");
    let left = send(&router, form("/logout", &cookies), &format!("form_token={}", page.form_token())).await;
    assert_eq!(left.status, StatusCode::SEE_OTHER);
    assert_eq!(send(&router, Request::get("/").header(COOKIE, &cookies), "").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_secret_that_was_planted_before_the_login_opens_nothing() {
    let router = router(door_with(password(), true).await);
    let planted = "A".repeat(43);
    let page = send(&router, Request::get("/login").header(COOKIE, format!("lombard-staff-login={planted}")), "").await;
    let cookies = format!("lombard-staff-login={planted}; lombard-staff={planted}");
    let body = format!("form_token={}&user=operator&password=secret", page.form_token());
    let answer = send(&router, form("/login", &cookies), &body).await;
    assert_ne!(answer.cookie("lombard-staff").unwrap(), planted, "the session has a new secret");
    let request = Request::get("/").header(COOKIE, format!("lombard-staff={planted}"));
    assert_eq!(send(&router, request, "").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn two_cookies_of_one_name_identify_nobody() {
    let router = router(door_with(password(), true).await);
    let session = log_in(&router).await;
    let tossed = format!("lombard-staff={session}; lombard-staff={}", "A".repeat(43));
    assert_eq!(send(&router, Request::get("/").header(COOKIE, tossed), "").await.status, StatusCode::UNAUTHORIZED);
    let twice = format!("lombard-staff={session}; lombard-staff={session}");
    assert_eq!(send(&router, Request::get("/").header(COOKIE, twice), "").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_form_of_another_browser_does_not_log_in() {
    let router = router(door_with(password(), true).await);
    let page = send(&router, Request::get("/login"), "").await;
    let body = format!("form_token={}&user=operator&password=secret", page.form_token());
    let other = send(&router, Request::get("/login"), "").await.cookie("lombard-staff-login").unwrap();
    for cookies in [format!("lombard-staff-login={other}"), "other=1".to_owned()] {
        let answer = send(&router, form("/login", &cookies), &body).await;
        assert_eq!((answer.status, answer.cookie("lombard-staff")), (StatusCode::FORBIDDEN, None), "{cookies}");
    }
}

#[tokio::test]
async fn a_page_elsewhere_cannot_act_with_the_cookie_of_a_browser() {
    let router = router(door_with(password(), true).await);
    let cookies = format!("lombard-staff={}", log_in(&router).await);
    let rotate = || json("POST", "/operations/keys/rotate").header(COOKIE, &cookies);
    for (name, value) in
        [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site"), ("x", "y")]
    {
        let answer = send(&router, rotate().header(name, value), "null").await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    let own = send(&router, rotate().header("origin", "http://localhost:9090"), "null").await;
    assert_eq!(own.status, StatusCode::OK, "{}", own.text);
}

#[tokio::test]
async fn a_login_in_a_loop_is_stopped_even_with_the_right_password() {
    let router = router(door_with(password(), true).await);
    let page = send(&router, Request::get("/login"), "").await;
    let cookies = format!("lombard-staff-login={}", page.cookie("lombard-staff-login").unwrap());
    let token = page.form_token();
    let attempt = async |password: &str| {
        let body = format!("form_token={token}&user=operator&password={password}");
        send(&router, form("/login", &cookies), &body).await.status
    };
    for _ in 0..5 {
        assert_eq!(attempt("wrong").await, StatusCode::UNAUTHORIZED);
    }
    assert_eq!(attempt("secret").await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_login_at_the_provider_ends_in_the_browser_that_began_it() {
    let router = router(door_of_roles().await);
    let page = send(&router, Request::get("/login"), "").await;
    let set = page.headers.get(SET_COOKIE).unwrap().to_str().unwrap();
    assert!(set.ends_with("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"), "{set}");
    let cookie = page.cookie("lombard-staff-login").unwrap();
    let state = page.text.split("state=").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let return_as = async |cookie: &str, state: &str, code: &str| {
        let request = Request::get(format!("/login/callback?state={state}&code={code}"));
        let request = request.header("sec-fetch-site", "cross-site");
        send(&router, request.header(COOKIE, format!("lombard-staff-login={cookie}")), "").await
    };
    let other = send(&router, Request::get("/login"), "").await.cookie("lombard-staff-login").unwrap();
    for (cookie, state) in [(other.as_str(), state.as_str()), (&cookie, "x"), (&cookie, ""), ("", &state)] {
        let answer = return_as(cookie, state, "support").await;
        assert_eq!((answer.status, answer.cookie("lombard-staff")), (StatusCode::FORBIDDEN, None));
    }
    let refused = return_as(&cookie, &state, "owner").await;
    assert_eq!((refused.status, refused.cookie("lombard-staff")), (StatusCode::UNAUTHORIZED, None));
    let answer = return_as(&cookie, &state, "support").await;
    assert_eq!((answer.status, answer.headers.get(REFRESH).unwrap().as_bytes()), (StatusCode::OK, &b"0;url=/"[..]));
    let session = format!("lombard-staff={}", answer.cookie("lombard-staff").unwrap());
    let landing = send(&router, Request::get("/role").header(COOKIE, session), "").await;
    assert!(landing.text.contains("support") && landing.text.contains("/operations/requests"), "{}", landing.text);
    assert!(!landing.text.contains("/operations/keys/rotate"), "what the role may not do is not listed");
}

#[tokio::test]
async fn the_act_says_who_in_which_role_and_why() {
    let operations = Arc::new(Recording::default());
    let hosts = AllowedHosts::new(IpAddr::V4(Ipv4Addr::LOCALHOST), []);
    let router = routes(Arc::clone(&operations) as Arc<dyn Operations>, tools(), door_of_roles().await, hosts);
    for body in [r#"{"reason":"case 7"}"#, "null", "{}"] {
        let request = json("POST", "/operations/keys/rotate").header("authorization", "Bearer security");
        assert_eq!(send(&router, request, body).await.status, StatusCode::OK);
    }
    let request = json("POST", "/operations/keys/rotate").header("authorization", "Bearer security");
    assert_eq!(send(&router, request, r#"{"reason":"two\nlines"}"#).await.status, StatusCode::BAD_REQUEST);
    let acts = operations.acts.lock().clone();
    let reasons: Vec<_> = acts.iter().map(|act| act.reason.as_ref().map(|reason| reason.as_str())).collect();
    assert_eq!(reasons, [Some("case 7"), None, None]);
    assert_eq!((acts[0].member.name.as_str(), acts[0].member.role), ("Ada", StaffRole::Security));
}
