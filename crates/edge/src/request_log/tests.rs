mod masks;

use super::body::RecordedBody;
use super::owner::RecordOwner;
use super::queues::{RecordBounds, RecordQueues};
use super::record::{Record, RecordedMessage};
use super::{
    BodyIsCached, MessageView, RecordedClients, RecordedRoutes, RequestLog, RequestLogSettings, RequestPage,
    RequestQuery, RequestRecorder, RequestView, StatusFilter,
};
use crate::layers::{ClientForLog, HeaderLimits, INTERACTION_ID, LayerContext, apply_layers};
use axum::body::{Body, to_bytes};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Extension, Router};
use bytes::Bytes;
use futures_util::FutureExt;
use http::{Request, StatusCode};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use lombard_ports::clock::{Clock, Clocks};
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use parking_lot::Mutex;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt;

const TOKEN: &str = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5hJ7kL9m";
const ACCOUNT: &str = "20000055779911";

#[derive(Debug)]
struct FixedClock(Mutex<Timestamp>);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock()
    }
}

fn settings(recorded: RecordedClients) -> RequestLogSettings {
    RequestLogSettings {
        bytes_max: 100_000,
        client_bytes_max: 25_000,
        body_bytes_max: 256,
        age_max: SignedDuration::from_mins(10),
        recorded,
    }
}

fn log(recorded: RecordedClients) -> (Arc<RequestLog>, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock(Mutex::new(Timestamp::UNIX_EPOCH)));
    (Arc::new(RequestLog::new(settings(recorded), Clocks::new(Arc::clone(&clock) as Arc<dyn Clock>))), clock)
}

fn all() -> RequestQuery {
    RequestQuery { limit: 100, ..RequestQuery::default() }
}

fn record(target: &str, body_bytes: usize) -> Record {
    let body = RecordedBody::of_read(vec![b' '; body_bytes].into(), usize::MAX, false);
    let response = RecordedMessage { body, ..RecordedMessage::default() };
    Record { target: target.to_owned(), status: 200, interaction: Some("i".into()), response, ..Record::default() }
}

fn client(name: &str) -> RecordOwner {
    RecordOwner::Client(name.into())
}

#[test]
fn what_only_a_certificate_attributes_is_found_by_its_holders_alone() {
    let (log, _) = log(RecordedClients::All);
    let holders = ["one", "two"].map(ClientId::new);
    log.add(client("one"), Record { holders: holders[..1].into(), ..record("/one", 1) });
    let shared = RecordOwner::Certificate(Digest([7; 32]));
    log.add(shared, Record { holders: holders.clone().into(), error_id: Some("e".into()), ..record("/shared", 1) });
    log.add(RecordOwner::Anonymous, record("/nobody", 1));
    let found = |client: Option<&str>, id: Option<&str>| {
        let query = RequestQuery { client_id: client.map(ClientId::new), interaction_id: id.map(Into::into), ..all() };
        let shown = |it: RequestView| (it.path, it.client_id.unwrap_or_default(), it.by_certificate);
        log.page(&query).requests.into_iter().map(shown).collect::<Vec<_>>()
    };
    let row = |path: &str, client: &str, by: bool| (path.to_owned(), client.to_owned(), by);
    assert_eq!(found(Some("one"), None), [row("/shared", "one", true), row("/one", "one", true)]);
    assert_eq!(found(Some("two"), None), [row("/shared", "two", true)]);
    assert!(found(Some("other"), None).is_empty());
    let rows = [row("/nobody", "", false), row("/shared", "", true), row("/one", "one", true)];
    assert_eq!(found(None, None), rows);
    assert_eq!(found(None, Some("e")), [row("/shared", "", true)], "by the id of the error");
    assert!(found(Some("other"), Some("e")).is_empty());
    assert!(log.find_of_client(&"two".into(), 2).is_some());
    assert!(log.find_of_client(&"two".into(), 1).is_none());
    let listed = RecordedClients::Only([ClientId::new("two")].into());
    assert!(listed.include_all(&holders[1..]) && RecordedClients::All.include_all(&holders));
    assert!(!listed.include_all(&holders), "it may be of one that is not recorded");
}

#[test]
fn a_client_displaces_its_own_records_and_the_largest_gives_way() {
    let mut queues = RecordQueues::new(RecordBounds { all: 100_000, owner: 50_000 });
    let targets = |queues: &RecordQueues, begin: &str| {
        let query = RequestQuery { path_prefix: Some(begin.to_owned()), limit: 10_000, ..RequestQuery::default() };
        queues.find(&query).iter().map(|it| it.target.clone()).collect::<Vec<_>>()
    };
    queues.add(client("quiet"), record("quiet", 10));
    for n in 0..1000 {
        queues.add(client("loud"), record(&format!("loud {n}"), 1000));
    }
    assert_eq!(targets(&queues, "quiet"), ["quiet"], "one TPP does not push out another");
    let loud = targets(&queues, "loud");
    assert!(loud.len() > 20 && queues.bytes() <= 51_000, "{} {}", loud.len(), queues.bytes());
    let expected: Vec<_> = (0..loud.len()).map(|back| format!("loud {}", 999 - back)).collect();
    assert_eq!(loud, expected, "the newest, without a gap");
    // Many owners reach the total limit together: the owner with the most bytes loses records.
    for n in 0..200 {
        for name in ["a", "b", "c", "d"] {
            queues.add(client(name), record(&format!("{name} {n}"), 1000));
        }
    }
    assert_eq!(targets(&queues, "quiet"), ["quiet"]);
    assert!(queues.bytes() <= 100_000 && targets(&queues, "d").len() > 10);
    // Many owners have one record each: the oldest of all are dropped.
    for n in 0..500 {
        queues.add(client(&format!("x{n}")), record("single", 1000));
    }
    assert!(queues.bytes() <= 100_000 && targets(&queues, "single").len() > 50, "{}", queues.bytes());
    queues.add(client("huge"), record("huge", 200_000));
    assert_eq!(targets(&queues, "huge"), ["huge"], "the newest record is kept, however large");
    queues.drop_before(1);
    assert_eq!((queues.bytes(), targets(&queues, "").len()), (0, 0));
    assert_eq!(queues.last(), 1 + 1000 + 800 + 500 + 1);
    for n in 0..500 {
        queues.add(client(&format!("y{n}")), record("single", 1000));
        queues.add(client("first and last"), record(&format!("newest {n}"), 1));
        assert_eq!(targets(&queues, "newest").first(), Some(&format!("newest {n}")));
    }
}

#[test]
fn records_count_with_their_bodies_and_leave_memory_when_they_are_too_old() {
    let mut queues = RecordQueues::new(RecordBounds { all: 1 << 20, owner: 1 << 19 });
    for at_micros in 0..200 {
        for owner in ["loud", "louder"] {
            queues.add(client(owner), Record { at_micros, ..record(owner, 30_000) });
        }
        assert!(queues.bytes() <= 1 << 20, "{}", queues.bytes());
    }
    for oldest in [190, 199] {
        queues.drop_before(oldest);
        let found = queues.find(&all());
        let times: Vec<_> = found.iter().filter(|it| it.target == "loud").map(|it| it.at_micros).collect();
        assert_eq!(times, (oldest..200).rev().collect::<Vec<_>>());
    }
    assert!((60_000..70_000).contains(&queues.bytes()), "one record of each: {}", queues.bytes());
    queues.drop_before(200);
    assert_eq!(queues.bytes(), 0);
}

#[tokio::test]
async fn a_read_answer_is_shown_up_to_the_bound_whether_copied_or_shared() {
    let bounds = RequestLogSettings {
        bytes_max: 1 << 24,
        client_bytes_max: 1 << 22,
        body_bytes_max: 2_000,
        ..settings(RecordedClients::All)
    };
    let log = Arc::new(RequestLog::new(bounds, Clocks::system()));
    let cases = [(1, true), (100, true), (150, false), (1_000, false), (10_000, false)];
    for ((count, is_whole), is_kept) in cases.into_iter().flat_map(|case| [(case, false), (case, true)]) {
        let whole = json!({"Data": vec![json!({"Status": "a"}); count]});
        let bytes = Bytes::from(whole.to_string().into_bytes().into_boxed_slice());
        let answer = bytes.clone();
        let read = move || async move {
            let mut answer = ([("content-type", "application/json")], answer).into_response();
            is_kept.then(|| answer.extensions_mut().insert(BodyIsCached));
            answer
        };
        let routes = Router::new().route("/open-banking/v4.0/aisp/accounts", get(read));
        let router = router_of(routes, &log, RecordedRoutes::All);
        assert_eq!(send(&router, Request::get("/open-banking/v4.0/aisp/accounts"), "").await.1, whole.to_string());
        let shown = log.page(&all()).requests.remove(0).response;
        assert_eq!((shown.truncated, shown.body == whole), (!is_whole, is_whole), "{count}");
        let first = shown.body["Data"].as_array().unwrap();
        let least = if is_whole { count } else { 120 };
        assert!((least..=150).contains(&first.len()) && first[0] == json!({"Status": "a"}), "{}", first.len());
    }
}

#[test]
fn records_of_many_threads_are_found_at_once() {
    let bounds = RequestLogSettings { bytes_max: 1 << 20, client_bytes_max: 1 << 20, ..settings(RecordedClients::All) };
    let log = RequestLog::new(bounds, Clocks::new(Arc::new(FixedClock(Mutex::new(Timestamp::UNIX_EPOCH)))));
    let threads = 4_u64;
    let rounds = 8_u64;
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let log = &log;
            scope.spawn(move || {
                for round in 0..rounds {
                    let target = format!("/{round}/{thread}/");
                    log.add(RecordOwner::Anonymous, record(&target, 50));
                    let newest = log.page(&RequestQuery { path_prefix: Some(target), ..all() });
                    assert_eq!(newest.requests.len(), 1, "a record is found as soon as it is made");
                }
            });
        }
    });
    let page = log.page(&RequestQuery { limit: 1000, ..all() });
    assert_eq!((page.requests.len() as u64, page.next), (threads * rounds, threads * rounds), "each once");
}

fn router(log: &Arc<RequestLog>, routes: RecordedRoutes) -> Router {
    let read = |Extension(known): Extension<ClientForLog>| async move {
        known.set(&ClientId::new("reader"));
        axum::Json(json!({"Data": {"AccountId": "a-1", "Name": "Amelia", "Identification": ACCOUNT}}))
    };
    let form = |body: String| async move { axum::Json(json!({"access_token": TOKEN, "echo": body, "expires_in": 60})) };
    let routes_of_test = Router::new()
        .route("/open-banking/v3.1/aisp/accounts", get(read))
        .route("/token", post(form))
        .route("/authorize", get(|| async { "page" }))
        .route(
            "/stream",
            get(|| async {
                let pieces = ["{\"Status\":", "\"a\"}"].map(|piece| Ok::<_, std::io::Error>(Bytes::from(piece)));
                ([("content-type", "application/json")], Body::from_stream(futures_util::stream::iter(pieces)))
            }),
        )
        .route("/held", get(std::future::pending::<()>));
    router_of(routes_of_test, log, routes)
}

fn router_of(routes_of_test: Router, log: &Arc<RequestLog>, routes: RecordedRoutes) -> Router {
    let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
    let recorder = Some(RequestRecorder { log: Arc::clone(log), routes, holders: None });
    let headers = HeaderLimits { bytes_max: 2048, fields_max: 8 };
    apply_layers(routes_of_test, LayerContext { recorder, ..LayerContext::new("test", ids, headers) })
}

async fn send(router: &Router, request: http::request::Builder, body: &str) -> (StatusCode, String) {
    let mut request = request.body(Body::from(body.to_owned())).unwrap();
    request.headers_mut().entry(http::header::HOST).or_insert(http::HeaderValue::from_static("localhost"));
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    (status, String::from_utf8(to_bytes(response.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn a_request_is_recorded_as_it_was_answered_and_shown_masked() {
    let (log, _) = log(RecordedClients::All);
    let router = router(&log, RecordedRoutes::All);
    let read = Request::get("/open-banking/v3.1/aisp/accounts").header(INTERACTION_ID, "i-1");
    let (_, answer) = send(&router, read, "").await;
    assert!(answer.contains(ACCOUNT), "the answer itself is not masked");
    let post = Request::post("/token").header("content-type", "application/x-www-form-urlencoded");
    let secret = "grant_type=password&password=hunter2&client_assertion=e.y.j&a=b";
    let (_, answer) = send(&router, post.header(INTERACTION_ID, "i-2"), secret).await;
    assert!(answer.contains(TOKEN) && answer.contains("hunter2"));
    let (_, streamed) = send(&router, Request::get("/stream"), "").await;
    assert_eq!(streamed, r#"{"Status":"a"}"#);
    let two_hosts = Request::get("/nowhere").header("host", "a").header("host", "b");
    assert_eq!(send(&router, two_hosts, "").await.0, StatusCode::BAD_REQUEST);
    assert!(send(&router, Request::get("/held"), "").now_or_never().is_none());

    let RequestPage { requests, next } = log.page(&all());
    let rows: Vec<_> = requests.iter().map(|it| (it.method.as_str(), it.path.as_str(), it.status)).collect();
    let expected = [
        ("GET", "/held", 499),
        ("GET", "/nowhere", 400),
        ("GET", "/stream", 200),
        ("POST", "/token", 200),
        ("GET", "/open-banking/v3.1/aisp/accounts", 200),
    ];
    assert_eq!((rows.as_slice(), next), (expected.as_slice(), 5));
    let [_, refused, streamed, form, read] = requests.as_slice() else { unreachable!() };
    assert_eq!((refused.refused_by.as_deref(), refused.client_id.as_deref()), (Some("TLS-015"), None));
    assert_eq!(refused.reason.as_deref(), Some("The request names more than one host."));
    assert_eq!(streamed.response.body, json!("[masked]"), "what was not there as a whole is not kept");
    assert_eq!((read.client_id.as_deref(), read.interaction_id.as_str()), (Some("reader"), "i-1"));
    let data = json!({"Data": {"AccountId": "a-1", "Name": "[masked]", "Identification": "[masked]9911"}});
    assert_eq!((&read.response.body, read.response.truncated), (&data, false));
    assert_eq!(read.response.headers["x-fapi-interaction-id"], "i-1");
    let sent =
        json!({"grant_type": "password", "password": "[masked]", "client_assertion": "[masked]", "a": "[masked]"});
    assert_eq!(form.request.body, sent);
    let answered = json!({"access_token": "[masked]", "echo": "[masked]", "expires_in": 60});
    assert_eq!(form.response.body, answered);
    let mut names: Vec<_> = json!(read).as_object().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names.join(" "), "at client_id duration_ms interaction_id method path request response status");
}

#[tokio::test]
async fn of_a_long_body_the_beginning_is_kept() {
    let (log, _) = log(RecordedClients::All);
    let router = router(&log, RecordedRoutes::All);
    let post = || Request::post("/token").header("content-type", "application/json");
    let body = json!({"Status": "a".repeat(30), "X": "b ".repeat(600)}).to_string();
    let (_, answer) = send(&router, post(), &body).await;
    assert!(answer.len() > body.len(), "the handler gets all of it");
    let MessageView { body, truncated, .. } = log.page(&all()).requests.remove(0).request;
    assert_eq!((body, truncated), (json!({"Status": "a".repeat(30), "X": null}), true));
}

#[tokio::test]
async fn only_listed_clients_and_requests_of_tpps_are_recorded() {
    let reader = ClientId::new("reader");
    let other = ClientId::new("other");
    for (recorded, count) in [(vec![reader], 1), (vec![other], 0)] {
        let (log, _) = log(RecordedClients::Only(recorded.into_iter().collect()));
        let router = router(&log, RecordedRoutes::All);
        send(&router, Request::get("/open-banking/v3.1/aisp/accounts"), "").await;
        send(&router, Request::get("/stream"), "").await;
        assert_eq!(log.page(&all()).requests.len(), count);
    }
    let (log, _) = log(RecordedClients::All);
    let router = router(&log, RecordedRoutes::Authorisation);
    send(&router, Request::get("/stream"), "").await;
    send(&router, Request::get("/authorize?client_id=c&request=e.y.j"), "").await;
    let paths: Vec<_> = log.page(&all()).requests.into_iter().map(|it| it.path).collect();
    assert_eq!(paths, ["/authorize?client_id=c&request=[masked]"]);
}

#[tokio::test]
async fn records_are_found_followed_and_dropped_with_age() {
    let (log, clock) = log(RecordedClients::All);
    let router = router(&log, RecordedRoutes::All);
    let read = |id: &str| Request::get("/open-banking/v3.1/aisp/accounts").header(INTERACTION_ID, id);
    for id in ["a", "b", "a"] {
        send(&router, read(id), "").await;
    }
    send(&router, Request::get("/absent").header(INTERACTION_ID, "a"), "").await;
    let count = |query: RequestQuery| log.page(&query).requests.len();
    assert_eq!(count(RequestQuery { interaction_id: Some("a".into()), ..all() }), 3);
    assert_eq!(count(RequestQuery { client_id: Some("reader".into()), ..all() }), 3);
    assert_eq!(count(RequestQuery { status: StatusFilter::parse("404"), ..all() }), 1);
    let met = RequestQuery { interaction_id: Some("a".into()), status: StatusFilter::parse("2xx"), ..all() };
    assert_eq!(count(met), 2);
    // The newest of all; behind a number, the first ones of these, and where to go on.
    let newest = log.page(&RequestQuery { limit: 1, ..all() });
    assert_eq!((newest.requests[0].path.as_str(), newest.next), ("/absent", 4));
    let first = log.page(&RequestQuery { after: Some(0), limit: 2, ..all() });
    assert_eq!((first.requests[0].interaction_id.as_str(), first.requests.len(), first.next), ("b", 2, 2));

    let refused = RequestQuery { is_refused: true, ..all() };
    assert_eq!(count(refused), log.page(&all()).requests.iter().filter(|it| it.refused_by.is_some()).count());
    assert_eq!(count(RequestQuery { path_prefix: Some("/abs".to_owned()), ..all() }), 1);
    // Lists go on before a number; a client finds its own records alone.
    let listed = log.list_numbered(&RequestQuery { before: Some(3), ..all() });
    assert_eq!(listed.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 1]);
    let own = log.find_of_client(&"reader".into(), 2).unwrap();
    assert_eq!(own.interaction_id, "b");
    assert_eq!((log.find_of_client(&"other".into(), 2), log.find_of_client(&"reader".into(), 9)), (None, None));

    let follow = RequestQuery { after: Some(4), status: StatusFilter::parse("200"), ..all() };
    let waiting = log.wait_for_page(&follow, Duration::from_secs(3600));
    tokio::pin!(waiting);
    assert!(waiting.as_mut().now_or_never().is_none());
    send(&router, Request::get("/absent"), "").await;
    assert!(waiting.as_mut().now_or_never().is_none(), "another status");
    send(&router, read("c"), "").await;
    let page = waiting.await;
    assert_eq!((page.requests[0].interaction_id.as_str(), page.next), ("c", 6));
    let none = log.wait_for_page(&RequestQuery { after: Some(6), ..all() }, Duration::ZERO).await;
    assert_eq!((none.requests.len(), none.next), (0, 6));

    *clock.0.lock() += SignedDuration::from_mins(10);
    assert_eq!(count(all()), 6, "a record is kept for all of its time");
    *clock.0.lock() += SignedDuration::from_micros(1);
    assert_eq!(count(all()), 0);
}
