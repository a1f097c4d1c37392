//! Checks that the files which pages name exist, and that a payment is followed through few of them.

use std::collections::BTreeSet;

/// The page with the walkthroughs.
const ARCHITECTURE: &str = "docs/architecture.md";

/// The walkthrough whose files are counted, and how many a reader may have to open.
const WALKTHROUGH: &str = "### The files of steps 1 to 3";
const WALKTHROUGH_FILES_MAX: usize = 35;

/// What is wrong with the files that a page names, one finding each.
pub(super) fn check(page: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    if !page.ends_with(".md") {
        return Vec::new();
    }
    let missing = paths(text).into_iter().filter(|path| !exists(path));
    let mut found: Vec<_> = missing.map(|path| format!("{page}: names {path}, which does not exist")).collect();
    if page == ARCHITECTURE {
        found.extend(walkthrough(text));
    }
    found
}

/// The Rust files of the crates that stand in backticks.
fn paths(text: &str) -> BTreeSet<&str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|it| it.starts_with("crates/") && it.ends_with(".rs") && !it.contains(['<', '{', '*'])).collect()
}

fn walkthrough(text: &str) -> Option<String> {
    let Some((_, rest)) = text.split_once(WALKTHROUGH) else {
        return Some(format!("{ARCHITECTURE}: has no section \"{WALKTHROUGH}\""));
    };
    let section = rest.split("\n#").next().unwrap_or_default();
    let count = paths(section).len();
    let fits = (1..=WALKTHROUGH_FILES_MAX).contains(&count);
    (!fits).then(|| format!("{ARCHITECTURE}: {count} files in \"{WALKTHROUGH}\"; at most {WALKTHROUGH_FILES_MAX}"))
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

    #[test]
    fn the_walkthrough_names_few_files() {
        let page = |count: usize| {
            let files: String = (0..count).map(|number| format!("1. `crates/f{number}.rs`: a file.\n")).collect();
            format!("{WALKTHROUGH}\n\n{files}\n## Next\n\n`crates/other.rs`\n")
        };
        let found = |count| check(ARCHITECTURE, &page(count), |_| true);
        assert_eq!(found(WALKTHROUGH_FILES_MAX), [""; 0]);
        assert_eq!(found(WALKTHROUGH_FILES_MAX + 1).len(), 1);
        assert_eq!(found(0).len(), 1);
        assert_eq!(check(ARCHITECTURE, "", |_| true).len(), 1);
    }
}
