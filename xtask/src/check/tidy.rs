//! Runs the repository's own checks: layers of crates (docs/architecture.md), dependency cycles, file lengths, leftovers, named files,
//! walkthroughs, crate pages, repository files, writers of files, and explanations of cited rules.

use super::citations::{CitedRules, PAGE};
use super::findings::fail_on;
use super::repository_files::RepositoryFacts;
use super::{crate_pages, cycles, dependencies, named_files, repository_files, rows, untested, walkthroughs, writers};
use crate::arguments::task_names;
use crate::command::{output, workspace};
use crate::error::TaskError;
use cargo_metadata::{Metadata, MetadataCommand, Package};
use std::fs;
use std::process::Command;

/// The words that only the built-in bank, the sandbox and the wiring may use: the bank's crate, and the logins of its customers.
const BUILT_IN: [&str; 2] = [concat!("lombard_core", "bank"), concat!("Sandbox", "Identity")];

/// The folders and files that may use these words, in addition to crates outside the rows.
const BUILT_IN_PLACES: [&str; 7] = [
    "crates/corebank/",
    "crates/sandbox/",
    "crates/lombard/src/server/core.rs",
    "tests/",
    "simulation/",
    "bench/",
    "docs/",
];

/// The package of the program, whose version is the version of the workspace.
const PROGRAM: &str = "lombard";

/// The maximum number of characters of a test's name.
const TEST_NAME_MAX: usize = 70;

const LINES_MAX: usize = 500;
/// The words after which the first lines of a longer file give the reason for its length.
const REASON: &str = "Long because";
const REASON_LINES: usize = 12;

pub(super) fn check() -> Result<(), TaskError> {
    let metadata = MetadataCommand::new().current_dir(workspace()).no_deps().exec()?;
    let mut found = rows::check(&metadata);
    found.extend(pages_of_crates(&metadata));
    let mut cited = CitedRules::default();
    let mut sources = Vec::new();
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
    found.extend(repository_files(&metadata, &listing));
    found.extend(dependencies::check(&metadata, &sources));
    found.extend(writers::check(&sources));
    found.extend(cycles::check(&metadata));
    let followed = fs::read_to_string(workspace().join(walkthroughs::PAGE)).unwrap_or_default();
    found.extend(walkthroughs::check(&followed, |named| workspace().join(named).exists()));
    let page = fs::read_to_string(workspace().join(PAGE)).unwrap_or_default();
    found.extend(cited.compare(&page));
    let reasons = fs::read_to_string(workspace().join(untested::REASONS)).unwrap_or_default();
    found.extend(untested::check(&page, &reasons, &sources));
    fail_on("not tidy", &found)
}

/// Returns the faults of the pages of the program's crates.
fn pages_of_crates(metadata: &Metadata) -> Vec<String> {
    let inside = metadata.workspace_packages().into_iter().filter(|package| !rows::is_outside(package.name.as_str()));
    let read = |path: &str| fs::read_to_string(workspace().join(path)).ok();
    let page = |package: &Package| {
        let folder = package.manifest_path.parent().and_then(|it| it.strip_prefix(workspace()).ok());
        crate_pages::check(package.name.as_str(), folder.map_or("", |it| it.as_str()), read)
    };
    inside.flat_map(page).collect()
}

/// Returns the faults of the files for the repository's users and for its host.
fn repository_files(metadata: &Metadata, listing: &str) -> Vec<String> {
    let paths = listing.split('\0').filter(|path| repository_files::is_read(path));
    let read = |path: &str| Some((path.to_owned(), fs::read_to_string(workspace().join(path)).ok()?));
    let program = metadata.packages.iter().find(|package| package.name.as_str() == PROGRAM);
    let rust = program.and_then(|package| package.rust_version.as_ref());
    let facts = RepositoryFacts {
        tasks: task_names(),
        rust_version: rust.map(|it| format!("{}.{}", it.major, it.minor)).unwrap_or_default(),
        version: program.map(|package| package.version.to_string()).unwrap_or_default(),
    };
    repository_files::check(&paths.filter_map(read).collect(), &facts)
}

fn is_ours(path: &str) -> bool {
    [".rs", ".toml", ".md", ".sql", ".html", ".css"].iter().any(|ending| path.ends_with(ending))
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
    if path.ends_with(".rs") {
        let long = test_names(text).filter(|name| name.len() > TEST_NAME_MAX);
        found.extend(
            long.map(|name| format!("{path}: the test {name} has a name of more than {TEST_NAME_MAX} characters")),
        );
    }
    if path.ends_with(".rs") {
        // Reading each crate again for its examples takes minutes. What an example shows is a test.
        let examples = run_examples(text).into_iter();
        found.extend(examples.map(|number| format!("{path}:{number}: an example that no test runs; say `text`")));
    }
    // The word is spelled in two parts, so that this file passes its own check.
    let leftover = concat!("TO", "DO");
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.contains(leftover)) {
        found.push(format!("{path}:{}: {}", index + 1, line.trim()));
    }
    found
}

/// The numbers of the lines with which examples of the documentation begin that `cargo test` would run: those in Rust, which is also the
/// language of an example that names none.
fn run_examples(text: &str) -> Vec<usize> {
    const NOT_RUN: [&str; 5] = ["ignore", "text", "toml", "json", "sh"];
    let fence = |line: &str| {
        let comment = ["///", "//!"].into_iter().find_map(|mark| line.trim_start().strip_prefix(mark))?;
        comment.trim_start().strip_prefix("```").map(str::to_owned)
    };
    let fences = text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, fence(line)?)));
    let begins = fences.step_by(2);
    begins.filter(|(_, language)| !NOT_RUN.contains(&language.as_str())).map(|(number, _)| number).collect()
}

/// The names of the functions that have a test attribute.
fn test_names(text: &str) -> impl Iterator<Item = &str> {
    let is_attribute = |line: &str| ["#[test]", "#[tokio::test"].iter().any(|it| line.trim_start().starts_with(it));
    text.lines()
        .scan(false, move |is_test, line| {
            let name = line.split_once("fn ").and_then(|(_, rest)| rest.split('(').next()).filter(|_| *is_test);
            *is_test = is_attribute(line) || (*is_test && name.is_none());
            Some(name)
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_bank_is_named_where_it_is_chosen_and_nowhere_else() {
        let text = format!("use {}::BuiltInBank;\n", BUILT_IN[0]);
        assert_eq!(file("crates/edge/src/app/mod.rs", &text).len(), 1);
        assert_eq!(file("crates/lombard/src/server/mod.rs", &text).len(), 1);
        assert_eq!(file("crates/lombard/src/server/core.rs", &text), Vec::<String>::new());
        assert_eq!(file("crates/sandbox/src/lib.rs", &text), Vec::<String>::new());
    }

    #[test]
    fn a_long_name_of_a_test_is_found() {
        let named =
            |attribute: &str, length| format!("{attribute}\n#[ignore]\nasync fn {}() {{}}\n", "a".repeat(length));
        for attribute in ["#[test]", "    #[tokio::test(start_paused = true)]"] {
            assert_eq!(file("a.rs", &named(attribute, TEST_NAME_MAX + 1)).len(), 1);
            assert_eq!(file("a.rs", &named(attribute, TEST_NAME_MAX)), Vec::<String>::new());
        }
        assert_eq!(file("a.rs", &named("#[derive(Debug)]", TEST_NAME_MAX + 1)), Vec::<String>::new());
    }

    #[test]
    fn an_example_that_claims_to_be_run_is_found() {
        let example = |language: &str| format!("/// ```{language}\n/// let a = 1;\n/// ```\n");
        for language in ["", "rust", "no_run"] {
            let text = format!("{}{}", example("text"), example(language));
            assert_eq!(file("a.rs", &text), ["a.rs:4: an example that no test runs; say `text`"]);
        }
        assert_eq!(file("a.rs", &example("ignore")), Vec::<String>::new());
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
