mod masks;

use super::body::{BodyBeside, RecordedBody};
use super::inbox::ArrivedRecord;
use super::owner::RecordOwner;
use super::record::{Record, RecordedMessage};
use super::ring::{RecordRange, Ring, RingBounds};
use super::{
    BodyIsKept, MessageView, RecordedClients, RecordedRoutes, RequestLog, RequestLogSettings, RequestPage,
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
use std::sync::{Arc, Barrier};
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

fn record<'r>(target: &'r str, body: &'r [u8]) -> Record<'r> {
    let response = RecordedMessage { body: RecordedBody::Sent(body, true), ..RecordedMessage::default() };
    Record { method: "GET", target, status: 200, interaction: "i", response, ..Record::default() }
}

#[test]
fn what_only_a_certificate_attributes_is_found_by_its_holders_alone() {
    let (log, _) = log(RecordedClients::All);
    let add = |owner, record: &Record<'_>| log.add(owner, record);
    add(RecordOwner::Client("one"), &Record { holders: vec!["one"], ..record("/one", b"1") });
    let shared = RecordOwner::Certificate(Digest([7; 32]));
    add(shared, &Record { holders: vec!["one", "two"], error_id: Some("e"), ..record("/shared", b"1") });
    add(RecordOwner::Anonymous, &record("/nobody", b"1"));
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
    let holders = ["one", "two"].map(ClientId::new);
    assert_eq!(*listed.among(&holders[1..]), [ClientId::new("two")]);
    assert_eq!(*listed.among(&holders), [], "it may be of one that is not recorded");
    assert_eq!(RecordedClients::All.among(&holders).len(), 2);
}

fn add(ring: &mut Ring, owner: RecordOwner<'_>, record: &Record<'_>) {
    let (at_micros, beside) = (record.at_micros, record.beside.cloned());
    ring.add(ArrivedRecord { owner: &owner.key(), at_micros, written: &record.write(), beside });
}

#[test]
fn a_client_displaces_its_own_records_and_the_largest_gives_way() {
    let mut ring = Ring::new(RingBounds { all: 100_000, owner: 50_000 });
    let targets = |ring: &Ring, begin: &str| {
        let range = RecordRange { client: None, after: None, before: None };
        let found = ring.find(&range, 10_000, |it| it.target.starts_with(begin));
        found.iter().map(|it| it.record().unwrap().target.to_owned()).collect::<Vec<_>>()
    };
    let body = |bytes: usize| vec![b' '; bytes];
    add(&mut ring, RecordOwner::Client("quiet"), &record("quiet", &body(10)));
    for n in 0..1000 {
        add(&mut ring, RecordOwner::Client("loud"), &record(&format!("loud {n}"), &body(1000)));
    }
    assert_eq!(targets(&ring, "quiet"), ["quiet"], "one TPP does not push out another");
    let loud = targets(&ring, "loud");
    assert!(loud.len() > 20 && ring.bytes() <= 51_000 && loud[0] == "loud 999", "{} {}", loud.len(), ring.bytes());
    let expected: Vec<_> = (0..loud.len()).map(|back| format!("loud {}", 999 - back)).collect();
    assert_eq!(loud, expected, "the newest, without a gap");
    // Many at their bound together: whoever has most gives way.
    for n in 0..200 {
        for name in ["a", "b", "c", "d"] {
            add(&mut ring, RecordOwner::Client(name), &record(&format!("{name} {n}"), &body(1000)));
        }
    }
    assert_eq!(targets(&ring, "quiet"), ["quiet"]);
    assert!(ring.bytes() <= 100_000 && targets(&ring, "d").len() > 10);
    // Many with one record each: the oldest of all give way.
    for n in 0..500 {
        add(&mut ring, RecordOwner::Client(&format!("x{n}")), &record("single", &body(1000)));
    }
    assert!(ring.bytes() <= 100_000 && targets(&ring, "single").len() > 50, "{}", ring.bytes());
    add(&mut ring, RecordOwner::Client("huge"), &record("huge", &body(200_000)));
    assert_eq!(targets(&ring, "huge"), ["huge"], "the newest record is kept, however large");
    ring.drop_before(1);
    assert_eq!((ring.bytes(), targets(&ring, "").len()), (0, 0));
    assert_eq!(ring.last(), 1 + 1000 + 800 + 500 + 1);
    // An owner whose chunk is begun before those of many others and filled after them.
    add(&mut ring, RecordOwner::Client("first and last"), &record("first", &body(10)));
    for n in 0..500 {
        add(&mut ring, RecordOwner::Client(&format!("y{n}")), &record("single", &body(1000)));
        add(&mut ring, RecordOwner::Client("first and last"), &record(&format!("newest {n}"), &body(1)));
        assert_eq!(targets(&ring, "newest").first(), Some(&format!("newest {n}")));
    }
}

#[test]
fn bytes_beside_records_count_and_leave_memory_with_them() {
    let mut ring = Ring::new(RingBounds { all: 1 << 20, owner: 1 << 19 });
    let body = Bytes::from(vec![b' '; 30_000].into_boxed_slice());
    for n in 0..200 {
        let at_micros = i64::from(n);
        for (owner, copied) in [("loud", None), ("louder", None), ("copied", Some(9_000))] {
            let beside = BodyBeside { bytes: Bytes::copy_from_slice(&body), copied };
            let record = Record { at_micros, beside: Some(&beside), ..record("/x", b"") };
            add(&mut ring, RecordOwner::Client(owner), &record);
        }
        assert!(ring.bytes() <= (1 << 20) + 31_000, "{}", ring.bytes());
    }
    for (client, length, counts) in [("loud", 30_000, 8..=17), ("copied", 9_000, 20..=58)] {
        let client = ClientId::new(client);
        let range = RecordRange { client: Some(&client), after: None, before: None };
        let found = ring.find(&range, 100, |_| true);
        assert!(counts.contains(&found.len()), "{client}: {}", found.len());
        assert!(found.iter().all(|it| it.record().unwrap().beside.unwrap().bytes == body[..length]));
    }
    let before = ring.bytes();
    ring.drop_before(199);
    assert!(ring.bytes() < before / 2 && ring.bytes() > 60_000, "one record of each: {}", ring.bytes());
    ring.drop_before(200);
    assert_eq!(ring.bytes(), 0);
}

#[tokio::test]
async fn the_answer_to_a_read_is_shown_up_to_the_bound_whether_it_is_copied_or_shared() {
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
            is_kept.then(|| answer.extensions_mut().insert(BodyIsKept));
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
fn records_that_are_too_old_leave_memory_though_newer_ones_lie_beside_them() {
    let mut ring = Ring::new(RingBounds { all: 1 << 20, owner: 1 << 20 });
    for at_micros in 0..100 {
        add(&mut ring, RecordOwner::Anonymous, &Record { at_micros, ..record(&at_micros.to_string(), &[b'x'; 2000]) });
    }
    let full = ring.bytes();
    let range = RecordRange { client: None, after: None, before: None };
    for oldest in [1, 60, 99] {
        ring.drop_before(oldest);
        let times: Vec<_> = ring.find(&range, 100, |_| true).iter().map(|it| it.record().unwrap().at_micros).collect();
        assert_eq!(times, (oldest..100).rev().collect::<Vec<_>>());
    }
    assert!(ring.bytes() < full / 2, "{} {full}", ring.bytes());
}

#[test]
fn records_of_many_threads_are_found_at_once_in_the_order_of_their_answers() {
    let bounds = RequestLogSettings { bytes_max: 1 << 20, client_bytes_max: 1 << 20, ..settings(RecordedClients::All) };
    let log = RequestLog::new(bounds, Clocks::new(Arc::new(FixedClock(Mutex::new(Timestamp::UNIX_EPOCH)))));
    let (threads, rounds) = (4_u64, 8_u64);
    let turn = Barrier::new(usize::try_from(threads).unwrap());
    let add = |micros: u64, body: &[u8]| {
        let target = micros.to_string();
        let took = Duration::from_micros(micros);
        log.add(RecordOwner::Anonymous, &Record { took, ..record(&target, body) });
    };
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (turn, add, log) = (&turn, &add, &log);
            scope.spawn(move || {
                for round in 0..rounds {
                    // One long record in each round has no room in an inbox.
                    let body = if thread == round % threads { vec![b' '; 40_000] } else { vec![b' '; 50] };
                    add(round * 100 + thread, &body);
                    let newest =
                        log.page(&RequestQuery { path_prefix: Some((round * 100 + thread).to_string()), ..all() });
                    assert_eq!(newest.requests.len(), 1, "a record is found as soon as it is made");
                    turn.wait();
                }
            });
        }
    });
    let page = log.page(&RequestQuery { limit: 1000, ..all() });
    assert_eq!((page.requests.len() as u64, page.next), (threads * rounds, threads * rounds), "each once");
    // Nobody looks between these: the record that waits longest in an inbox is the first one all the same.
    let inboxes = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..inboxes as u64 {
            let add = &add;
            scope.spawn(move || {
                for n in 0..3 {
                    add(10_000 + n * 100 + thread, b"1");
                }
            });
        }
    });
    let after = RequestQuery { after: Some(page.next), ..all() };
    let times: Vec<u64> = log.page(&after).requests.iter().map(|it| it.path.parse().unwrap()).collect();
    assert!(times.is_sorted_by(|later, earlier| later > earlier), "{times:?}");
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
    apply_layers(
        routes_of_test,
        LayerContext { listener: "test", ids, headers, other_host: None, faults: None, recorder },
    )
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
    let (reader, other) = (ClientId::new("reader"), ClientId::new("other"));
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
