//! Checks the dependencies of the workspace's crates: each dependency is used, and none brings test doubles into the program.

use super::rows::is_outside;
use crate::command::workspace;
use cargo_metadata::{DependencyKind, Metadata, Package};

/// The feature that enables test doubles and test suites for other crates.
const TESTING: &str = "testing";

/// The data of a dependency that the check needs.
#[derive(Debug, Clone)]
struct Named {
    /// The name of the dependency in source code.
    word: String,
    is_for_tests: bool,
    features: Vec<String>,
}

/// Returns the faults of the dependencies. `sources` are paths within the workspace with their texts.
pub(super) fn check(metadata: &Metadata, sources: &[(String, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let named = named(package);
        let folder = package.manifest_path.parent().and_then(|it| it.strip_prefix(workspace()).ok());
        let folder = folder.map(|it| format!("{it}/")).unwrap_or_default();
        let own: Vec<_> = sources
            .iter()
            .filter_map(|(path, text)| Some((path.strip_prefix(&folder)?, text.as_str())))
            .filter(|(path, _)| path.ends_with(".rs"))
            .collect();
        found.extend(unused(name, &named, &own));
        if !is_outside(name) {
            found.extend(testing(name, &named));
            let forwards = |(feature, on): (&String, &Vec<String>)| {
                feature != TESTING && on.iter().any(|it| it.rsplit('/').next() == Some(TESTING))
            };
            let forwarding = package.features.iter().filter(|it| forwards(*it));
            found.extend(forwarding.map(|(feature, _)| format!("{name}: feature {feature} turns on {TESTING}")));
        }
    }
    found
}

fn named(package: &Package) -> Vec<Named> {
    let dependencies = package.dependencies.iter();
    let named = dependencies.map(|it| Named {
        word: it.rename.as_ref().unwrap_or(&it.name).replace('-', "_"),
        is_for_tests: it.kind == DependencyKind::Development,
        features: it.features.clone(),
    });
    named.collect()
}

/// Finds unused dependencies. A dependency that only test files name must be a development dependency.
fn unused(package: &str, dependencies: &[Named], sources: &[(&str, &str)]) -> Vec<String> {
    let is_used = |it: &&Named| {
        let mut places = sources.iter().filter(|(path, _)| it.is_for_tests || !is_of_tests(path));
        places.any(|(_, text)| names(text, &it.word))
    };
    let unused = dependencies.iter().filter(|it| !is_used(it));
    let finding = |it: &Named| {
        let kind = if it.is_for_tests { "for tests" } else { "outside tests" };
        format!("{package} depends on {} and does not name it {kind}", it.word)
    };
    unused.map(finding).collect()
}

fn testing(package: &str, dependencies: &[Named]) -> Vec<String> {
    let on = dependencies.iter().filter(|it| !it.is_for_tests && it.features.iter().any(|feature| feature == TESTING));
    let finding =
        |it: &Named| format!("{package} turns on feature {TESTING} of {}, which is not for the program", it.word);
    on.map(finding).collect()
}

/// Whether a file contains only tests, by its path within its crate.
pub(super) fn is_of_tests(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs"))
}

/// Whether a text contains this word outside comments.
fn names(text: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.into_iter().any(|line| line.split(|it| !is_part(it)).any(|it| it == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependency(word: &str, is_for_tests: bool, features: &[&str]) -> Named {
        let features = features.iter().map(|it| (*it).to_owned()).collect();
        Named { word: word.to_owned(), is_for_tests, features }
    }

    #[test]
    fn a_dependency_is_named_where_it_is_for() {
        let sources = [
            ("src/lib.rs", "use serde_json::Value; // base64\n//! tokio\nfn metrics_total() {}"),
            ("src/api/tests/uploads.rs", "use base64::Engine;"),
        ];
        let found = |word: &str, is_for_tests| unused("a", &[dependency(word, is_for_tests, &[])], &sources).len();
        assert_eq!((found("serde_json", false), found("serde_json", true)), (0, 0));
        assert_eq!((found("base64", false), found("base64", true)), (1, 0));
        assert_eq!((found("tokio", false), found("metrics", false), found("metrics", true)), (1, 1, 1));
    }

    #[test]
    fn doubles_of_tests_are_for_tests() {
        let found = |is_for_tests, features: &[&str]| testing("a", &[dependency("b", is_for_tests, features)]).len();
        assert_eq!(found(false, &["hooks", "testing"]), 1);
        assert_eq!((found(true, &["testing"]), found(false, &["hooks"])), (0, 0));
    }
}
