//! The rows of the house (docs/architecture.md), circles of files, the length of files, leftovers, files that pages name,
//! and explanations of cited rules.

use super::citations::{CitedRules, PAGE};
use super::{circles, dependencies, findings, named_files};
use crate::TaskError;
use crate::command::{output, workspace};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};
use std::fs;
use std::process::Command;

/// Each room with its row. A room depends on rows below its own.
const ROWS: [(&str, u8); 13] = [
    ("lombard-domain", 0),
    ("lombard-ports", 1),
    ("lombard-jose", 1),
    ("lombard-wire", 2),
    ("lombard-service", 2),
    ("lombard-database", 2),
    ("lombard-auth", 3),
    ("lombard-store", 3),
    ("lombard-corebank", 3),
    ("lombard-http", 4),
    ("lombard-sandbox", 4),
    ("lombard-tpp", 4),
    ("lombard", 5),
];

/// Dependencies that only one room may have.
const KEPT: [(&str, &str); 4] = [
    ("axum", "lombard-http"),
    ("rusqlite", "lombard-database"),
    ("tokio-postgres", "lombard-database"),
    ("deadpool-postgres", "lombard-database"),
];

/// The words that only the built-in bank, the sandbox and the wiring may use: the bank, and its customers' logins.
const BUILT_IN: [&str; 2] = [concat!("lombard_core", "bank"), concat!("Sandbox", "Identity")];

/// Where they may stand: these folders and files, and whatever stands outside the rows.
const BUILT_IN_PLACES: [&str; 7] = [
    "crates/corebank/",
    "crates/sandbox/",
    "crates/lombard/src/server/core.rs",
    "tests/",
    "simulation/",
    "bench/",
    "docs/",
];

/// What stands outside the rows.
const OUTSIDE: [&str; 4] = ["lombard-tests", "lombard-bench", "lombard-simulation", "xtask"];

const LINES_MAX: usize = 500;
/// A file beyond the limit says why in its first lines, behind these words.
const REASON: &str = "Long because";
const REASON_LINES: usize = 12;

pub(super) fn check() -> Result<(), TaskError> {
    let metadata = MetadataCommand::new().current_dir(workspace()).no_deps().exec()?;
    let mut found = crate_rows(&metadata);
    let (mut cited, mut sources) = (CitedRules::default(), Vec::new());
    let listing = output(Command::new("git").args(["ls-files", "-z"]).current_dir(workspace()))?;
    for path in listing.split('\0').filter(|path| is_ours(path)) {
        // A file that was deleted but not committed yet is still listed.
        if let Ok(text) = fs::read_to_string(workspace().join(path)) {
            found.extend(file(path, &text));
            found.extend(named_files::check(path, &text, |named| workspace().join(named).exists()));
            cited.note(path, &text);
            sources.push((path.to_owned(), text));
        }
    }
    found.extend(dependencies::check(&metadata, &sources));
    found.extend(circles::check(&metadata));
    found.extend(cited.compare(&fs::read_to_string(workspace().join(PAGE)).unwrap_or_default()));
    findings("not tidy", &found)
}

fn is_ours(path: &str) -> bool {
    [".rs", ".toml", ".md", ".sql", ".html", ".css"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a crate stands outside the rows: no program is made of it.
pub(super) fn is_outside(name: &str) -> bool {
    OUTSIDE.contains(&name)
}

fn row(name: &str) -> Option<u8> {
    ROWS.iter().find(|(room, _)| *room == name).map(|(_, row)| *row)
}

fn crate_rows(metadata: &Metadata) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        if is_outside(name) {
            continue;
        }
        let Some(own) = row(name) else {
            found.push(format!("{name}: has no row; give it one in xtask/src/check/tidy.rs"));
            continue;
        };
        for dependency in
            package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development)
        {
            let other = dependency.name.as_str();
            if row(other).is_some_and(|other| other >= own) {
                found.push(format!("{name} depends on {other}, which is not on a row below"));
            }
            if KEPT.iter().any(|(kept, keeper)| *kept == other && *keeper != name) {
                found.push(format!("{name} depends on {other}, which another room keeps"));
            }
        }
    }
    found
}

fn file(path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    let explained = text.lines().take(REASON_LINES).any(|line| line.contains(REASON));
    if path.ends_with(".rs") && lines > LINES_MAX && !explained {
        found.push(format!("{path}: {lines} lines; look for the second idea, or say \"{REASON} …\" at its top"));
    }
    if path.ends_with(".rs") && !BUILT_IN_PLACES.iter().any(|place| path.starts_with(place)) {
        let named = BUILT_IN.into_iter().filter(|word| text.contains(word));
        found.extend(named.map(|word| format!("{path}: names {word}; only server/core.rs chooses the bank")));
    }
    // Spelt so that this file passes its own check.
    let leftover = concat!("TO", "DO");
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.contains(leftover)) {
        found.push(format!("{path}:{}: {}", index + 1, line.trim()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_bank_is_named_where_it_is_chosen_and_nowhere_else() {
        let text = format!("use {}::BuiltInBank;\n", BUILT_IN[0]);
        assert_eq!(file("crates/http/src/app.rs", &text).len(), 1);
        assert_eq!(file("crates/lombard/src/server/mod.rs", &text).len(), 1);
        assert_eq!(file("crates/lombard/src/server/core.rs", &text), Vec::<String>::new());
        assert_eq!(file("crates/sandbox/src/lib.rs", &text), Vec::<String>::new());
    }

    #[test]
    fn long_files_and_leftovers_are_found() {
        let long = "//! A map.\n".repeat(LINES_MAX + 1);
        assert_eq!(file("a.rs", &long).len(), 1);
        assert_eq!(file("a.rs", &format!("//! {REASON} it is one table.\n{long}")), Vec::<String>::new());
        assert_eq!(file("a.md", &long), Vec::<String>::new());
        let leftover = format!("fine\n// {}DO: later", "TO");
        assert_eq!(file("a.rs", &leftover), [format!("a.rs:2: // {}DO: later", "TO")]);
    }
}
