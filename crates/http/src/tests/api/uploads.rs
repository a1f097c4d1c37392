//! Uploads of files: the pipeline of bodies that are processed as they arrive. The handler here only returns what it received; the use-case
//! of files is tested in its own crate.

use super::body_stream::{PIECE_BYTES, Plenty};
use super::one;
use crate::test_app::{Answer, FILE_BYTES_MAX, Served, key, now};
use axum::Router;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::stream;
use http::{Request, request};
use lombard_api::catalogue::find_endpoint;
use lombard_api::extract::{AuthorisedCall, ClientOnly, FileUploadRequest, SignedUpload, with_pipeline};
use lombard_domain::grant::GrantSubject;
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use lombard_edge::App;
use lombard_edge::error::ApiError;
use lombard_jose::{DetachedSigner, JoseHeader, SignedPayload, SigningKey, message_header, sha256, sign_detached};
use lombard_ports::store::IdempotencyKey;
use serde_json::json;
use std::io;

const ROW: &str = "CreateFilePaymentConsentsConsentIdFile";
const PATH: &str = "/open-banking/v3.1/pisp/file-payment-consents/c-1/file";
const FILE: &str = "<Document>Zürich</Document>\n";
const XML: &str = "text/xml";

/// A handler that returns what it received. It inspects only the first piece.
async fn keep(call: AuthorisedCall<ClientOnly, FileUploadRequest>) -> Result<Response, ApiError> {
    let consent: String = call.path_id("ConsentId")?;
    let (call, mut upload) = call.split();
    let media = upload.media_type();
    let sent = upload.content_type().to_owned();
    let first = upload.next().await?.map_or(0, |piece| piece.len());
    let SignedUpload { idempotent_request: once, digest, bytes } = upload.finish(&call.app, &call.caller).await?;
    assert_eq!(once.body_digest, digest, "PIS-065");
    let IdempotencyKey { operation, key, .. } = once.key;
    let said = json!({"consent": consent, "media": media, "sent": sent, "first": first, "bytes": bytes,
        "digest": STANDARD.encode(digest.0), "operation": operation, "key": key});
    Ok(said.to_string().into_response())
}

/// A handler that ignores the refusal of a piece and responds with success.
async fn stubborn(call: AuthorisedCall<ClientOnly, FileUploadRequest>) -> Result<Response, ApiError> {
    let (call, mut upload) = call.split();
    while let Ok(Some(_)) = upload.next().await {}
    upload.finish(&call.app, &call.caller).await.map(|_| "kept".into_response())
}

fn router() -> Router<App> {
    let row = find_endpoint(ROW).unwrap();
    let path = row.full_path(Version::V3_1);
    let stubborn = with_pipeline(row, Version::V3_1, stubborn);
    Router::new().route(&path, with_pipeline(row, Version::V3_1, keep)).route("/stubborn", stubborn)
}

struct Uploads {
    served: Served,
    token: String,
}

impl Uploads {
    async fn new() -> Self {
        let served = Served::new().await;
        let token = served.token("acme", GrantSubject::Client, &[Scope::Payments]).await;
        Self { served, token }
    }

    async fn ask(&self, request: Request<Body>) -> Answer {
        self.served.ask_of(router(), request).await
    }

    /// A request with everything but signature and media type.
    fn post(&self, path: &str) -> request::Builder {
        let request = Request::post(path).header("authorization", format!("Bearer {}", self.token));
        request.header("x-idempotency-key", "k")
    }

    /// Uploads these pieces with this signature.
    async fn upload(&self, media: &str, signature: &str, pieces: Vec<io::Result<Bytes>>) -> Answer {
        let request = self.post(PATH).header("content-type", media).header("x-jws-signature", signature);
        self.ask(request.body(Body::from_stream(stream::iter(pieces))).unwrap()).await
    }
}

fn header(cty: Option<&str>) -> JoseHeader {
    let now = now().as_second();
    JoseHeader {
        cty: cty.map(str::to_owned),
        ..message_header(&"acme".into(), "org/acme", "openbanking.org.uk", SignedPayload::Json, now)
    }
}

fn signature(cty: &str, file: &[u8]) -> String {
    sign_detached(&key("acme"), &header(Some(cty)), file).unwrap()
}

fn cut(file: &str, size: usize) -> Vec<io::Result<Bytes>> {
    file.as_bytes().chunks(size).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect()
}

fn invalid() -> (u16, Vec<(String, Option<String>)>) {
    one(400, "UK.OBIE.Signature.Invalid", Some("x-jws-signature"))
}

#[tokio::test]
async fn file_005_pis_062_pis_074_a_chunked_file_is_hashed_and_verified_as_sent() {
    let uploads = Uploads::new().await;
    for size in [1, 10, FILE.len()] {
        let answer = uploads.upload("Text/XML; charset=utf-8", &signature(XML, FILE.as_bytes()), cut(FILE, size)).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        let expected = json!({"consent": "c-1", "media": XML, "sent": "Text/XML; charset=utf-8", "first": size,
            "bytes": FILE.len(), "digest": STANDARD.encode(sha256(FILE.as_bytes()).0), "key": "k",
            "operation": format!("POST {PATH}")});
        assert_eq!(answer.json(), expected);
    }
}

#[tokio::test]
async fn pis_062_rw_011_an_id_spelled_in_another_way_is_the_same_operation() {
    let uploads = Uploads::new().await;
    for spelled in [PATH.replace("c-1", "%63%2D%31"), PATH.replace("c-1", "c%2d1"), format!("{PATH}/")] {
        let request = uploads.post(spelled.trim_end_matches('/')).header("content-type", XML);
        let request = request.header("x-jws-signature", signature(XML, FILE.as_bytes()));
        let answer = uploads.ask(request.body(Body::from(FILE)).unwrap()).await.json();
        assert_eq!(answer["operation"], format!("POST {PATH}"), "{spelled}");
        assert_eq!(answer["consent"], "c-1");
    }
}

#[tokio::test]
async fn rw_217_rw_222_another_byte_key_or_length_is_refused_at_the_end() {
    let uploads = Uploads::new().await;
    let good = signature(XML, FILE.as_bytes());
    for changed in [FILE.replace('\n', " "), FILE.replace('\n', ""), format!("{FILE}\n"), FILE.replace("<D", "<d")] {
        let answer = uploads.upload(XML, &good, cut(&changed, 7)).await;
        assert_eq!(answer.errors(), invalid(), "{changed}");
    }
    let forged = SigningKey::generate().unwrap().with_id("acme".into());
    let forged = sign_detached(&forged, &header(Some(XML)), FILE.as_bytes()).unwrap();
    assert_eq!(uploads.upload(XML, &forged, cut(FILE, 7)).await.errors(), invalid());
    let unknown = JoseHeader { kid: Some("nobody".into()), ..header(Some(XML)) };
    let unknown = sign_detached(&key("acme"), &unknown, FILE.as_bytes()).unwrap();
    let of_nobody = one(400, "UK.OBIE.Signature.InvalidClaim", Some("kid"));
    assert_eq!(uploads.upload(XML, &unknown, cut(FILE, 7)).await.errors(), of_nobody);
    assert_eq!(uploads.upload(XML, &good, cut(FILE, 7)).await.status, 200);
}

/// Each step responds only when all earlier steps pass, and none of them waits for the file.
#[tokio::test]
async fn rw_025_pis_070_the_steps_before_a_file_is_read() {
    let uploads = Uploads::new().await;
    let ask = async |leave_out: &str, media: &str, signature: Option<String>| {
        let mut request = uploads.post(PATH).header("content-type", media);
        let headers = request.headers_mut().unwrap();
        headers.remove(leave_out);
        if let Some(signature) = signature {
            headers.insert("x-jws-signature", signature.parse().unwrap());
        }
        let never = stream::poll_fn(|_| -> std::task::Poll<Option<io::Result<Bytes>>> { panic!("the file is read") });
        uploads.ask(request.body(Body::from_stream(never)).unwrap()).await.errors()
    };
    assert_eq!(ask("authorization", XML, None).await, (401, vec![]), "step 3");
    assert_eq!(ask("content-type", XML, None).await, one(400, "UK.OBIE.Header.Missing", Some("Content-Type")));
    for media in ["text/plain", "application/octet-stream", "text/xml; charset=utf-16", "multipart/form-data"] {
        let unread = one(415, "UK.OBIE.Header.Invalid", Some("Content-Type"));
        assert_eq!(ask("", media, None).await, unread, "step 8, FILE-007: {media}");
    }
    let no_key = one(400, "UK.OBIE.Header.Missing", Some("x-idempotency-key"));
    assert_eq!(ask("x-idempotency-key", XML, None).await, no_key, "step 9");
    let at = |code: &str, place: &str| one(400, &format!("UK.OBIE.Signature.{code}"), Some(place));
    assert_eq!(ask("", XML, None).await, at("Missing", "x-jws-signature"), "step 10");
    assert_eq!(ask("", XML, Some("a.b.c".into())).await, at("Malformed", "x-jws-signature"));
    let with = |cty| Some(sign_detached(&key("acme"), &header(cty), b"").unwrap());
    assert_eq!(ask("", XML, with(None)).await, at("MissingClaim", "cty"), "T5");
    assert_eq!(ask("", XML, with(Some("application/json"))).await, at("InvalidClaim", "cty"), "PIS-074");
    assert_eq!(ask("", "application/xml", with(Some(XML))).await, at("InvalidClaim", "cty"), "PIS-074");
    let unencoded = sign_detached(&key("acme"), &header(Some(XML)).critical("b64", false), b"").unwrap();
    assert_eq!(ask("", XML, Some(unencoded)).await.1[0], at("InvalidClaim", "b64").1[0], "PIS-072");
}

#[tokio::test]
async fn t5_a_file_of_json_need_not_be_named() {
    let uploads = Uploads::new().await;
    for cty in [None, Some("json"), Some("application/json")] {
        let signature = sign_detached(&key("acme"), &header(cty), b"{}").unwrap();
        let answer = uploads.upload("application/json", &signature, cut("{}", 1)).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["media"]), (200, &json!("application/json")));
    }
    let named = uploads.upload("application/xml", &signature("application/xml", FILE.as_bytes()), cut(FILE, 9)).await;
    assert_eq!(named.json()["media"], "application/xml");
}

#[tokio::test]
async fn evt_012_rw_222_a_compressed_file_is_not_read() {
    let uploads = Uploads::new().await;
    let request = uploads.post(PATH).header("content-type", XML).header("content-encoding", "gzip");
    let request = request.header("x-jws-signature", signature(XML, FILE.as_bytes())).body(Body::from(FILE)).unwrap();
    assert_eq!(uploads.ask(request).await.errors(), one(415, "UK.OBIE.Header.Invalid", Some("Content-Type")));
}

#[tokio::test]
async fn file_018_an_empty_file_is_refused() {
    let uploads = Uploads::new().await;
    let signature = signature(XML, b"");
    for pieces in [vec![], vec![Ok(Bytes::new())]] {
        let answer = uploads.upload(XML, &signature, pieces).await;
        assert_eq!(answer.errors(), one(400, "UK.OBIE.Resource.InvalidFormat", None));
    }
}

#[tokio::test]
async fn a_file_that_is_cut_off_is_refused_even_if_what_came_was_signed() {
    let uploads = Uploads::new().await;
    let mut pieces = cut(FILE, 9);
    pieces.push(Err(io::ErrorKind::ConnectionReset.into()));
    let format = one(400, "UK.OBIE.Resource.InvalidFormat", None);
    let signature = signature(XML, FILE.as_bytes());
    assert_eq!(uploads.upload(XML, &signature, pieces).await.errors(), format);
    // The same holds for a handler that ignores the refusal.
    let request = uploads.post("/stubborn").header("content-type", XML).header("x-jws-signature", signature);
    let cut = [Ok(Bytes::from(FILE)), Err(io::Error::from(io::ErrorKind::ConnectionReset))];
    let answer = uploads.ask(request.body(Body::from_stream(stream::iter(cut))).unwrap()).await;
    assert_eq!(answer.errors(), format);
}

/// A signed file of the largest size is accepted and never held in memory.
#[tokio::test]
async fn file_018_a_file_may_be_64_mib_and_no_byte_more_and_is_never_held() {
    let uploads = Uploads::new().await;
    let plenty = Plenty::of(FILE_BYTES_MAX);
    let mut input = DetachedSigner::new(&header(Some(XML))).unwrap();
    let mut hash = lombard_jose::Sha256::new();
    plenty.clone().for_each(|piece| {
        input.update(&piece);
        hash.update(&piece);
    });
    let signature = input.finish().sign(&key("acme")).unwrap();
    let upload = async |pieces: Plenty, announced: Option<u64>, path: &str| {
        let mut request = uploads.post(path).header("content-type", XML).header("x-jws-signature", &signature);
        request = announced.into_iter().fold(request, |request, length| request.header("content-length", length));
        let pieces = stream::iter(pieces.map(io::Result::Ok));
        uploads.ask(request.body(Body::from_stream(pieces)).unwrap()).await
    };
    let largest = upload(plenty.clone(), Some(FILE_BYTES_MAX), PATH).await.json();
    assert_eq!((&largest["bytes"], &largest["first"]), (&json!(FILE_BYTES_MAX), &json!(PIECE_BYTES)));
    assert_eq!(largest["digest"], STANDARD.encode(hash.finish().0));
    assert!(plenty.most_held() <= 2, "{} pieces were held at a time", plenty.most_held());
    let too_large = one(413, "UK.Test.Body.TooLarge", None);
    let larger = Plenty::of(FILE_BYTES_MAX + 1);
    assert_eq!(upload(larger.clone(), None, PATH).await.errors(), too_large);
    assert_eq!(upload(larger.clone(), None, "/stubborn").await.errors().0, 400, "what was refused stays refused");
    assert!(larger.most_held() <= 2);
    let announced = Plenty::of(FILE_BYTES_MAX + 1);
    assert_eq!(upload(announced, Some(FILE_BYTES_MAX + 1), PATH).await.errors(), too_large);
}

#[tokio::test]
async fn rw_115_a_file_announced_too_large_is_refused_before_it_is_sent() {
    let uploads = Uploads::new().await;
    let request = uploads.post(PATH).header("content-type", XML);
    let request = request.header("x-jws-signature", signature(XML, b"")).header("content-length", FILE_BYTES_MAX + 1);
    let never = stream::poll_fn(|_| -> std::task::Poll<Option<io::Result<Bytes>>> { panic!("the file is read") });
    let answer = uploads.ask(request.body(Body::from_stream(never)).unwrap()).await;
    assert_eq!(answer.errors(), one(413, "UK.Test.Body.TooLarge", None));
}
