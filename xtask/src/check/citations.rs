//! Checks that `docs/reference/rules.md` explains every rule that a file cites, and no other rule.

use crate::rule_ids::{Citations, RuleId};
use std::collections::BTreeSet;

/// The page that explains the rules.
pub(super) const PAGE: &str = "docs/reference/rules.md";

/// The rules that the files cite.
#[derive(Debug, Default)]
pub(super) struct CitedRules {
    by_file: Vec<(String, Citations)>,
}

impl CitedRules {
    /// Records the rules that a file cites. The page itself does not count.
    pub(super) fn note(&mut self, path: &str, text: &str) {
        if path != PAGE {
            self.by_file.push((path.to_owned(), Citations::scan(text)));
        }
    }

    /// Compares the citations with the page, and returns one finding for each difference.
    pub(super) fn compare(self, page: &str) -> Vec<String> {
        let entries: Vec<(RuleId, &str)> = page.lines().filter_map(entry).collect();
        let explained: BTreeSet<RuleId> = entries.iter().map(|(id, _)| *id).collect();
        let mut found = Vec::new();
        for (path, citations) in &self.by_file {
            let missing = citations.ids().filter(|id| !explained.contains(id));
            found.extend(missing.map(|id| format!("{path}: cites {id}, which {PAGE} does not explain")));
        }
        let mut cited = Citations::default();
        self.by_file.into_iter().for_each(|(_, citations)| cited.extend(citations));
        for (id, text) in &entries {
            if !cited.covers(*id) {
                found.push(format!("{PAGE}: {id} is not cited anywhere"));
            }
            if text.is_empty() {
                found.push(format!("{PAGE}: {id} has no text"));
            }
        }
        for ((before, _), (id, _)) in entries.iter().zip(entries.iter().skip(1)) {
            if before >= id {
                found.push(format!("{PAGE}: {id} follows {before}; ids must ascend"));
            }
        }
        found
    }
}

/// The rule and its explanation in a row of the page's tables: `| RW-025 | choice | Checks run … |`.
pub(super) fn entry(line: &str) -> Option<(RuleId, &str)> {
    let (id, rest) = line.strip_prefix('|')?.split_once('|')?;
    let text = rest.trim_end().strip_suffix('|')?.rsplit('|').next()?;
    Some((RuleId::parse(id.trim())?, text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(page: &str) -> Vec<String> {
        let mut cited = CitedRules::default();
        cited.note("a.rs", "// Source: RW-015 to RW-017, CON-31.");
        cited.note("b.rs", "fn rw_025_checks_run_in_order() {} // RW-015");
        cited.note(PAGE, "| RW-018 | choice | A text. |");
        cited.compare(page)
    }

    fn page(ids: &[&str]) -> String {
        let rows = ids.iter().map(|id| format!("| {id} | choice | A text. |\n"));
        ["# Rules\n\n| Id | Basis | What it asks |\n|---|---|---|\n".to_owned()].into_iter().chain(rows).collect()
    }

    #[test]
    fn every_citation_needs_an_entry_and_every_entry_a_citation() {
        assert_eq!(findings(&page(&["CON-31", "RW-015", "RW-016", "RW-017", "RW-025"])), [""; 0]);
        assert_eq!(
            findings(&page(&["CON-31", "RW-015", "RW-017", "RW-025"])),
            [""; 0],
            "inside a range: may be left out"
        );
        let missing = findings(&page(&["CON-31", "RW-017"]));
        let explain = |path, id| format!("{path}: cites {id}, which docs/reference/rules.md does not explain");
        assert_eq!(missing, [explain("a.rs", "RW-015"), explain("b.rs", "RW-015"), explain("b.rs", "RW-025")]);
        let unused = findings(&page(&["CON-31", "RW-015", "RW-017", "RW-018", "RW-025"]));
        assert_eq!(unused, ["docs/reference/rules.md: RW-018 is not cited anywhere"]);
    }

    #[test]
    fn entries_are_in_order_and_say_something() {
        let twice = findings(&page(&["CON-31", "RW-017", "RW-015", "RW-025", "RW-025"]));
        assert_eq!(
            twice,
            ["RW-015 follows RW-017", "RW-025 follows RW-025"]
                .map(|what| format!("docs/reference/rules.md: {what}; ids must ascend"))
        );
        let empty = page(&["CON-31", "RW-015", "RW-017", "RW-025"]).replacen("A text.", "", 1);
        assert_eq!(findings(&empty), ["docs/reference/rules.md: CON-31 has no text"]);
    }
}
