//! The logos of applications: fetched by the server, checked and cached, so that customers' browsers ask nobody else for them.
//!
//! Only images whose first bytes are those of PNG, JPEG or WebP are kept; whatever their server calls them does not count. There is no SVG among
//! them, which can hold scripts.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use lombard_ports::logo_source::{LogoSource, LogoSourceError};
use quick_cache::sync::Cache;
use std::fmt;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Most bytes of a logo.
const BYTES_MAX: usize = 128 * 1024;

/// Most applications whose logos are kept; the least used give way.
const LOGOS_MAX: usize = 128;

/// How long a logo is kept.
const LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// After how long a logo is asked for again that could not be had.
const RETRY_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// Most logos that are fetched at a time; an application whose logo would be a further one shows its letter.
const FETCHES_MAX: usize = 8;

/// An image, whose type follows from its first bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Logo {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: bytes::Bytes,
}

/// What is known of an application's logo.
#[derive(Clone)]
struct CachedLogo {
    url: String,
    /// Nothing if it could not be had.
    logo: Option<Logo>,
    fetched_at: Timestamp,
}

/// The cache of logos.
pub(crate) struct Logos {
    source: Arc<dyn LogoSource>,
    cache: Cache<ClientId, CachedLogo>,
    fetches: Semaphore,
}

impl fmt::Debug for Logos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logos").field("kept", &self.cache.len()).finish_non_exhaustive()
    }
}

impl Logos {
    /// Logos of this source.
    pub(crate) fn new(source: Arc<dyn LogoSource>) -> Self {
        Self { source, cache: Cache::new(LOGOS_MAX), fetches: Semaphore::new(FETCHES_MAX) }
    }

    /// The logo of a client at this address; `None` if it cannot be had, which is logged when it was tried. `now` is wall time.
    pub(crate) async fn logo(&self, client: &ClientId, url: &str, now: Timestamp) -> Option<Logo> {
        if let Some(cached) = self.cache.get(client).filter(|cached| cached.is_good(url, now)) {
            return cached.logo;
        }
        let _permit = self.fetches.try_acquire().ok()?;
        let fetched = self.source.fetch_logo(url, BYTES_MAX).await.and_then(|bytes| {
            let content_type = content_type(&bytes);
            let unusable = || LogoSourceError::Unavailable("it is no PNG, JPEG or WebP".into());
            content_type.map(|content_type| Logo { content_type, bytes: bytes.into() }).ok_or_else(unusable)
        });
        if let Err(error) = &fetched {
            let error = error as &dyn std::error::Error;
            tracing::info!(client.id = client.as_str(), error, "an application's logo cannot be shown");
        }
        let logo = fetched.ok();
        let cached = CachedLogo { url: url.to_owned(), logo: logo.clone(), fetched_at: now };
        self.cache.insert(client.clone(), cached);
        logo
    }
}

impl CachedLogo {
    fn is_good(&self, url: &str, now: Timestamp) -> bool {
        let lifetime = if self.logo.is_some() { LIFETIME } else { RETRY_AFTER };
        self.url == url && now.duration_since(self.fetched_at) < lifetime
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
    use parking_lot::Mutex;

    #[derive(Debug, Default)]
    struct Source {
        bytes: Mutex<Option<Vec<u8>>>,
        asked: Mutex<usize>,
    }

    #[async_trait]
    impl LogoSource for Source {
        async fn fetch_logo(&self, _: &str, _: usize) -> Result<Vec<u8>, LogoSourceError> {
            *self.asked.lock() += 1;
            self.bytes.lock().clone().ok_or(LogoSourceError::NotAllowed)
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
        let (client, start) = (ClientId::from("c"), Timestamp::UNIX_EPOCH);
        let at = async |url: &str, after: SignedDuration| logos.logo(&client, url, start + after).await.is_some();
        let (minutes, hours) = (SignedDuration::from_mins, SignedDuration::from_hours);
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
}
