use crate::sandbox_faults;
use crate::test_app::{Served, with_token};
use axum::Extension;
use axum::body::{Body, to_bytes};
use http::{Request, StatusCode};
use lombard_api::catalogue;
use lombard_auth::OAuthErrorCode;
use lombard_domain::consent::Permission;
use lombard_domain::ids::ClientId;
use lombard_edge::faults::rule::{CLIENT_FAULTS_MAX, FAULTS_MAX};
use lombard_edge::faults::{
    FAULT_HEADER_TEXT, FaultInjection, add_client_fault, list_client_faults, read_faults, remove_client_faults,
    write_faults,
};
use lombard_edge::layers::{HeaderLimits, LayerContext, apply_mtls_layers};
use lombard_edge::listener::CutConnection;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{CountingEntropy, Entropy, IdGenerator};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tower::ServiceExt;

/// Random numbers that are alternately small and large.
#[derive(Debug, Default)]
struct Alternating(AtomicBool);

impl Entropy for Alternating {
    fn fill_random(&self, buffer: &mut [u8]) {
        let is_large = self.0.fetch_xor(true, Ordering::Relaxed);
        buffer.fill(if is_large { 0xff } else { 0 });
    }
}

fn no_faults() -> FaultInjection {
    sandbox_faults(IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system()))
}

fn planted(list: &Value) -> FaultInjection {
    let faults = no_faults();
    faults.replace(read_faults(list.to_string().as_bytes(), &faults, known).unwrap());
    faults
}

fn shown(faults: &FaultInjection) -> Value {
    serde_json::to_value(write_faults(&faults.list())).unwrap()
}

/// The clients of the tests.
fn known(name: &str) -> Option<ClientId> {
    (name != "stranger").then(|| ClientId::new(name))
}

/// The paths of the errors in a list of faults.
fn refused(list: &Value) -> Vec<String> {
    let faults = read_faults(list.to_string().as_bytes(), &no_faults(), known).unwrap_err();
    faults.into_iter().map(|fault| fault.path).collect()
}

/// The response of the listener for TPPs: whether the connection is closed, the status and the body.
async fn ask(served: &Served, faults: Option<&FaultInjection>, request: Request<Body>) -> (bool, StatusCode, Value) {
    let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
    let headers = HeaderLimits { bytes_max: 8192, fields_max: 32 };
    let around = LayerContext { faults: faults.cloned(), ..LayerContext::new("test", ids, headers) };
    let routes = lombard_oauth::mtls_routes().merge(catalogue::router(&served.app)).with_state(served.app.clone());
    let router = apply_mtls_layers(routes, around).layer(Extension(served.certificate()));
    let (mut head, body) = request.into_parts();
    head.headers.insert(http::header::HOST, http::HeaderValue::from_static("localhost"));
    let response = router.oneshot(Request::from_parts(head, body)).await.unwrap();
    let is_cut = response.extensions().get::<CutConnection>().is_some();
    let status = response.status();
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (is_cut, status, serde_json::from_slice(&body).unwrap_or_default())
}

fn accounts(token: &str) -> Request<Body> {
    with_token("GET", "/accounts", token).body(Body::empty()).unwrap()
}

fn token_request() -> Request<Body> {
    let form = "grant_type=client_credentials&client_id=acme&scope=accounts";
    let request = Request::post("/token").header("content-type", "application/x-www-form-urlencoded");
    request.body(Body::from(form)).unwrap()
}

#[test]
fn a_list_is_answered_as_it_was_written() {
    let list = json!([
        {"operation": "GetAccounts", "client_id": "acme", "probability": 0.25, "count": 3, "status": 503, "code": "U000", "delay_ms": 5},
        {"operation": "GET /open-banking/v4.0/aisp/accounts/{AccountId}/balances", "cut": "before"},
        {"operation": "POST /pisp/domestic-payments", "cut": "after"},
        {"operation": "token", "probability": 1, "code": "invalid_grant"},
        {"delay_ms": {"min": 1, "max": 9}, "slow_body": 100, "wrong_signature": true},
        {"expired_token": true},
    ]);
    assert_eq!(shown(&planted(&list)), list);
}

#[test]
fn every_fault_of_a_list_is_told_with_its_place() {
    let list = json!([
        {"status": 200, "probability": 2, "count": 0, "delay_ms": 60_001, "cut": "soon", "colour": "blue"},
        {"operation": "GetNothing", "status": 500},
        {"operation": "GetAccounts", "code": "invalid_grant"},
        {"operation": "token", "code": "U000"},
        {"code": "UK.OBIE.Nothing"},
        {"cut": "before", "status": 500},
        {"operation": "GetAccounts"},
        {"delay_ms": {"min": 2, "max": 1}},
        7,
        {"operation": "GetNothing", "client_id": "stranger", "delay": 5},
        {"operation": "GetAccounts", "wrong_signature": true},
    ]);
    let expected = [
        "[0].probability",
        "[0].count",
        "[0].status",
        "[0].delay_ms",
        "[0].cut",
        "[0].colour",
        "[1].operation",
        "[2].code",
        "[3].code",
        "[4].code",
        "[5].cut",
        "[6]",
        "[7].delay_ms",
        "[8]",
        "[9].delay",
        "[9].operation",
        "[9].client_id",
        "[10].wrong_signature",
    ];
    assert_eq!(refused(&list), expected);
    assert_eq!(refused(&json!({})), [""]);
    assert_eq!(refused(&json!(vec![json!({"status": 500}); 101])), [""]);
    assert!(read_faults(b"[", &no_faults(), known).is_err());
}

#[tokio::test]
async fn a_fault_is_injected_for_its_operation_and_client_the_stated_times() {
    let served = Served::new().await;
    let (_, acme) = served.authorised("acme", &[Permission::ReadAccountsBasic]).await;
    let (_, rival) = served.authorised("rival", &[Permission::ReadAccountsBasic]).await;
    let faults = planted(&json!([
        {"operation": "GetAccounts", "client_id": "acme", "status": 503, "count": 1},
        {"operation": "GetParty", "status": 500},
        {"operation": "GetAccounts", "client_id": "acme", "code": "UK.OBIE.Rules.ResourceAlreadyExists", "count": 1},
    ]));
    assert_eq!(ask(&served, Some(&faults), accounts(&rival)).await.1, StatusCode::OK);
    let (_, status, body) = ask(&served, Some(&faults), accounts(&acme)).await;
    assert_eq!((status, &body["Code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("503 ServiceUnavailable")));
    assert_eq!(body["Errors"][0]["ErrorCode"], "UK.OBIE.UnexpectedError");
    let (_, status, body) = ask(&served, Some(&faults), accounts(&acme)).await;
    assert_eq!(
        (status, &body["Errors"][0]["ErrorCode"]),
        (StatusCode::CONFLICT, &json!("UK.OBIE.Rules.ResourceAlreadyExists"))
    );
    assert_eq!(ask(&served, Some(&faults), accounts(&acme)).await.1, StatusCode::OK);
    assert_eq!(shown(&faults), json!([{"operation": "GetParty", "status": 500}]));
    // An unauthenticated caller gets the usual response and uses up no fault.
    let faults = planted(&json!([{"status": 500, "count": 1}]));
    assert_eq!(ask(&served, Some(&faults), accounts("nonsense")).await.1, StatusCode::UNAUTHORIZED);
    assert_eq!(ask(&served, Some(&faults), accounts(&acme)).await.1, StatusCode::INTERNAL_SERVER_ERROR);
    faults.clear();
    assert_eq!(ask(&served, Some(&faults), accounts(&acme)).await.1, StatusCode::OK);
}

#[tokio::test]
async fn a_probability_decides_call_by_call() {
    let served = Served::new().await;
    let (_, token) = served.authorised("acme", &[Permission::ReadAccountsBasic]).await;
    for (probability, struck) in [(json!(0), 0), (json!(1), 40), (json!(0.5), 20)] {
        let faults = sandbox_faults(IdGenerator::new(Arc::<Alternating>::default(), Clocks::system()));
        let list = json!([{"probability": probability, "status": 500}]).to_string();
        faults.replace(read_faults(list.as_bytes(), &faults, known).unwrap());
        let mut count = 0;
        for _ in 0..40 {
            count +=
                i32::from(ask(&served, Some(&faults), accounts(&token)).await.1 == StatusCode::INTERNAL_SERVER_ERROR);
        }
        assert_eq!(count, struck, "{probability}");
    }
}

#[tokio::test]
async fn oauth_endpoints_answer_faults_in_their_own_form() {
    let served = Served::new().await;
    for (fault, status, error) in [
        (json!({"status": 503}), 503, "temporarily_unavailable"),
        (json!({"status": 500}), 500, "server_error"),
        (json!({"code": "invalid_grant"}), 400, "invalid_grant"),
        (json!({"operation": "POST /token", "code": "invalid_client", "status": 403}), 403, "invalid_client"),
    ] {
        let (_, found, body) = ask(&served, Some(&planted(&json!([fault]))), token_request()).await;
        assert_eq!((found.as_u16(), &body["error"]), (status, &json!(error)), "{fault}: {body}");
    }
}

#[tokio::test]
async fn a_connection_is_cut_before_the_work_or_after_it() {
    let served = Served::new().await;
    let before = ask(&served, Some(&planted(&json!([{"operation": "token", "cut": "before"}]))), token_request()).await;
    assert!(before.0 && before.2.get("access_token").is_none(), "{before:?}");
    let after = ask(&served, Some(&planted(&json!([{"operation": "token", "cut": "after"}]))), token_request()).await;
    assert!(after.0 && after.2["access_token"].is_string(), "{after:?}");
}

#[tokio::test]
async fn a_request_asks_for_its_own_fault_and_in_production_gets_none() {
    let served = Served::new().await;
    let (_, token) = served.authorised("acme", &[Permission::ReadAccountsBasic]).await;
    let asking = |value: &str| {
        let mut request = accounts(&token);
        request.headers_mut().insert(FAULT_HEADER_TEXT, value.parse().unwrap());
        request
    };
    let faults = no_faults();
    for (value, status) in [
        ("status=503", 503),
        ("status=404; code=U011", 404),
        ("code=UK.OBIE.Reauthenticate,delay_ms=1", 403),
        ("expired_token=true", 401),
        ("delay_ms=1", 200),
        ("status=20", 400),
        ("status", 400),
        ("colour=blue", 400),
        ("wrong_signature=true", 400),
        ("", 400),
    ] {
        assert_eq!(ask(&served, Some(&faults), asking(value)).await.1.as_u16(), status, "{value}");
        assert_eq!(ask(&served, None, asking(value)).await.1, StatusCode::OK, "{value}");
    }
    let (_, _, body) = ask(&served, Some(&faults), asking("status=20")).await;
    let error = &body["Errors"][0];
    assert_eq!((&error["ErrorCode"], &error["Path"]), (&json!("UK.OBIE.Header.Invalid"), &json!(FAULT_HEADER_TEXT)));
    assert!(ask(&served, Some(&faults), asking("cut=before")).await.0);
}

#[test]
fn every_code_of_oauth_is_found_by_its_name() {
    for code in [OAuthErrorCode::InvalidGrant, OAuthErrorCode::TemporarilyUnavailable] {
        assert_eq!(OAuthErrorCode::from_name(code.name()), Some(code));
    }
    assert_eq!(OAuthErrorCode::from_name("nonsense"), None);
}

#[test]
fn a_client_plants_and_removes_faults_on_its_own_calls_alone() {
    let injection = no_faults();
    let client = ClientId::new("own");
    let members = |text: &str| serde_json::from_str::<Value>(text).unwrap().as_object().unwrap().clone();
    let all = br#"[{"client_id":"other","status":503},{"status":500}]"#;
    injection.replace(read_faults(all, &injection, known).unwrap());
    for text in [r#"{"status":429,"client_id":"other"}"#, r#"{"operation":"GetAccounts","delay_ms":5}"#] {
        add_client_fault(&injection, &client, members(text)).unwrap();
    }
    let own = || list_client_faults(&injection, &client);
    assert_eq!(own(), ["Every call: answered 429", "GetAccounts: delayed by 5 ms"], "the client is its own");
    let faults = add_client_fault(&injection, &client, members(r#"{"status":200}"#)).unwrap_err();
    assert_eq!((faults[0].path.as_str(), own().len()), ("[0].status", 2));
    remove_client_faults(&injection, &client, Some(0));
    assert_eq!(own().len(), 1);
    remove_client_faults(&injection, &client, None);
    assert_eq!((own().len(), injection.list().len()), (0, 2), "those of others stay");
    let add = |client: &ClientId| add_client_fault(&injection, client, members(r#"{"status":429}"#));
    for _ in 0..CLIENT_FAULTS_MAX {
        add(&client).unwrap();
    }
    assert!(add(&client).unwrap_err()[0].message.contains("its share"));
    for number in 0..FAULTS_MAX - CLIENT_FAULTS_MAX - 2 {
        add(&ClientId::new(format!("other-{number}"))).unwrap();
    }
    assert!(add(&ClientId::new("late")).unwrap_err()[0].message.contains("those of other applications included"));
}
