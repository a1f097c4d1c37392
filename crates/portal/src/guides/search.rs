//! Searches the titles, headings and texts of the documents.

use super::addresses::ServerAddresses;
use super::guide_pages::{PAGES, RenderedGuide};
use super::library::LibraryPart;
use super::markdown::Section;
use super::paths::page_of;

/// The maximum number of words of a search; further words are ignored.
const WORDS_MAX: usize = 8;
/// The maximum number of characters of a search; further characters are ignored.
const LETTERS_MAX: usize = 200;
/// The maximum number of found sections.
const HITS_MAX: usize = 30;
/// The number of characters of a section that are shown before the first word; the next constant is for those after it.
const CHARS_BEFORE: usize = 40;
const CHARS_AFTER: usize = 160;

/// A section that contains every word.
#[derive(Debug)]
pub(super) struct SearchResult {
    /// The URL of the section.
    pub(super) address: String,
    /// The title of the document.
    pub(super) title: &'static str,
    /// The section's heading.
    pub(super) heading: &'static str,
    /// The text around the first word.
    pub(super) excerpt: String,
}

/// A found section with its rank.
struct Found {
    rank: usize,
    page: &'static RenderedGuide,
    section: &'static Section,
}

/// Finds the sections that contain every word of the search, best match first.
pub(super) fn search(query: &str, addresses: ServerAddresses<'_>) -> Vec<SearchResult> {
    let query: String = query.chars().take(LETTERS_MAX).collect::<String>().to_lowercase();
    let words: Vec<&str> = query.split_whitespace().take(WORDS_MAX).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Found> = PAGES.iter().flat_map(|page| found_in(page, &words)).collect();
    found.sort_by_key(|found| found.rank);
    found.truncate(HITS_MAX);
    found.iter().map(|found| hit(found, &words, addresses)).collect()
}

fn hit(found: &Found, words: &[&str], addresses: ServerAddresses<'_>) -> SearchResult {
    let Found { page, section, .. } = found;
    let address = format!("{}#{}", page_of(page.document), section.id);
    SearchResult {
        address,
        title: &page.rendered.title,
        heading: &section.heading,
        excerpt: addresses.fill(&excerpt(section, words)),
    }
}

fn found_in(page: &'static RenderedGuide, words: &[&str]) -> impl Iterator<Item = Found> {
    let title = page.rendered.title.to_lowercase();
    let part = LibraryPart::PAGES.iter().position(|(part, _)| *part == page.document.part).unwrap_or_default();
    page.rendered.sections.iter().filter_map(move |section| {
        let (heading, text) = &section.lower;
        let has = |word: &&str| heading.contains(*word) || title.contains(*word) || text.contains(*word);
        if !words.iter().all(has) {
            return None;
        }
        let missing = |place: &str| words.iter().filter(|word| !place.contains(**word)).count();
        // A word in the heading counts most, a word in the title second; then the order of the list decides.
        let rank = missing(heading).saturating_mul(100) + missing(&title).saturating_mul(10) + part;
        Some(Found { rank, page, section })
    })
}

/// The text around the first word that the section contains.
fn excerpt(section: &Section, words: &[&str]) -> String {
    let (text, (_, lower)) = (section.text.as_str(), &section.lower);
    let first = words.iter().filter_map(|word| lower.find(word)).min().unwrap_or_default();
    // A lower-case letter may take more bytes than the capital letter.
    let letters = lower.get(..first).unwrap_or_default().chars().count();
    let (before, after) = text.split_at_checked(byte_of(text, letters)).unwrap_or((text, ""));
    let begin = before.char_indices().rev().nth(CHARS_BEFORE.saturating_sub(1)).map_or(0, |(at, _)| at);
    let (cut, lead) = before.split_at_checked(begin).unwrap_or(("", before));
    // The excerpt starts at the beginning of a word.
    let lead = match lead.split_once(' ') {
        _ if cut.is_empty() || cut.ends_with(' ') => lead,
        words => words.map_or("", |(_, words)| words),
    };
    let tail = after.get(..byte_of(after, CHARS_AFTER)).unwrap_or(after);
    let dots = |cut: bool| if cut { "…" } else { "" };
    let shown = format!("{lead}{tail}");
    format!("{}{}{}", dots(lead.len() < before.len()), shown.trim(), dots(tail.len() < after.len()))
}

/// The byte offset after this many characters.
fn byte_of(text: &str, letters: usize) -> usize {
    text.char_indices().nth(letters).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(query: &str) -> Vec<SearchResult> {
        let addresses = ServerAddresses { public: "https://b.example", mtls: "https://m.example", ops: None };
        super::search(query, addresses)
    }

    #[test]
    fn every_word_must_be_there_and_headings_come_first() {
        let hits = search("  IDEMPOTENCY   key ");
        assert!(hits.len() > 3);
        assert!(hits[0].heading.to_lowercase().contains("idempotency key"), "{:?}", hits[0]);
        assert!(hits.iter().all(|hit| hit.address.starts_with("/portal/docs/")));
        assert!(search("U011")[0].address.ends_with("/errors#u011"));
        assert!(search("idempotency xyzzy").is_empty() && search("").is_empty() && search("   ").is_empty());
    }

    #[test]
    fn an_excerpt_begins_with_a_word_before_the_first_that_was_searched_for() {
        let section = |text: &str| Section {
            id: String::new(),
            heading: String::new(),
            text: text.to_owned(),
            lower: (String::new(), text.to_lowercase()),
        };
        let long = format!("{} É Payment {}", "ab ".repeat(30), "cd ".repeat(100));
        let shown = excerpt(&section(&long), &["payment"]);
        assert!(shown.starts_with("…ab ab") && shown.contains("É Payment cd") && shown.ends_with('…'), "{shown}");
        assert!(shown.chars().count() <= CHARS_BEFORE + CHARS_AFTER + 2, "{shown}");
        for (text, expected) in [("É Payment", "É Payment"), ("nothing of it", "nothing of it"), ("", "")] {
            assert_eq!(excerpt(&section(text), &["payment"]), expected);
        }
        let joined = format!("{}payment", "x".repeat(50));
        assert_eq!(excerpt(&section(&joined), &["payment"]), "…payment", "no word begins nearer");
    }

    #[test]
    fn a_search_is_bounded() {
        assert_eq!(search("the").len(), HITS_MAX);
        assert!(search(&"e ".repeat(100_000)).len() <= HITS_MAX);
        assert!(search("a").iter().all(|hit| hit.excerpt.chars().count() <= CHARS_BEFORE + CHARS_AFTER + 2));
    }
}
