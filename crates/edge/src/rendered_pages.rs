//! A cache of rendered pages of lists, for callers that request the same page again before the list has changed.
//!
//! A page is stored under its caller's grant and the requested address. It is returned only if two things are unchanged: the epochs of
//! client, grant and consent, which the pipeline read to admit this request, and the version of the list, which the bank has just given.
//! Both are read from storage for every request, so a write on another node takes effect at once. All checks of the request come first; a
//! cached page saves reading, redacting and serialising the records.

use bytes::Bytes;
use lombard_auth::callers::Caller;
use lombard_domain::grant::CallerEpochs;
use lombard_domain::ids::GrantId;
use lombard_ports::bank::ListVersion;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};
use std::fmt;
use std::sync::Arc;

/// The most bytes of all cached pages together; rarely used pages are evicted first.
const BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The most bytes of a cached page. The cache is divided into shards, and a larger page would evict all others of its shard.
const PAGE_BYTES_MAX: usize = 256 * 1024;
/// The estimated size of a page, in bytes, for the initial size of the cache.
const USUAL_BYTES: usize = 16 * 1024;
/// The bytes that an entry takes beside its page and its address.
const OVERHEAD_BYTES: usize = 256;

/// The cache of rendered pages.
pub struct RenderedPages(Cache<PageKey, RenderedPage, ByBytes>);

impl fmt::Debug for RenderedPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenderedPages").field("pages", &self.0.len()).finish_non_exhaustive()
    }
}

impl Default for RenderedPages {
    fn default() -> Self {
        let estimated = usize::try_from(BYTES_MAX).unwrap_or(usize::MAX) / USUAL_BYTES;
        Self(Cache::with_weighter(estimated, BYTES_MAX, ByBytes))
    }
}

/// The values on which a page depends besides its list.
#[derive(Debug, Clone, Copy)]
pub struct PageOwner<'a> {
    grant: &'a GrantId,
    epochs: CallerEpochs,
    /// Path and query, as the caller sent them.
    address: &'a str,
}

impl<'a> PageOwner<'a> {
    /// The key of the page at this path and query, for a caller that this request has just admitted.
    pub fn new(caller: &'a Caller, address: &'a str) -> Self {
        Self { grant: &caller.grant, epochs: caller.epochs(), address }
    }
}

impl RenderedPages {
    /// The page, if it is cached and nothing has changed since.
    pub fn find(&self, owner: PageOwner<'_>, version: &ListVersion) -> Option<Bytes> {
        let page = self.0.get(&(owner.grant, owner.address))?;
        (page.epochs == owner.epochs && *page.version == *version).then_some(page.bytes)
    }

    /// Whether a page is cached under this key; its list may have changed since.
    pub fn contains(&self, owner: PageOwner<'_>) -> bool {
        self.0.get(&(owner.grant, owner.address)).is_some_and(|page| page.epochs == owner.epochs)
    }

    /// Caches a page in place of the previous one.
    pub fn insert(&self, owner: PageOwner<'_>, version: ListVersion, bytes: &Bytes) {
        if bytes.len() <= PAGE_BYTES_MAX {
            let key = PageKey { grant: owner.grant.clone(), address: owner.address.into() };
            let page = RenderedPage { epochs: owner.epochs, version: Arc::new(version), bytes: bytes.clone() };
            self.0.insert(key, page);
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct PageKey {
    grant: GrantId,
    address: Box<str>,
}

impl Equivalent<PageKey> for (&GrantId, &str) {
    fn equivalent(&self, key: &PageKey) -> bool {
        *self.0 == key.grant && *self.1 == *key.address
    }
}

#[derive(Debug, Clone)]
struct RenderedPage {
    epochs: CallerEpochs,
    version: Arc<ListVersion>,
    bytes: Bytes,
}

#[derive(Debug, Clone)]
struct ByBytes;

impl Weighter<PageKey, RenderedPage> for ByBytes {
    fn weight(&self, key: &PageKey, page: &RenderedPage) -> u64 {
        let bytes = page.bytes.len().saturating_add(key.address.len()).saturating_add(OVERHEAD_BYTES);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EPOCHS: CallerEpochs = CallerEpochs { client: 1, grant: 2, consent: 3 };

    fn version(number: i64) -> ListVersion {
        ListVersion::of_accounts(vec![("a".into(), number)])
    }

    #[test]
    fn a_page_is_found_only_by_its_owner_while_nothing_has_changed() {
        let pages = RenderedPages::default();
        let mine = GrantId::from("g");
        let other = GrantId::from("h");
        let owner = PageOwner { grant: &mine, epochs: EPOCHS, address: "/t?pg=1" };
        pages.insert(owner, version(7), &Bytes::from_static(b"{}"));
        assert_eq!(pages.find(owner, &version(7)), Some(Bytes::from_static(b"{}")));
        assert_eq!(pages.find(owner, &version(8)), None, "the list has changed");
        assert_eq!(pages.find(owner, &ListVersion::of_accounts(Vec::new())), None, "the account is closed");
        for (grant, epochs, address) in [
            (&other, EPOCHS, "/t?pg=1"),
            (&mine, EPOCHS, "/t?pg=2"),
            (&mine, CallerEpochs { client: 2, ..EPOCHS }, "/t?pg=1"),
            (&mine, CallerEpochs { grant: 3, ..EPOCHS }, "/t?pg=1"),
            (&mine, CallerEpochs { consent: 4, ..EPOCHS }, "/t?pg=1"),
        ] {
            assert_eq!(pages.find(PageOwner { grant, epochs, address }, &version(7)), None);
        }
        pages.insert(owner, version(8), &Bytes::from_static(b"[]"));
        assert_eq!(pages.find(owner, &version(8)), Some(Bytes::from_static(b"[]")));
        assert_eq!(pages.0.len(), 1, "in the place of the old one");
    }

    #[test]
    fn pages_fill_no_memory() {
        let pages = RenderedPages::default();
        let grant = GrantId::from("g");
        let page = Bytes::from(vec![b'x'; PAGE_BYTES_MAX]);
        for number in 0..200 {
            let address = format!("/t?pg={number}");
            pages.insert(PageOwner { grant: &grant, epochs: EPOCHS, address: &address }, version(7), &page);
        }
        assert!(pages.0.weight() <= BYTES_MAX && !pages.0.is_empty());
        let owner = PageOwner { grant: &grant, epochs: EPOCHS, address: "/large" };
        pages.insert(owner, version(7), &Bytes::from(vec![b'x'; PAGE_BYTES_MAX + 1]));
        assert_eq!(pages.find(owner, &version(7)), None);
    }
}
