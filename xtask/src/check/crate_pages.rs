//! Checks that each crate has a page that describes its purpose and is also the crate's documentation.

/// The line by which a crate's root file includes its page as documentation.
const INCLUDED: &str = "#![doc = include_str!(\"../README.md\")]";
/// The words that introduce what the crate is not allowed to do.
const LIMITS: &str = "must not";
/// The line before the list of files.
const FILES: &str = "Where to begin:";
/// The maximum number of lines, so that a page can be read in a minute.
const LINES_MAX: usize = 20;

/// Returns the faults of a crate's page. `read` reads a file of the workspace.
pub(super) fn check(package: &str, folder: &str, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let page = format!("{folder}/README.md");
    let Some(text) = read(&page) else { return vec![format!("{page}: does not exist")] };
    let mut found = Vec::new();
    let mut report = |path: &str, what: String| found.push(format!("{path}: {what}"));
    let root = format!("{folder}/src/lib.rs");
    let lines = read(&root).unwrap_or_default();
    if !lines.lines().any(|line| line == INCLUDED) || lines.lines().any(|line| line.starts_with("//!")) {
        report(&root, format!("its documentation is {INCLUDED} alone"));
    }
    if text.lines().next() != Some(&format!("# {package}")) {
        report(&page, format!("its title is not {package}"));
    }
    if !text.contains(LIMITS) {
        report(&page, format!("does not say what the crate {LIMITS} do"));
    }
    if text.lines().count() > LINES_MAX {
        report(&page, format!("{} lines; at most {LINES_MAX}", text.lines().count()));
    }
    let listed = text.split_once(FILES).map(|(_, list)| list).unwrap_or_default();
    let files: Vec<_> = listed.lines().filter_map(|line| line.strip_prefix("- `")?.split_once("`: ")).collect();
    if files.is_empty() {
        report(&page, format!("has no list of files after \"{FILES}\""));
    }
    for (file, _) in files.iter().filter(|(file, _)| read(&format!("{folder}/{file}")).is_none()) {
        report(&page, format!("names {file}, which does not exist"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "# lombard-a\n\nWhat it is for. It must not do more.\n\nWhere to begin:\n\n- `src/lib.rs`: all.\n";

    fn findings(page: &str, root: &str) -> Vec<String> {
        check("lombard-a", "crates/a", |path| match path {
            "crates/a/README.md" => Some(page.to_owned()),
            "crates/a/src/lib.rs" => Some(root.to_owned()),
            _ => None,
        })
    }

    #[test]
    fn a_crate_has_a_page_that_is_its_documentation() {
        assert_eq!(findings(PAGE, &format!("{INCLUDED}\n\npub mod a;\n")), [""; 0]);
        for root in ["pub mod a;\n", "//! A crate.\n", &format!("//! A crate.\n{INCLUDED}\n")] {
            assert_eq!(findings(PAGE, root), [format!("crates/a/src/lib.rs: its documentation is {INCLUDED} alone")]);
        }
        assert_eq!(check("lombard-a", "crates/a", |_| None), ["crates/a/README.md: does not exist"]);
    }

    #[test]
    fn a_page_says_what_the_crate_is_for_and_where_to_begin() {
        let changed = |from: &str, to: &str| findings(&PAGE.replace(from, to), INCLUDED).concat();
        assert_eq!(changed("# lombard-a", "# lombard-b"), "crates/a/README.md: its title is not lombard-a");
        assert_eq!(changed("must not", "may"), "crates/a/README.md: does not say what the crate must not do");
        assert_eq!(changed("src/lib.rs", "src/b.rs"), "crates/a/README.md: names src/b.rs, which does not exist");
        assert_eq!(changed("Where to", "Do not"), "crates/a/README.md: has no list of files after \"Where to begin:\"");
        assert_eq!(changed("What it is for.", &"\n".repeat(20)), "crates/a/README.md: 27 lines; at most 20");
    }
}
