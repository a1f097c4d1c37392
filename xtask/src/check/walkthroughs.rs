//! Checks the page that follows four requests through the files: its sections, and the list of files in each section.

use std::collections::BTreeSet;

/// The path of the page.
pub(super) const PAGE: &str = "docs/development/walkthroughs.md";

/// The sections in their order, each with the maximum number of its files, if there is one.
const SECTIONS: [(&str, Option<usize>); 4] =
    [("A payment", Some(18)), ("A poll", Some(12)), ("A list of transactions", None), ("A token", None)];

/// A step of a list: its number, and the file that it names and describes.
struct Step<'a> {
    number: &'a str,
    file: Option<&'a str>,
}

/// Returns the faults of the page.
pub(super) fn check(text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let sections: Vec<_> = text.split("\n## ").skip(1).map(|it| it.split_once('\n').unwrap_or((it, ""))).collect();
    let titles: Vec<_> = sections.iter().map(|(title, _)| title.trim()).collect();
    let expected = SECTIONS.map(|(title, _)| title);
    if titles != expected {
        return vec![format!("{PAGE}: has the sections {titles:?}; expected are {expected:?}")];
    }
    let sections = SECTIONS.iter().zip(sections);
    sections.flat_map(|((title, files_max), (_, body))| section(title, *files_max, body, &exists)).collect()
}

/// Returns the faults of a section.
fn section(title: &str, files_max: Option<usize>, body: &str, exists: &impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut report = |what: String| found.push(format!("{PAGE}: {title}: {what}"));
    let steps: Vec<_> = body.lines().filter_map(step).collect();
    let is_introduced = body.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| step(line).is_none());
    if !is_introduced {
        report("the list has no introduction".to_owned());
    }
    if steps.is_empty() {
        report("there is no list of files".to_owned());
    }
    let mut files = BTreeSet::new();
    for (index, Step { number, file }) in steps.iter().enumerate() {
        let expected = index.saturating_add(1).to_string();
        if *number != expected {
            report(format!("step {number} stands where step {expected} should"));
        }
        match file {
            None => report(format!(
                "step {number} is not of the form \"{number}. `crates/…/file.rs`: what happens there.\""
            )),
            Some(file) if !exists(file) => report(format!("step {number} names {file}, which does not exist")),
            Some(file) if !files.insert(*file) => report(format!("step {number} names {file} again")),
            Some(_) => {}
        }
    }
    if let Some(max) = files_max.filter(|max| files.len() > *max) {
        report(format!("{} files; at most {max}", files.len()));
    }
    found
}

/// The step that begins on a line, if one does.
fn step(line: &str) -> Option<Step<'_>> {
    let (number, rest) = line.split_once(". ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let file = || {
        let (file, sentence) = rest.strip_prefix('`')?.split_once("`: ")?;
        (file.starts_with("crates/") && file.ends_with(".rs") && !sentence.trim().is_empty()).then_some(file)
    };
    is_number.then(|| Step { number, file: file() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page whose sections have these numbers of files.
    fn page(counts: [usize; 4]) -> String {
        let list = |(title, count): (&str, usize)| {
            let steps: String =
                (1..=count).map(|it| format!("{it}. `crates/a/f{it}.rs`: something\n   happens.\n")).collect();
            format!("## {title}\n\nWhat it is.\n\n{steps}\n")
        };
        let titles = SECTIONS.map(|(title, _)| title);
        format!("# Walkthroughs\n\n{}", titles.into_iter().zip(counts).map(list).collect::<String>())
    }

    fn findings(page: &str) -> Vec<String> {
        let found = check(page, |path| path != "crates/gone.rs");
        found.into_iter().map(|it| it.trim_start_matches(&format!("{PAGE}: ")).to_owned()).collect()
    }

    #[test]
    fn the_page_has_four_sections_in_order() {
        assert_eq!(findings(&page([1, 1, 1, 1])), [""; 0]);
        let renamed = page([1, 1, 1, 1]).replace("## A poll", "## Polls");
        assert_eq!(findings(&renamed).len(), 1);
        let further = page([1, 1, 1, 1]) + "## A consent\n\nWhat it is.\n\n1. `crates/a/f.rs`: it.\n";
        assert_eq!(findings(&further).len(), 1);
        assert_eq!(findings("").len(), 1);
    }

    #[test]
    fn the_first_lists_are_short() {
        assert_eq!(findings(&page([18, 12, 30, 30])), [""; 0]);
        assert_eq!(
            findings(&page([19, 13, 1, 1])),
            ["A payment: 19 files; at most 18", "A poll: 13 files; at most 12"]
        );
        assert_eq!(findings(&page([1, 1, 1, 0])), ["A token: there is no list of files"]);
    }

    #[test]
    fn steps_are_numbered_in_order_and_name_a_file_once() {
        let changed = |from: &str, to: &str| findings(&page([1, 1, 1, 3]).replace(from, to));
        assert_eq!(changed("3. `", "4. `"), ["A token: step 4 stands where step 3 should"]);
        assert_eq!(changed("crates/a/f3.rs", "crates/a/f2.rs"), ["A token: step 3 names crates/a/f2.rs again"]);
        assert_eq!(
            changed("crates/a/f3.rs", "crates/gone.rs"),
            ["A token: step 3 names crates/gone.rs, which does not exist"]
        );
        for unformed in ["crates/a/f3.md", "docs/f3.rs"] {
            assert_eq!(changed("crates/a/f3.rs", unformed).len(), 1, "{unformed}");
        }
        assert_eq!(changed("f3.rs`: something", "f3.rs`:").len(), 1, "a file without a sentence");
    }

    #[test]
    fn a_list_is_introduced() {
        let bare = page([1, 1, 1, 1]).replacen("What it is.\n\n", "", 1);
        assert_eq!(findings(&bare), ["A payment: the list has no introduction"]);
    }
}
