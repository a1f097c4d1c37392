//! Checks the files that the repository contains for its users and for its host: they exist, their intended readers can parse them, and
//! they agree with the rest of the repository.

mod forms;
mod policy;
mod tasks;
mod updates;
mod workflows;
mod yaml;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

/// The files that must exist.
const REQUIRED: [&str; 12] = [
    ".editorconfig",
    ".github/ISSUE_TEMPLATE/bug.yml",
    ".github/ISSUE_TEMPLATE/config.yml",
    ".github/ISSUE_TEMPLATE/feature.yml",
    ".github/pull_request_template.md",
    ".github/workflows/check.yml",
    ".github/workflows/release.yml",
    ".github/workflows/test.yml",
    "CONTRIBUTING.md",
    SECURITY,
    DEPENDENCY_POLICY,
    UPDATES,
];
const SECURITY: &str = "SECURITY.md";
const DEPENDENCY_POLICY: &str = "deny.toml";
const UPDATES: &str = "renovate.json";
const WORKFLOWS: &str = ".github/workflows/";
const FORMS: &str = ".github/ISSUE_TEMPLATE/";

/// The facts with which the files must agree.
#[derive(Debug)]
pub(super) struct RepositoryFacts {
    /// The names of the tasks of `cargo xtask`.
    pub(super) tasks: Vec<String>,
    /// The minimum version of Rust for the workspace, such as `1.95`.
    pub(super) rust_version: String,
    /// The version of the workspace, such as `0.2.0`.
    pub(super) version: String,
}

/// Whether this check reads a file of the repository.
pub(super) fn is_read(path: &str) -> bool {
    REQUIRED.contains(&path) || path.starts_with(".github/") || path.ends_with(".md") || path == ".ci/run"
}

/// Returns the faults of the files, which are given by their paths.
pub(super) fn check(files: &BTreeMap<String, String>, facts: &RepositoryFacts) -> Vec<String> {
    let missing = REQUIRED.into_iter().filter(|path| !files.contains_key(*path));
    let mut found: Vec<_> = missing.map(|path| format!("{path}: does not exist")).collect();
    for (path, text) in files {
        let mut faults: Vec<_> = tasks::unknown_tasks(text, &facts.tasks);
        faults.extend(check_file(path, text, facts));
        found.extend(faults.into_iter().map(|fault| format!("{path}: {fault}")));
    }
    found
}

/// Returns the faults of a file, by its purpose.
fn check_file(path: &str, text: &str, facts: &RepositoryFacts) -> Vec<String> {
    match path {
        DEPENDENCY_POLICY => policy::check(text),
        UPDATES => updates::check(text),
        SECURITY => supported_version(text, &facts.version).into_iter().collect(),
        _ if path.starts_with(WORKFLOWS) => workflows::check(text, &facts.rust_version),
        _ if path.starts_with(FORMS) => forms::check(path, text),
        _ => Vec::new(),
    }
}

/// The fault of a security page that does not list the present minor version as supported.
fn supported_version(text: &str, version: &str) -> Option<String> {
    let minor = version.rsplit_once('.').map_or(version, |(minor, _)| minor);
    let row = format!("| {minor} | yes |");
    (!text.contains(&row)).then(|| format!("does not have the row \"{row}\""))
}
