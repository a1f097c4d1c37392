//! Checks that a test names each rule for the authorisation server, for registration and for TLS, or that a reason is recorded.

use super::citations::{PAGE, entry};
use crate::rule_ids::{Citations, RuleId};
use crate::rules::test_code;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;

/// The file with the reasons.
pub(super) const REASONS: &str = "docs/reference/deviations.toml";
/// The families of rules that are checked.
const FAMILIES: [&str; 3] = ["AS-", "DCR-", "TLS-"];
/// The folders that contain tests.
const CODE: [&str; 2] = ["crates/", "tests/"];

#[derive(Debug, Deserialize)]
struct File {
    #[serde(default)]
    untested: Vec<Untested>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Untested {
    rule: String,
    why: String,
}

/// Compares the rules of the page with the rules that tests name and with the recorded reasons. Returns one finding for each fault.
pub(super) fn check(page: &str, reasons: &str, sources: &[(String, String)]) -> Vec<String> {
    let file: File = match toml::from_str(reasons) {
        Ok(file) => file,
        Err(error) => return vec![format!("{REASONS}: {error}")],
    };
    let mut found = Vec::new();
    let mut explained = BTreeSet::new();
    for Untested { rule, why } in &file.untested {
        match RuleId::parse(rule) {
            Some(id) if !why.is_empty() => drop(explained.insert(id)),
            _ => found.push(format!("{REASONS}: {rule} is no rule, or has no reason")),
        }
    }
    let mut named = Citations::default();
    let tests = sources.iter().filter(|(path, _)| path.ends_with(".rs") && CODE.iter().any(|it| path.starts_with(it)));
    tests.for_each(|(path, text)| named.extend(Citations::scan(test_code(Path::new(path), text))));
    let rules = page.lines().filter_map(entry).map(|(id, _)| id);
    for id in rules.filter(|id| FAMILIES.iter().any(|family| id.to_string().starts_with(family))) {
        match (named.covers(id), explained.remove(&id)) {
            (false, false) => found.push(format!("{PAGE}: no test names {id}, and {REASONS} has no reason for it")),
            (true, true) => found.push(format!("{REASONS}: a test names {id}")),
            (true, false) | (false, true) => {}
        }
    }
    found.extend(explained.iter().map(|id| format!("{REASONS}: {PAGE} does not have {id}")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_has_a_test_or_a_reason_and_not_both() {
        let page =
            "| AS-001 | choice | A. |\n| AS-002 | choice | B. |\n| RW-001 | choice | C. |\n| TLS-001 | choice | D. |\n";
        let source = |text: &str| vec![("tests/it/a.rs".to_owned(), text.to_owned())];
        let reason = |rule: &str| format!("[[untested]]\nrule = \"{rule}\"\nwhy = \"It is a duty of the bank.\"\n");
        let named = source("fn as_001_is_right() {} // TLS-001");
        assert_eq!(check(page, &reason("AS-002"), &named), [""; 0]);
        let nothing = check(page, "", &named);
        assert_eq!(nothing, [format!("{PAGE}: no test names AS-002, and {REASONS} has no reason for it")]);
        let both = check(page, &(reason("AS-002") + &reason("AS-001")), &named);
        assert_eq!(both, [format!("{REASONS}: a test names AS-001")]);
        let unknown = check(page, &(reason("AS-002") + &reason("AS-003")), &named);
        assert_eq!(unknown, [format!("{REASONS}: {PAGE} does not have AS-003")]);
        let outside =
            vec![("crates/a/src/lib.rs".to_owned(), "// AS-002\n#[cfg(test)]\n// AS-001, TLS-001".to_owned())];
        assert_eq!(check(page, "", &outside).len(), 1, "only tests count");
    }
}
