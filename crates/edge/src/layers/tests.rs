use super::*;
use axum::body::Body;
use axum::routing::get;
use http::header::{CACHE_CONTROL, HOST};
use http::{Request, Response, StatusCode};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::CountingEntropy;
use tower::ServiceExt;

fn ids() -> IdGenerator {
    IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system())
}

fn router() -> Router {
    let router = Router::new().route("/fine", get(|| async { "fine" })).route(
        "/broken",
        get(|| async {
            if true {
                panic!("on purpose")
            }
        }),
    );
    let router = router.route("/kept", get(|| async { ([(CACHE_CONTROL, "public, max-age=300")], "kept") }));
    apply_layers(router, LayerContext::new("test", ids(), HeaderLimits { bytes_max: 2048, fields_max: 8 }))
}

async fn answer(mut request: Request<Body>) -> Response<Body> {
    request.headers_mut().entry(HOST).or_insert(http::HeaderValue::from_static("a"));
    router().oneshot(request).await.unwrap()
}

fn id_of(response: &Response<Body>) -> &str {
    let mut values = response.headers().get_all(INTERACTION_ID).iter();
    let value = values.next().expect("an interaction id");
    assert!(values.next().is_none(), "exactly one interaction id");
    value.to_str().unwrap()
}

#[tokio::test]
async fn rw_050_every_answer_carries_the_interaction_id() {
    for (method, path, status) in [
        ("GET", "/fine", StatusCode::OK),
        ("GET", "/absent", StatusCode::NOT_FOUND),
        ("DELETE", "/fine", StatusCode::METHOD_NOT_ALLOWED),
        ("GET", "/broken", StatusCode::INTERNAL_SERVER_ERROR),
    ] {
        let request = Request::builder().method(method).uri(path).header(INTERACTION_ID, "c770aef3");
        let response = answer(request.body(Body::empty()).unwrap()).await;
        assert_eq!((response.status(), id_of(&response)), (status, "c770aef3"), "{method} {path}");
    }
}

#[tokio::test]
async fn answers_are_not_stored_unless_their_handler_says_for_how_long() {
    let cached =
        |response: &Response<Body>| response.headers().get_all(CACHE_CONTROL).iter().cloned().collect::<Vec<_>>();
    let long = "x".repeat(4096);
    for (method, path, said) in [
        ("GET", "/fine", "no-store"),
        ("GET", "/absent", "no-store"),
        ("DELETE", "/fine", "no-store"),
        ("GET", "/broken", "no-store"),
        ("GET", long.as_str(), "no-store"),
        ("GET", "/kept", "public, max-age=300"),
    ] {
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let request = Request::builder().method(method).uri(&path).body(Body::empty()).unwrap();
        let response = answer(request).await;
        assert_eq!(cached(&response), [said], "{method} {path}");
        assert_eq!(response.headers()["x-content-type-options"], "nosniff", "{method} {path}");
    }
}

#[tokio::test]
async fn rw_051_an_id_that_cannot_be_repeated_is_replaced_by_a_fresh_uuid() {
    let longest = "x".repeat(INTERACTION_ID_CHARS_MAX);
    let too_long = "x".repeat(INTERACTION_ID_CHARS_MAX + 1);
    for (sent, repeated) in [
        ("Éric", false),
        ("two words", false),
        ("", false),
        (too_long.as_str(), false),
        (longest.as_str(), true),
        ("not-a-uuid", true),
    ] {
        let value = http::HeaderValue::from_bytes(sent.as_bytes()).unwrap();
        let request = Request::builder().uri("/fine").header(INTERACTION_ID, value);
        let response = answer(request.body(Body::empty()).unwrap()).await;
        let got = id_of(&response);
        if repeated {
            assert_eq!(got, sent);
        } else {
            let shape: Vec<_> = got.split('-').map(str::len).collect();
            assert_eq!(shape, [8, 4, 4, 4, 12], "{sent:?} gave {got:?}");
        }
    }
}

#[tokio::test]
async fn tls_016_headers_beyond_the_limits_are_refused_at_the_bound() {
    for (fields, expected) in [(7, StatusCode::OK), (8, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)] {
        let request = (0..fields).fold(Request::builder().uri("/fine"), |r, n| r.header(format!("x-{n}"), "v"));
        let response = answer(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), expected, "{fields} fields beside the host");
        id_of(&response);
    }
    let field = |bytes| Request::builder().uri("/fine").header("x", "v".repeat(bytes));
    let rest = "GET".len() + "/fine".len() + "x".len() + "hosta".len();
    for (bytes, expected) in [(2048, StatusCode::OK), (2049, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)] {
        let response = answer(field(bytes - rest).body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), expected, "{bytes} bytes");
    }
    let long_method = "V".repeat(2048);
    let response = answer(field(1).method(long_method.as_str()).body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "a long method");
}

#[tokio::test]
async fn tls_015_a_request_that_names_two_hosts_is_refused() {
    for (hosts, expected) in [(&["a"][..], StatusCode::OK), (&["a", "b"], StatusCode::BAD_REQUEST)] {
        let request = hosts.iter().fold(Request::builder().uri("/fine"), |request, host| request.header("host", *host));
        let response = answer(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), expected, "{hosts:?}");
        id_of(&response);
    }
}

#[tokio::test]
async fn tls_012_a_certificate_in_a_header_is_refused_however_it_is_spelt() {
    let router = apply_mtls_layers(
        Router::new().route("/api", get(|| async { "served" })),
        LayerContext::new("test", ids(), HeaderLimits { bytes_max: 2048, fields_max: 8 }),
    );
    for (name, status) in [
        ("client-cert", 400),
        ("Client-Cert-Chain", 400),
        ("client_cert", 400),
        ("x-forwarded-client-cert", 400),
        ("X_Forwarded-Client_Cert", 400),
        ("x-ssl-client-cert", 400),
        ("client-certainty", 200),
        ("x-forwarded-for", 200),
    ] {
        let request =
            Request::builder().uri("/api").header(HOST, "a").header(name, ":MIIB:").body(Body::empty()).unwrap();
        let response = router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), status, "{name}");
    }
}

#[tokio::test]
async fn rw_059_a_call_without_a_certificate_is_challenged() {
    for (token, challenge) in [(None, "Bearer"), (Some("Bearer x"), "Bearer error=\"invalid_token\"")] {
        let mut request = Request::builder().uri("/api");
        if let Some(token) = token {
            request = request.header("authorization", token);
        }
        let response = certificate::refusal(&request.body(Body::empty()).unwrap()).unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "TLS-004");
        assert_eq!(response.headers()["www-authenticate"], challenge, "AS-111");
    }
}
