//! The logos of applications. The server fetches, checks and caches them, so that customers' browsers send no requests to third parties.
//!
//! Only images whose first bytes are those of PNG, JPEG or WebP are accepted; the media type that their server states is ignored. SVG is
//! refused, because it can contain scripts.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use lombard_ports::logo_source::{LogoSource, LogoSourceError};
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use std::fmt;
use std::sync::Arc;
use tokio::sync::{OnceCell, Semaphore, TryAcquireError};

/// The most bytes of a logo.
const BYTES_MAX: usize = 128 * 1024;

/// The most cached logos; the least used are evicted first.
const LOGOS_MAX: usize = 128;

/// How long a logo is cached.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// How long after a failed fetch a logo is fetched again.
const RETRY_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// The most concurrent fetches of logos; further applications are shown with a letter instead.
const FETCHES_MAX: usize = 8;

/// An image, whose type follows from its first bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The media type of the image.
    pub content_type: &'static str,
    /// The bytes of the image.
    pub bytes: bytes::Bytes,
}

/// The cached result of fetching an application's logo.
struct KnownLogo {
    /// The logo; `None` if it could not be fetched.
    logo: Option<Logo>,
    /// Until when this result is used.
    until: Timestamp,
}

/// The cache entry of an application's logo at an address. Of concurrent requests one fetches the logo, and the others wait.
#[derive(Clone)]
struct LogoSlot {
    url: String,
    known: Arc<OnceCell<KnownLogo>>,
}

/// The cache of logos.
pub struct Logos {
    source: Arc<dyn LogoSource>,
    cache: Cache<ClientId, LogoSlot>,
    /// Held while an outdated entry is detected and replaced.
    replacing: Mutex<()>,
    fetches: Semaphore,
}

impl fmt::Debug for Logos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logos").field("kept", &self.cache.len()).finish_non_exhaustive()
    }
}

impl Logos {
    /// Makes an empty cache of logos from this source.
    pub(crate) fn new(source: Arc<dyn LogoSource>) -> Self {
        let cache = Cache::new(LOGOS_MAX);
        let replacing = Mutex::new(());
        Self { source, cache, replacing, fetches: Semaphore::new(FETCHES_MAX) }
    }

    /// The logo of a client at this address; `None` if it cannot be fetched, which is logged when the fetch fails. `now` is wall time.
    pub async fn logo(&self, client: &ClientId, url: &str, now: Timestamp) -> Option<Logo> {
        let slot = self.slot(client, url, now);
        let known = slot.known.get_or_try_init(|| async {
            let _permit = self.fetches.try_acquire()?;
            Ok::<_, TryAcquireError>(self.fetch(client, url, now).await)
        });
        known.await.ok()?.logo.clone()
    }

    /// The cache entry of a client's logo: a new one if the address has changed or the result has expired.
    fn slot(&self, client: &ClientId, url: &str, now: Timestamp) -> LogoSlot {
        let good = || self.cache.get(client).filter(|slot| slot.is_good(url, now));
        good().unwrap_or_else(|| {
            let _replacing = self.replacing.lock();
            good().unwrap_or_else(|| {
                let slot = LogoSlot { url: url.to_owned(), known: Arc::default() };
                self.cache.insert(client.clone(), slot.clone());
                slot
            })
        })
    }

    async fn fetch(&self, client: &ClientId, url: &str, now: Timestamp) -> KnownLogo {
        let fetched = self.source.fetch_logo(url, BYTES_MAX).await.and_then(|bytes| {
            let content_type = content_type(&bytes);
            let unusable = || LogoSourceError::Unavailable("it is no PNG, JPEG or WebP".into());
            content_type.map(|content_type| Logo { content_type, bytes: bytes.into() }).ok_or_else(unusable)
        });
        if let Err(error) = &fetched {
            let error = error as &dyn std::error::Error;
            tracing::info!(client.id = client.as_str(), error, "an application's logo cannot be shown");
        }
        // The permitted hosts do not change while the program runs.
        let is_settled = matches!(fetched, Ok(_) | Err(LogoSourceError::NotAllowed));
        let lifetime = if is_settled { LIFETIME } else { RETRY_AFTER };
        KnownLogo { logo: fetched.ok(), until: now.saturating_add(lifetime).unwrap_or(now) }
    }
}

impl LogoSlot {
    fn is_good(&self, url: &str, now: Timestamp) -> bool {
        self.url == url && self.known.get().is_none_or(|known| now < known.until)
    }
}

/// The type of an image by its first bytes; `None` for anything else.
fn content_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some("image/png");
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some("image/jpeg");
    }
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
    is_webp.then_some("image/webp")
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_trait::async_trait;
    use tokio::sync::Notify;

    #[derive(Debug, Default)]
    struct Source {
        bytes: Mutex<Option<Vec<u8>>>,
        asked: Mutex<usize>,
        is_forbidden: bool,
        /// The response waits for this notification.
        answered: Option<Notify>,
    }

    #[async_trait]
    impl LogoSource for Source {
        async fn fetch_logo(&self, _: &str, _: usize) -> Result<Vec<u8>, LogoSourceError> {
            *self.asked.lock() += 1;
            if let Some(answered) = &self.answered {
                answered.notified().await;
            }
            let refused = || match self.is_forbidden {
                true => LogoSourceError::NotAllowed,
                false => LogoSourceError::Unavailable("it is down".into()),
            };
            self.bytes.lock().clone().ok_or_else(refused)
        }
    }

    #[test]
    fn an_image_is_known_by_its_first_bytes_and_nothing_else_is_one() {
        assert_eq!(content_type(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(content_type(b"\xff\xd8\xff\xe0"), Some("image/jpeg"));
        assert_eq!(content_type(b"RIFF....WEBPVP8 "), Some("image/webp"));
        for other in [&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], b"<html>", b"GIF89a", b"RIFF....WAVE", b""] {
            assert_eq!(content_type(other), None);
        }
    }

    #[tokio::test]
    async fn a_logo_is_kept_for_a_day_and_a_failure_for_some_minutes() {
        let source = Arc::new(Source::default());
        let logos = Logos::new(Arc::clone(&source) as _);
        let client = ClientId::from("c");
        let start = Timestamp::UNIX_EPOCH;
        let at = async |url: &str, after: SignedDuration| logos.logo(&client, url, start + after).await.is_some();
        let minutes = SignedDuration::from_mins;
        let hours = SignedDuration::from_hours;
        assert!(!at("a", minutes(0)).await && !at("a", minutes(9)).await);
        *source.bytes.lock() = Some(b"\x89PNG\r\n\x1a\n".to_vec());
        assert_eq!(*source.asked.lock(), 1);
        assert!(at("a", minutes(10)).await && at("a", hours(23)).await);
        assert_eq!(*source.asked.lock(), 2);
        assert!(at("b", hours(23)).await, "another statement names another logo");
        *source.bytes.lock() = Some(b"<svg>".to_vec());
        assert!(!at("b", hours(48)).await);
        assert_eq!(*source.asked.lock(), 4);
    }

    #[tokio::test]
    async fn an_address_that_may_not_be_asked_is_not_tried_again_for_a_day() {
        let source = Arc::new(Source { is_forbidden: true, ..Source::default() });
        let logos = Logos::new(Arc::clone(&source) as _);
        for hours in 0..25 {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
            assert_eq!(logos.logo(&"c".into(), "a", now).await, None);
        }
        assert_eq!(*source.asked.lock(), 2);
    }

    #[tokio::test]
    async fn concurrent_requests_fetch_a_logo_once_and_parallel_fetches_are_limited() {
        let source = Arc::new(Source { answered: Some(Notify::new()), ..Source::default() });
        *source.bytes.lock() = Some(b"\x89PNG\r\n\x1a\n".to_vec());
        let logos = Logos::new(Arc::clone(&source) as _);
        let now = Timestamp::UNIX_EPOCH;
        let ask = async |client: &'static str| logos.logo(&ClientId::from(client), "a", now).await.is_some();
        let answer = async {
            while *source.asked.lock() == 0 {
                tokio::task::yield_now().await;
            }
            source.answered.as_ref().unwrap().notify_one();
        };
        let (first, second, third, ()) = tokio::join!(ask("c"), ask("c"), ask("c"), answer);
        assert!(first && second && third);
        assert_eq!(*source.asked.lock(), 1);
        let waiting: Vec<_> = (0..FETCHES_MAX).map(|n| ClientId::new(format!("w{n}"))).collect();
        let waiting: Vec<_> = waiting.iter().map(|client| Box::pin(logos.logo(client, "a", now))).collect();
        let mut all = futures_util::future::join_all(waiting);
        assert!(futures_util::poll!(&mut all).is_pending());
        assert!(!ask("one more").await, "it shows its letter");
        drop(all);
        let (later, ()) = tokio::join!(ask("one more"), async { source.answered.as_ref().unwrap().notify_one() });
        assert!(later, "that it was not fetched is not kept");
    }
}
