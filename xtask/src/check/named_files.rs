//! Checks that the files that pages name exist.

use std::collections::BTreeSet;

/// Returns the missing files that a page names, one finding for each.
pub(super) fn check(page: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    if !page.ends_with(".md") {
        return Vec::new();
    }
    let missing = paths(text).into_iter().filter(|path| !exists(path));
    missing.map(|path| format!("{page}: names {path}, which does not exist")).collect()
}

/// The paths of Rust files in crates that the text names in backticks.
fn paths(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|it| it.starts_with("crates/") && it.ends_with(".rs") && !it.contains(['<', '{', '*'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_named_exists() {
        let text = "See `crates/a/src/lib.rs`, `crates/b/src/gone.rs`, `crates/<x>/y.rs` and `a::b`.";
        let found = check("docs/x.md", text, |path| path == "crates/a/src/lib.rs");
        assert_eq!(found, ["docs/x.md: names crates/b/src/gone.rs, which does not exist"]);
        assert_eq!(check("a.rs", text, |_| false), [""; 0]);
    }
}
