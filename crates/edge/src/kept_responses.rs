//! A cache of responses that are the same for everybody. They are rendered and compressed for the first request, and returned from memory
//! after that.
//!
//! They are rendered on a thread for blocking work, one at a time, so that neither handshakes nor other requests wait for them. A response
//! that depends on its caller is neither cached nor compressed, because the length of a compressed page discloses secrets in it.

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::FutureExt;
use http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, ETAG, IF_NONE_MATCH, VARY};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use http_body_util::BodyExt;
use lombard_jose::sha256;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::Arc;

/// The most cached responses. There are fewer such paths; the limit bounds the memory in case a caller could ever choose a path.
const RESPONSES_MAX: usize = 256;
/// The least bytes of a response that is compressed.
const COMPRESSED_BYTES_MIN: usize = 1024;

/// The parts of a request that select the form of a cached response.
#[derive(Debug)]
pub struct CachedResponseRequest {
    path: String,
    headers: HeaderMap,
}

impl CachedResponseRequest {
    /// Replaces the path, for a response that is cached under one path for several spellings.
    pub fn with_path(self, path: String) -> Self {
        Self { path, ..self }
    }
}

impl<S: Sync> FromRequestParts<S> for CachedResponseRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let read = [ACCEPT_ENCODING, IF_NONE_MATCH];
        let fields = parts.headers.iter().filter(|(name, _)| read.contains(name));
        let mut headers = HeaderMap::new();
        fields.for_each(|(name, value)| _ = headers.append(name, value.clone()));
        Ok(Self { path: parts.uri.path().to_owned(), headers })
    }
}

/// The cache of responses. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct ResponseCache {
    by_path: Arc<Mutex<HashMap<String, Arc<CachedResponse>>>>,
    /// Held while a response is rendered, so that one is rendered at a time.
    render_lock: Arc<tokio::sync::Mutex<()>>,
}

impl ResponseCache {
    /// The response to this request: the cached one, or a newly rendered one, which is cached if its status is 200.
    pub async fn respond(
        &self,
        request: CachedResponseRequest,
        render: impl FnOnce() -> Response + Send + 'static,
    ) -> Response {
        self.respond_with(request, None, render).await
    }

    /// As [`respond`](Self::respond), for a document that changes: a cached response is used only if it was rendered from this text.
    pub async fn respond_document(
        &self,
        request: CachedResponseRequest,
        text: Arc<str>,
        render: impl FnOnce() -> Response + Send + 'static,
    ) -> Response {
        self.respond_with(request, Some(text), render).await
    }

    async fn respond_with(
        &self,
        request: CachedResponseRequest,
        source: Option<Arc<str>>,
        render: impl FnOnce() -> Response + Send + 'static,
    ) -> Response {
        if let Some(kept) = self.find(&request.path, source.as_deref()) {
            return kept.answer(&request.headers);
        }
        let all = self.clone();
        let answer = move || match all.find(&request.path, source.as_deref()) {
            // Another request rendered the response while this one waited.
            Some(kept) => kept.answer(&request.headers),
            None => match CachedResponse::of(render(), source) {
                Ok(made) => all.insert(request.path, made).answer(&request.headers),
                Err(response) => *response,
            },
        };
        self.render(answer).await
    }

    /// Renders a response that depends on its caller and takes long, on a thread for blocking work, as cached responses are rendered.
    pub async fn render(&self, render: impl FnOnce() -> Response + Send + 'static) -> Response {
        let turn = Arc::clone(&self.render_lock).lock_owned().await;
        // The lock moves to the work, which continues if the caller leaves.
        let rendered = tokio::task::spawn_blocking(move || {
            let response = render();
            drop(turn);
            response
        });
        rendered.await.unwrap_or_else(|error| {
            tracing::error!(error = &error as &dyn std::error::Error, "a response could not be rendered");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        })
    }

    /// Whether the response at this path is cached.
    pub fn is_cached(&self, path: &str) -> bool {
        self.by_path.lock().contains_key(path)
    }

    fn find(&self, path: &str, source: Option<&str>) -> Option<Arc<CachedResponse>> {
        self.by_path.lock().get(path).filter(|kept| kept.source.as_deref() == source).cloned()
    }

    fn insert(&self, path: String, response: CachedResponse) -> Arc<CachedResponse> {
        let response = Arc::new(response);
        let mut by_path = self.by_path.lock();
        if by_path.len() < RESPONSES_MAX || by_path.contains_key(&path) {
            by_path.insert(path, Arc::clone(&response));
        }
        response
    }
}

/// A cached response, in the forms in which it is sent.
#[derive(Debug)]
struct CachedResponse {
    /// The text from which the response was rendered, if the text can change.
    source: Option<Arc<str>>,
    headers: HeaderMap,
    plain: CachedBody,
    gzip: Option<CachedBody>,
}

#[derive(Debug)]
struct CachedBody {
    bytes: Bytes,
    /// The entity tag of the response, if caches may store it.
    tag: Option<HeaderValue>,
}

impl CachedResponse {
    /// Makes the cached form of a response.
    ///
    /// # Errors
    /// The response itself, if it must not be cached.
    fn of(response: Response, source: Option<Arc<str>>) -> Result<Self, Box<Response>> {
        if response.status() != StatusCode::OK {
            return Err(Box::new(response));
        }
        let (parts, body) = response.into_parts();
        let Some(Ok(bytes)) = body.collect().now_or_never() else {
            return Err(Box::new(StatusCode::INTERNAL_SERVER_ERROR.into_response()));
        };
        let bytes = bytes.to_bytes();
        let mut headers = parts.headers;
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
        let is_stored = headers.get(CACHE_CONTROL).is_some_and(|it| it != "no-store");
        let tag = |form| if is_stored { entity_tag(&bytes, form) } else { None };
        let is_long = bytes.len() >= COMPRESSED_BYTES_MIN;
        let compressed = if is_long { compress(&bytes).ok() } else { None };
        let gzip = compressed.map(|compressed| CachedBody { bytes: compressed, tag: tag("-gzip") });
        let plain = CachedBody { tag: tag(""), bytes };
        Ok(Self { source, headers, plain, gzip })
    }

    /// The response to a request with these headers.
    fn answer(&self, request: &HeaderMap) -> Response {
        let (encoding, body) = match &self.gzip {
            Some(gzip) if accepts_gzip(request) => (Some("gzip"), gzip),
            _ => (None, &self.plain),
        };
        let mut response = Response::new(Body::empty());
        let mut headers = self.headers.clone();
        if let Some(tag) = &body.tag {
            headers.insert(ETAG, tag.clone());
        }
        if body.tag.as_ref().is_some_and(|tag| is_listed(request, tag)) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            *response.body_mut() = Body::from(body.bytes.clone());
            headers.extend(encoding.map(|it| (CONTENT_ENCODING, HeaderValue::from_static(it))));
        }
        *response.headers_mut() = headers;
        response
    }
}

/// The entity tag of a form of these bytes. Source: RFC 9110 section 8.8.3.
fn entity_tag(bytes: &[u8], form: &str) -> Option<HeaderValue> {
    let digest = sha256(bytes);
    let (begin, _) = digest.0.split_first_chunk()?;
    HeaderValue::try_from(format!("\"{:032x}{form}\"", u128::from_be_bytes(*begin))).ok()
}

fn compress(bytes: &[u8]) -> io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish().map(Bytes::from)
}

/// Whether the caller accepts gzip. Source: RFC 9110 section 12.5.3.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut any = false;
    for coding in members(headers, &ACCEPT_ENCODING) {
        let mut parts = coding.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let weight = parts.find_map(|it| it.strip_prefix("q=").or_else(|| it.strip_prefix("Q=")));
        let is_taken = weight.is_none_or(|weight| weight.parse().is_ok_and(|weight: f32| weight > 0.0));
        match name.as_str() {
            "gzip" | "x-gzip" => return is_taken,
            "*" => any = is_taken,
            _ => {}
        }
    }
    any
}

/// Whether the caller has the form with this tag. Source: RFC 9110 section 13.1.2.
fn is_listed(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    members(headers, &IF_NONE_MATCH)
        .any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it).as_bytes() == tag.as_bytes())
}

/// The members of a header that is a list.
fn members<'h>(headers: &'h HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'h str> {
    headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use flate2::read::GzDecoder;
    use std::io::Read;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn request(path: &str, fields: &[(HeaderName, &str)]) -> CachedResponseRequest {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(name, HeaderValue::try_from(*value).unwrap());
        }
        CachedResponseRequest { path: path.to_owned(), headers }
    }

    fn public(text: &str) -> Response {
        ([(CACHE_CONTROL, "public, max-age=300")], text.to_owned()).into_response()
    }

    async fn body(response: Response) -> Vec<u8> {
        to_bytes(response.into_body(), usize::MAX).await.unwrap().to_vec()
    }

    #[test]
    fn rfc_9110_12_5_3_gzip_is_sent_to_whoever_takes_it() {
        for (said, takes) in [
            (&[][..], false),
            (&[""], false),
            (&["gzip"], true),
            (&["GZIP;q=0.5"], true),
            (&["gzip, br, zstd"], true),
            (&["br", "x-gzip"], true),
            (&["gzip;q=0"], false),
            (&["gzip; q=0.000, *"], false),
            (&["*"], true),
            (&["*;q=0"], false),
            (&["identity"], false),
            (&["gzip;q=x"], false),
        ] {
            let fields: Vec<_> = said.iter().map(|value| (ACCEPT_ENCODING, *value)).collect();
            assert_eq!(accepts_gzip(&request("/", &fields).headers), takes, "{said:?}");
        }
    }

    #[tokio::test]
    async fn a_response_is_rendered_once_whoever_asks_at_the_same_time() {
        let kept = ResponseCache::default();
        let rendered = Arc::new(AtomicUsize::new(0));
        let text = "page ".repeat(1000);
        let ask = |path: &str, fields: &[(HeaderName, &str)]| {
            let rendered = Arc::clone(&rendered);
            let text = text.clone();
            kept.respond(request(path, fields), move || {
                rendered.fetch_add(1, Ordering::Relaxed);
                public(&text)
            })
        };
        let gone = ask("/a", &[]).now_or_never();
        assert!(gone.is_none(), "its caller leaves while it is rendered");
        for response in futures_util::future::join_all((0..9).map(|_| ask("/a", &[]))).await {
            assert!(body(response).await == text.as_bytes());
        }
        let compressed = ask("/a", &[(ACCEPT_ENCODING, "gzip")]).await;
        assert_eq!(compressed.headers()[CONTENT_ENCODING], "gzip");
        assert_eq!(compressed.headers()[VARY], "accept-encoding");
        let compressed = body(compressed).await;
        let mut read = String::new();
        GzDecoder::new(compressed.as_slice()).read_to_string(&mut read).unwrap();
        assert!(read == text && compressed.len() < 200);
        assert_eq!(rendered.load(Ordering::Relaxed), 1);
        ask("/b", &[]).await;
        assert_eq!(rendered.load(Ordering::Relaxed), 2, "another path is another response");
    }

    #[tokio::test]
    async fn a_changed_document_is_rendered_once_and_replaces_the_cached_one() {
        let kept = ResponseCache::default();
        let rendered = Arc::new(AtomicUsize::new(0));
        let ask = |text: &str, fields: &[(HeaderName, &str)]| {
            let rendered = Arc::clone(&rendered);
            let copy = text.to_owned();
            kept.respond_document(request("/jwks", fields), text.into(), move || {
                rendered.fetch_add(1, Ordering::Relaxed);
                public(&copy)
            })
        };
        let first = ask("one", &[]).await;
        let tag = first.headers()[ETAG].to_str().unwrap().to_owned();
        assert_eq!(ask("one", &[(IF_NONE_MATCH, &tag)]).await.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(rendered.load(Ordering::Relaxed), 1, "an equal text is the same document");
        let changed = ask("two", &[(IF_NONE_MATCH, &tag)]).await;
        assert_eq!((changed.status(), body(changed).await), (StatusCode::OK, b"two".to_vec()));
        ask("two", &[]).await;
        assert_eq!(rendered.load(Ordering::Relaxed), 2);
        let former = ask("one", &[]);
        let current = ask("two", &[]);
        assert_eq!(
            [body(former.await).await, body(current.await).await],
            [b"one", b"two"],
            "each is answered what it found"
        );
    }

    #[tokio::test]
    async fn rfc_9110_13_1_2_whoever_has_a_form_is_told_that_it_is_the_same() {
        let kept = ResponseCache::default();
        let ask = |fields: &[(HeaderName, &str)]| kept.respond(request("/a", fields), || public(&"a".repeat(5000)));
        let plain = ask(&[]).await;
        let gzip = ask(&[(ACCEPT_ENCODING, "gzip")]).await;
        let [plain, gzip] = [plain, gzip].map(|it| it.headers()[ETAG].to_str().unwrap().to_owned());
        assert_ne!(plain, gzip);
        for (tag, status) in [
            (plain.clone(), 304),
            (format!("\"x\", W/{plain}"), 304),
            ("*".to_owned(), 304),
            (gzip.clone(), 200),
            ("\"x\"".to_owned(), 200),
        ] {
            let response = ask(&[(IF_NONE_MATCH, &tag)]).await;
            assert_eq!(response.status(), status, "{tag}");
            assert_eq!(
                (&response.headers()[ETAG], &response.headers()[VARY]),
                (&plain.parse().unwrap(), &HeaderValue::from_static("accept-encoding"))
            );
            assert_eq!(body(response).await.is_empty(), status == 304);
        }
        assert_eq!(ask(&[(ACCEPT_ENCODING, "gzip"), (IF_NONE_MATCH, &gzip)]).await.status(), 304);
    }

    #[tokio::test]
    async fn what_no_cache_may_store_has_no_tag_and_what_is_not_200_is_not_kept() {
        let kept = ResponseCache::default();
        let private = kept.respond(request("/a", &[]), || ([(CACHE_CONTROL, "no-store")], "a").into_response()).await;
        assert!(private.headers().get(ETAG).is_none());
        let absent = kept.respond(request("/b", &[]), || StatusCode::NOT_FOUND.into_response()).await;
        assert_eq!((absent.status(), kept.is_cached("/a"), kept.is_cached("/b")), (StatusCode::NOT_FOUND, true, false));
        let broken = kept.respond(request("/c", &[]), || std::panic::panic_any("on purpose")).await;
        assert_eq!(broken.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
