//! Lists the rules that no test names. The list is not a check, because some rules cannot be tested from outside.

use crate::error::TaskError;
use crate::output;
use crate::rule_ids::{Citations, RuleId};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that contain tests.
const CODE: [&str; 2] = ["crates", "tests"];

/// Prints the id of every rule in the `rules-*.md` files of this folder that no test names.
pub(crate) fn rules(spec: &Path) -> Result<(), TaskError> {
    let mut named = Citations::default();
    for folder in CODE {
        for file in rust_files(Path::new(folder))? {
            named.extend(Citations::scan(test_code(&file, &fs::read_to_string(&file)?)));
        }
    }
    for file in entries(spec)? {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !(name.starts_with("rules-") && name.ends_with(".md")) {
            continue;
        }
        let stated: BTreeSet<RuleId> = fs::read_to_string(&file)?.lines().filter_map(stated).collect();
        let unnamed: Vec<String> = stated.iter().filter(|id| !named.covers(**id)).map(RuleId::to_string).collect();
        output::line(&format!("{name}: {} rules, {} that no test names", stated.len(), unnamed.len()));
        for some in unnamed.chunks(10) {
            output::line(&format!("    {}", some.join(" ")));
        }
    }
    Ok(())
}

/// The rule that a line of a rules file states: `- **AS-001** …` or `- **PIS-001 [M]** …`.
fn stated(line: &str) -> Option<RuleId> {
    let (id, _) = line.trim_start().strip_prefix("- **")?.split_once("**")?;
    RuleId::parse(id.split(' ').next()?)
}

/// The test code of a file: all of it in a folder or file for tests, otherwise the part after `#[cfg(test)]`.
pub(crate) fn test_code<'a>(path: &Path, text: &'a str) -> &'a str {
    let of_tests = |part: &str| part == "tests" || part == "tests.rs" || part == "contract";
    if path.iter().filter_map(|part| part.to_str()).any(of_tests) {
        return text;
    }
    text.find("#[cfg(test)]").and_then(|start| text.get(start..)).unwrap_or_default()
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let mut files = Vec::new();
    for entry in entries(folder)? {
        if entry.is_dir() {
            files.extend(rust_files(&entry)?);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
    Ok(files)
}

/// The entries of a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let read = |error| format!("{} cannot be read: {error}", folder.display());
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).map_err(read)?.map(|entry| Ok(entry?.path())).collect::<Result<_, TaskError>>()?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_stated_at_the_start_of_its_line() {
        let rule = RuleId::parse("RW-025");
        assert!(rule.is_some());
        assert_eq!(stated("- **RW-025** M — text"), rule);
        assert_eq!(stated("- **RW-025 [M]** text"), rule);
        assert_eq!(stated("as **RW-025** says"), None);
        assert_eq!(stated("- **Config:** text"), None);
    }

    #[test]
    fn only_tests_count() {
        let text = "// code\n#[cfg(test)]\nmod tests { }";
        assert_eq!(test_code(Path::new("crates/a/src/b.rs"), text), "#[cfg(test)]\nmod tests { }");
        assert_eq!(test_code(Path::new("tests/it/b.rs"), text), text);
    }
}
