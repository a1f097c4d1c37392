//! Search over titles, headings and text.

use super::addresses::ServerAddresses;
use super::guide_pages::{PAGES, RenderedGuide};
use super::library::LibraryPart;
use super::markdown::Section;
use super::paths::page_of;

/// Most words that are searched for; the others are left out.
const WORDS_MAX: usize = 8;
/// Most letters of a search that are read.
const LETTERS_MAX: usize = 200;
/// Most sections that are found.
const HITS_MAX: usize = 30;
/// How many letters of a section are shown before and after the first word.
const CHARS_BEFORE: usize = 40;
const CHARS_AFTER: usize = 160;

/// A section that has every word.
#[derive(Debug)]
pub(super) struct Hit {
    /// The section's address.
    pub(super) address: String,
    /// The title of the document.
    pub(super) title: &'static str,
    /// The section's heading.
    pub(super) heading: &'static str,
    /// The text around the first word.
    pub(super) excerpt: String,
}

/// A section that was found, and its place among the others.
struct Found {
    rank: usize,
    page: &'static RenderedGuide,
    section: &'static Section,
}

/// The sections with every word of this search, the likeliest first.
pub(super) fn search(query: &str, addresses: ServerAddresses<'_>) -> Vec<Hit> {
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

fn hit(found: &Found, words: &[&str], addresses: ServerAddresses<'_>) -> Hit {
    let Found { page, section, .. } = found;
    let address = format!("{}#{}", page_of(page.document), section.id);
    Hit {
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
        // What is in the heading counts most, then what is in the title, then the order of the list.
        let rank = missing(heading).saturating_mul(100) + missing(&title).saturating_mul(10) + part;
        Some(Found { rank, page, section })
    })
}

/// The text around the first word that it has.
fn excerpt(section: &Section, words: &[&str]) -> String {
    let letters: Vec<char> = section.text.chars().collect();
    let lower: Vec<char> = letters.iter().map(|letter| letter.to_lowercase().next().unwrap_or(*letter)).collect();
    let place = |word: &&str| {
        let word: Vec<char> = word.chars().collect();
        lower.windows(word.len()).position(|part| part == word)
    };
    let first = words.iter().filter_map(place).min().unwrap_or_default();
    let begin = first.saturating_sub(CHARS_BEFORE);
    // From the beginning of a word on.
    let begin = (begin..first).find(|at| *at == 0 || letters.get(at - 1) == Some(&' ')).unwrap_or(first);
    let end = letters.len().min(first.saturating_add(CHARS_AFTER));
    let shown: String = letters.get(begin..end).unwrap_or_default().iter().collect();
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{}{}{}", dots(begin > 0), shown.trim(), dots(end < letters.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(query: &str) -> Vec<Hit> {
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
    fn a_search_is_bounded() {
        assert_eq!(search("the").len(), HITS_MAX);
        assert!(search(&"e ".repeat(100_000)).len() <= HITS_MAX);
        assert!(search("a").iter().all(|hit| hit.excerpt.chars().count() <= CHARS_BEFORE + CHARS_AFTER + 2));
    }
}
