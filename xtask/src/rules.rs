//! Which rules no test names. A list to read, not a gate: some rules cannot be tried from outside.

use crate::{Failure, say};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where tests are.
const CODE: [&str; 2] = ["crates", "tests"];

/// Prints the id of every rule in the `rules-*.md` files of this folder that no test names.
pub(crate) fn rules(spec: &Path) -> Result<(), Failure> {
    let mut named = BTreeSet::new();
    for folder in CODE {
        for file in rust_files(Path::new(folder))? {
            named.extend(ids(test_code(&file, &fs::read_to_string(&file)?)));
        }
    }
    for file in entries(spec)? {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !(name.starts_with("rules-") && name.ends_with(".md")) {
            continue;
        }
        let stated: BTreeSet<String> = fs::read_to_string(&file)?.lines().filter_map(stated).collect();
        let unnamed: Vec<&str> = stated.difference(&named).map(String::as_str).collect();
        say::line(&format!("{name}: {} rules, {} that no test names", stated.len(), unnamed.len()));
        for some in unnamed.chunks(10) {
            say::line(&format!("    {}", some.join(" ")));
        }
    }
    Ok(())
}

/// The rule a line of a rules file states: `- **AS-001** …` or `- **PIS-001 [M]** …`.
fn stated(line: &str) -> Option<String> {
    let (id, _) = line.trim_start().strip_prefix("- **")?.split_once("**")?;
    let id = id.split(' ').next()?;
    ids(id).into_iter().next().filter(|found| found == id)
}

/// The part of a file that is tests: all of it in a folder or file of tests, else what follows `#[cfg(test)]`.
fn test_code<'a>(path: &Path, text: &'a str) -> &'a str {
    let of_tests = |part: &str| part == "tests" || part == "tests.rs" || part == "contract";
    if path.iter().filter_map(|part| part.to_str()).any(of_tests) {
        return text;
    }
    text.find("#[cfg(test)]").and_then(|start| text.get(start..)).unwrap_or_default()
}

/// Every rule id in a text, as `AS-001` or in a function's name as `as_001` and `as_001_002`.
fn ids(text: &str) -> BTreeSet<String> {
    let text = text.to_ascii_uppercase().replace('_', "-");
    let mut found = BTreeSet::new();
    for word in text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '-')) {
        let mut family = None;
        for part in word.split('-') {
            let is_number = part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
            let is_family = (2..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_uppercase());
            match family {
                Some(family) if is_number => {
                    found.insert(format!("{family}-{part}"));
                }
                _ => family = is_family.then_some(part),
            }
        }
    }
    found
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
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

/// What is in a folder, in order.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let read = |error| format!("{} cannot be read: {error}", folder.display());
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).map_err(read)?.map(|entry| Ok(entry?.path())).collect::<Result<_, Failure>>()?;
    entries.sort();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        ids(text).into_iter().collect()
    }

    #[test]
    fn ids_are_found_in_prose_and_in_names() {
        assert_eq!(found("// Source: XA-009, XB-022."), ["XA-009", "XB-022"]);
        assert_eq!(found("fn xa_085_087_and_xb_050_it_works()"), ["XA-085", "XA-087", "XB-050"]);
        assert_eq!(found("xa_1 XA-1234 \"2026-01-02\" xabcde-001"), [""; 0]);
    }

    #[test]
    fn a_rule_is_stated_at_the_start_of_its_line() {
        assert_eq!(stated("- **XA-001** M — text").as_deref(), Some("XA-001"));
        assert_eq!(stated("- **XA-001 [M]** text").as_deref(), Some("XA-001"));
        assert_eq!(stated("as **XA-001** says"), None);
        assert_eq!(stated("- **Config:** text"), None);
    }

    #[test]
    fn only_tests_count() {
        let text = "// XA-001\n#[cfg(test)]\nmod tests { /* XA-002 */ }";
        assert_eq!(found(test_code(Path::new("crates/a/src/b.rs"), text)), ["XA-002"]);
        assert_eq!(found(test_code(Path::new("tests/it/b.rs"), text)).len(), 2);
    }
}
