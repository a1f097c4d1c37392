//! Finds the ids of rules in a text: `AS-001` in prose, `as_001_and_003` in a function's name.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// Every family of rules, with the number of digits of its ids.
const FAMILIES: [(&str, usize); 23] = [
    ("AIS", 3),
    ("AS", 3),
    ("CBP", 3),
    ("CBU", 3),
    ("CON", 2),
    ("CVRP", 3),
    ("CX", 2),
    ("DCR", 3),
    ("ERR", 3),
    ("EVT", 3),
    ("FILE", 3),
    ("INT", 3),
    ("PIS", 3),
    ("RTN", 3),
    ("RW", 3),
    ("SCH", 3),
    ("SET", 3),
    ("SO", 3),
    ("SUB", 3),
    ("TLS", 3),
    ("V4", 3),
    ("VRP", 3),
    ("X", 2),
];

/// A family of [`FAMILIES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Family {
    name: &'static str,
    digits: usize,
}

impl Family {
    fn named(is_name: impl Fn(&str) -> bool) -> Option<Self> {
        let (name, digits) = FAMILIES.into_iter().find(|(name, _)| is_name(name))?;
        Some(Self { name, digits })
    }

    fn rule(self, number: &str) -> Option<RuleId> {
        let is_number = number.len() == self.digits && number.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { Some(RuleId { family: self, number: number.parse().ok()? }) } else { None }
    }
}

/// The id of a rule. Ids are ordered by the name of their family, then by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RuleId {
    family: Family,
    number: u16,
}

impl RuleId {
    /// Parses a single id, such as `AS-001`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (family, number) = text.split_once('-')?;
        Family::named(|name| name == family)?.rule(number)
    }
}

impl Display for RuleId {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{:0width$}", self.family.name, self.number, width = self.family.digits)
    }
}

/// The rules that a text cites.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Citations {
    ids: BTreeSet<RuleId>,
    ranges: BTreeSet<(RuleId, RuleId)>,
}

impl Citations {
    /// Finds the ids in a text. In prose, the family is in capitals, and a hyphen joins it to the number. In a name, the family is in small
    /// letters, and an underscore joins it. Further numbers of the same family may follow, also after `and` and `to`.
    pub(crate) fn scan(text: &str) -> Self {
        let mut citations = Self::default();
        let mut previous = None;
        let mut is_range = false;
        for word in text.split(|character: char| !(character.is_ascii_alphanumeric() || "-_".contains(character))) {
            match word {
                "" => {}
                "to" => is_range = true,
                _ => {
                    let start = previous.filter(|_| is_range);
                    previous = citations.scan_word(word, start);
                    is_range = false;
                }
            }
        }
        citations
    }

    /// Records the ids in a word. The word may end a range that an earlier word started. Returns the last id.
    fn scan_word(&mut self, word: &str, start: Option<RuleId>) -> Option<RuleId> {
        let is_name = word.contains('_');
        let is_family = |part: &str, name: &str| if is_name { part == name.to_ascii_lowercase() } else { part == name };
        let mut family = None;
        let mut last = None;
        let mut start = start;
        for part in word.split(if is_name { '_' } else { '-' }) {
            if let Some(id) = family.and_then(|family: Family| family.rule(part)) {
                self.note(id, start.take());
                last = Some(id);
            } else if is_name && part == "to" {
                start = last;
            } else if !(is_name && part == "and") {
                family = Family::named(|name| is_family(part, name));
                // Any other word after `to` does not end a range.
                start = start.filter(|_| family.is_some());
            }
        }
        last
    }

    fn note(&mut self, id: RuleId, start: Option<RuleId>) {
        self.ids.insert(id);
        if let Some(start) = start.filter(|start| start.family == id.family) {
            self.ranges.insert((start, id));
        }
    }

    /// All ids that are written out.
    pub(crate) fn ids(&self) -> impl Iterator<Item = RuleId> + '_ {
        self.ids.iter().copied()
    }

    /// Whether a rule is cited, by its id or by a range that contains it.
    pub(crate) fn covers(&self, id: RuleId) -> bool {
        self.ids.contains(&id) || self.ranges.iter().any(|(first, last)| (first..=last).contains(&&id))
    }

    /// Adds the citations of another text.
    pub(crate) fn extend(&mut self, other: Self) {
        self.ids.extend(other.ids);
        self.ranges.extend(other.ranges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        Citations::scan(text).ids().map(|id| id.to_string()).collect()
    }

    #[test]
    fn ids_are_found_in_prose_and_in_names() {
        assert_eq!(found("// Source: RW-025, AS-022 (CON-31); X-03."), ["AS-022", "CON-31", "RW-025", "X-03"]);
        assert_eq!(found("fn rw_185_187_and_188_as_050_it_works()"), ["AS-050", "RW-185", "RW-187", "RW-188"]);
        assert_eq!(found("fn con_31_in_v4_0_and_v4_003()"), ["CON-31", "V4-003"]);
    }

    #[test]
    fn other_numbers_are_no_ids() {
        for text in
            ["rw_1", "RW-1234", "RFC-7515", "2026-01-02", "sha-256", "x-100", "are_403_and_404", "XRW-001", "X-003"]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_range_covers_what_lies_between_its_ends() {
        for text in ["RW-015 to RW-017", "fn rw_015_to_017_are_read()"] {
            let citations = Citations::scan(text);
            assert_eq!(found(text), ["RW-015", "RW-017"]);
            let covered = ["RW-011", "RW-015", "RW-016", "RW-017", "RW-018"].map(|id| RuleId::parse(id).unwrap());
            assert_eq!(covered.map(|id| citations.covers(id)), [false, true, true, true, false], "{text}");
        }
        assert!(Citations::scan("RW-015 and RW-017, then AS-001 to RW-020").ranges.is_empty());
        assert!(Citations::scan("fn rw_015_goes_to_the_client_and_rw_017_stays()").ranges.is_empty());
    }

    #[test]
    fn an_id_reads_back_as_it_was_written() {
        for id in ["RW-025", "CON-31", "V4-003"] {
            assert_eq!(RuleId::parse(id).unwrap().to_string(), id);
        }
        assert_eq!(["RW-25", "RW", "rw-025", "RW-025a"].map(RuleId::parse), [None; 4]);
    }
}
