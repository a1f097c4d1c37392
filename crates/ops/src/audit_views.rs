//! The search for entries of the audit log, and a page of them.

use super::reconciliation_views::Instant;
use lombard_domain::audit::{AuditAction, AuditChain, AuditEntry};
use lombard_domain::code::StoredCode;
use lombard_ports::store::{AuditFilter, AuditPage};
use lombard_service::audit::{EntryPage, PAGE_ENTRIES_MAX};
use serde::{Deserialize, Serialize};

/// The default number of entries of a page.
const PAGE_ENTRIES: u32 = 100;

/// The most characters of a value that is searched for.
const VALUE_CHARS_MAX: usize = 256;

/// The query parameters of a search for entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSearch {
    /// Entries of this target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Entries of this actor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// Entries of the action with this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// Entries at or after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Instant>,
    /// Entries before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Instant>,
    /// The `next` of the page before, for entries from the oldest on; 0 for the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
    /// The `next` of the page before, for entries from the newest on. Without `after` and `before`, the newest entries are the first page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
    /// The most entries of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Why the entries are read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl AuditSearch {
    /// The entries, the page, and the most entries of the page.
    ///
    /// # Errors
    /// A sentence about a value that no entry can have.
    pub fn read(&self) -> Result<(AuditFilter, AuditPage, u32), String> {
        let limit = self.limit.unwrap_or(PAGE_ENTRIES);
        if !(1..=PAGE_ENTRIES_MAX).contains(&limit) {
            return Err(format!("limit: a number from 1 to {PAGE_ENTRIES_MAX}"));
        }
        let page = match (self.after, self.before) {
            (None, before) => AuditPage::Before(before.unwrap_or(i64::MAX)),
            (Some(after), None) => AuditPage::After(after),
            (Some(_), Some(_)) => return Err("after and before: only one of them".to_owned()),
        };
        for (name, value) in [("target", &self.target), ("actor", &self.actor)] {
            let is_value = |value: &String| value.len() <= VALUE_CHARS_MAX && !value.contains(char::is_control);
            if value.as_ref().is_some_and(|value| !is_value(value)) {
                return Err(format!("{name}: a line of at most {VALUE_CHARS_MAX} bytes"));
            }
        }
        let action = match self.action.as_deref().map(|name| (name, AuditAction::from_code(name))) {
            Some((_, None)) => {
                return Err("action: there is none with this name (docs/reference/audit.md)".to_owned());
            }
            Some((_, found)) => found,
            None => None,
        };
        let filter = AuditFilter {
            target: self.target.clone().filter(|value| !value.is_empty()),
            actor: self.actor.clone().filter(|value| !value.is_empty()),
            action,
            since: self.since.map(|since| since.0),
            until: self.until.map(|until| until.0),
        };
        Ok((filter, page, limit))
    }

    /// Whether this is the first page of a search.
    pub fn is_first_page(&self) -> bool {
        self.after.unwrap_or_default() == 0 && self.before.is_none()
    }
}

/// A page of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPageView {
    /// The entries.
    pub entries: Vec<AuditEntry>,
    /// The `after` or `before` of the next page; absent if this page is the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
    /// The ends of all chains, with the last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chains: Option<Vec<AuditChain>>,
}

impl From<EntryPage> for AuditPageView {
    fn from(EntryPage { entries, chains }: EntryPage) -> Self {
        let last = entries.last().map(|sealed| sealed.number);
        let next = last.filter(|_| chains.is_none());
        Self { entries: entries.into_iter().map(|sealed| sealed.entry).collect(), next, chains }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_read_or_refused_with_the_parameter() {
        let search =
            AuditSearch { action: Some("keys.rotate".to_owned()), limit: Some(1000), ..AuditSearch::default() };
        let (filter, page, limit) = search.read().unwrap();
        assert_eq!((filter.action, page, limit), (Some(AuditAction::KeysRotate), AuditPage::Before(i64::MAX), 1000));
        let all = AuditSearch::default;
        for (search, refused) in [
            (AuditSearch { limit: Some(1001), ..all() }, "limit"),
            (AuditSearch { limit: Some(0), ..all() }, "limit"),
            (AuditSearch { after: Some(1), before: Some(2), ..all() }, "after and before"),
            (AuditSearch { action: Some("keys".to_owned()), ..all() }, "action"),
            (AuditSearch { target: Some("a\0".to_owned()), ..all() }, "target"),
            (AuditSearch { actor: Some("a".repeat(257)), ..all() }, "actor"),
        ] {
            let Err(text) = search.read() else { panic!("{search:?}") };
            assert!(text.starts_with(refused), "{text}");
        }
    }
}
