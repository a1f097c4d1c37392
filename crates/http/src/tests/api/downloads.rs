//! Downloads of files: responses that are signed, sent in pieces, and complete or not sent.

use super::body_stream::Plenty;
use crate::test_app::{FILE_BYTES_MAX, Served};
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, middleware};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use http::{Request, header};
use http_body_util::BodyExt;
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::error::ApiError;
use lombard_edge::signing::{sign_responses, signed_stream_response};
use lombard_jose::DetachedJws;
use lombard_service::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tower::ServiceExt;

const CRITICAL: [&str; 3] =
    ["http://openbanking.org.uk/iat", "http://openbanking.org.uk/iss", "http://openbanking.org.uk/tan"];

type Pieces = BoxStream<'static, Result<Bytes, Failure>>;

/// A stored file that can be read several times and counts the readings.
#[derive(Clone)]
struct Kept {
    media: &'static str,
    reads: Arc<AtomicUsize>,
    pieces: Arc<dyn Fn(usize) -> Pieces + Send + Sync>,
}

impl Kept {
    fn new(media: &'static str, pieces: impl Fn(usize) -> Pieces + Send + Sync + 'static) -> Self {
        Self { media, reads: Arc::default(), pieces: Arc::new(pieces) }
    }

    /// A file whose first and second reading return these texts.
    fn texts(first: &'static [&'static str], second: &'static [&'static str]) -> Self {
        let of = |texts: &'static [&'static str]| texts.iter().map(|text| Ok(Bytes::from_static(text.as_bytes())));
        Self::new("text/xml; charset=utf-8", move |time| stream::iter(of([first, second][time])).boxed())
    }
}

async fn download(State(app): State<App>, Extension(kept): Extension<Kept>) -> Response {
    let pieces = || (kept.pieces)(kept.reads.fetch_add(1, Ordering::SeqCst));
    let answer = signed_stream_response(&app, kept.media, pieces).await;
    answer.unwrap_or_else(|error: ApiError| error.respond(&app, Version::V3_1))
}

/// The response, whose body has not been read.
async fn ask(app: &App, kept: Kept) -> Response {
    let signed = get(download).layer(middleware::from_fn_with_state(app.clone(), sign_responses));
    let router = Router::new().route("/file", signed).layer(Extension(kept)).with_state(app.clone());
    router.oneshot(Request::get("/file").body(Body::empty()).unwrap()).await.unwrap()
}

fn signature(answer: &Response) -> DetachedJws {
    DetachedJws::parse(answer.headers()["x-jws-signature"].to_str().unwrap()).unwrap()
}

#[tokio::test]
async fn pis_073_pis_074_file_020_a_file_is_signed_and_sent_as_it_is_kept() {
    let served = Served::new().await;
    for (media, cty) in [
        ("text/xml; charset=utf-8", "text/xml"),
        ("application/xml", "application/xml"),
        ("application/json", "application/json"),
    ] {
        let kept = Kept::new(media, |_| stream::iter(["<Docu", "", "ment/>\n"]).map(|it| Ok(it.into())).boxed());
        let answer = ask(&served.app, kept.clone()).await;
        assert_eq!((answer.status().as_u16(), &answer.headers()[header::CONTENT_TYPE]), (200, &media.parse().unwrap()));
        assert_eq!(answer.headers()[header::CONTENT_LENGTH], "12");
        let jws = signature(&answer);
        assert_eq!((jws.header().cty.as_deref(), &jws.header().extra[CRITICAL[1]]), (Some(cty), &"bank".into()));
        assert!(jws.header().extra.get("b64").is_none(), "RW-203");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert_eq!(body, "<Document/>\n");
        jws.verify(&body, &served.app.auth.keys.verification_keys(), &CRITICAL).unwrap();
        assert_eq!(kept.reads.load(Ordering::SeqCst), 2);
    }
}

#[tokio::test]
async fn a_large_file_is_never_held() {
    let served = Served::new().await;
    let plenty = Plenty::of(FILE_BYTES_MAX);
    let source = plenty.clone();
    let answer = ask(&served.app, Kept::new("text/xml", move |_| stream::iter(source.clone()).map(Ok).boxed())).await;
    assert_eq!(answer.headers()[header::CONTENT_LENGTH], FILE_BYTES_MAX.to_string());
    let jws = signature(&answer);
    let mut pieces = answer.into_body().into_data_stream();
    let mut received = Vec::new();
    while let Some(piece) = pieces.try_next().await.unwrap() {
        received.extend_from_slice(&piece);
    }
    assert_eq!(received.len() as u64, FILE_BYTES_MAX);
    assert!(plenty.most_held() <= 2, "{} pieces were held at a time", plenty.most_held());
    jws.verify(&received, &served.app.auth.keys.verification_keys(), &CRITICAL).unwrap();
}

/// The announced length, the received text, and whether the body failed.
async fn received(answer: Response) -> (u64, String, bool) {
    let mut body = answer.into_body();
    let announced = body.size_hint().exact().unwrap();
    let mut text = String::new();
    loop {
        match body.frame().await {
            None => return (announced, text, false),
            Some(Ok(frame)) => text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap()),
            Some(Err(_)) => {
                assert!(body.frame().await.is_none(), "nothing follows");
                return (announced, text, true);
            }
        }
    }
}

#[tokio::test]
async fn what_has_changed_between_signing_and_sending_is_cut_before_its_end() {
    let served = Served::new().await;
    let cases: [(&[&str], &str, bool); 8] = [
        (&["abc", "def", "g"], "abcdefg", false),
        (&["abcdefg"], "abcdefg", false),
        (&["ab", "cdefg", "and more"], "abcdefg", false),
        (&["abc", "def", "h"], "abcdef", true),
        (&["Abc", "def", "g"], "Abcdef", true),
        (&["abc", "def"], "abcdef", true),
        (&["abc", "defgh"], "abc", true),
        (&[], "", true),
    ];
    for (second, expected, cut) in cases {
        let answer = ask(&served.app, Kept::texts(&["abc", "def", "g"], second)).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(received(answer).await, (7, expected.to_owned(), cut), "{second:?}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_again_is_cut() {
    let served = Served::new().await;
    let kept = Kept::new("text/xml", |time| {
        let lost = || Err(Failure::Unavailable("the store has gone".into()));
        let second = if time == 0 { Ok(Bytes::from("def")) } else { lost() };
        stream::iter([Ok(Bytes::from("abc")), second]).boxed()
    });
    assert_eq!(received(ask(&served.app, kept).await).await, (6, "abc".to_owned(), true));
}

#[tokio::test]
async fn a_file_that_cannot_be_read_at_first_is_an_answer_like_any_other() {
    let served = Served::new().await;
    let busy = || Err(Failure::Unavailable("busy".into()));
    let kept = Kept::new("text/xml", move |_| stream::iter([Ok(Bytes::from("abc")), busy()]).boxed());
    let answer = ask(&served.app, kept.clone()).await;
    assert_eq!((answer.status().as_u16(), kept.reads.load(Ordering::SeqCst)), (503, 1));
    assert_eq!(signature(&answer).header().cty.as_deref(), Some("application/json"), "RW-135");
    let unnamed = ask(&served.app, Kept::new("text/xml\n", |_| stream::empty().boxed())).await;
    assert_eq!(unnamed.status(), 500);
}

#[tokio::test]
async fn rw_135_a_file_without_a_byte_is_not_signed() {
    let served = Served::new().await;
    let answer = ask(&served.app, Kept::texts(&[], &[])).await;
    assert_eq!(answer.status(), 200);
    assert!(answer.headers().get("x-jws-signature").is_none());
    assert_eq!(received(answer).await, (0, String::new(), false));
}

#[tokio::test]
async fn pis_073_what_cannot_be_signed_is_not_sent() {
    let served = Served::without_key().await;
    let answer = ask(&served.app, Kept::texts(&["abc"], &["abc"])).await;
    assert_eq!(answer.status(), 500);
    assert!(answer.into_body().collect().await.unwrap().to_bytes().is_empty());
}
