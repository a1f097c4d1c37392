//! Tests that each check finds its faults, and finds none in correct files.

use super::*;

const WORKFLOW: &str = "
name: Check
on: [push]
permissions:
  contents: read
concurrency:
  group: check
jobs:
  check:
    runs-on: ubuntu-24.04
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@v6
      - run: rustup toolchain install 1.95 --profile minimal
      - run: cargo xtask check
";

const FORM: &str = "
name: Bug
description: Something is wrong.
body:
  - type: markdown
    attributes:
      value: A text.
  - type: input
    id: version
    attributes:
      label: Version
";

const UPDATES_SETTINGS: &str = r#"{
  "extends": ["config:recommended"],
  "enabledManagers": ["cargo", "github-actions"],
  "lockFileMaintenance": { "enabled": true, "schedule": ["before 6am on monday"] },
  "packageRules": [
    { "matchManagers": ["cargo"], "groupName": "crates" },
    { "matchManagers": ["github-actions"], "groupName": "actions" }
  ]
}"#;

fn facts() -> RepositoryFacts {
    let tasks = ["check", "test"].map(str::to_owned).to_vec();
    RepositoryFacts { tasks, rust_version: "1.95".to_owned(), version: "0.2.0".to_owned() }
}

/// The faults of a file after one text in it was replaced.
fn faults(path: &str, text: &str, from: &str, to: &str) -> Vec<String> {
    assert!(text.contains(from), "{from}");
    let mut faults = check_file(path, &text.replace(from, to), &facts());
    faults.extend(tasks::unknown_tasks(&text.replace(from, to), &facts().tasks));
    faults
}

#[test]
fn files_that_are_required_are_missed() {
    let found = check(&BTreeMap::from([("CONTRIBUTING.md".to_owned(), "cargo xtask chek".to_owned())]), &facts());
    assert_eq!(found.len(), REQUIRED.len());
    assert!(found.contains(&"renovate.json: does not exist".to_owned()));
    assert!(found.contains(&"CONTRIBUTING.md: names cargo xtask chek, which does not exist".to_owned()));
}

#[test]
fn a_workflow_is_bounded_and_pinned() {
    let found = |from: &str, to: &str| faults(".github/workflows/check.yml", WORKFLOW, from, to).join("; ");
    assert_eq!(found("name", "name"), "");
    assert_eq!(found("    timeout-minutes: 60\n", ""), "job check: has no timeout-minutes between 1 and 360");
    assert_eq!(found("minutes: 60", "minutes: 600"), "job check: has no timeout-minutes between 1 and 360");
    assert_eq!(found("    runs-on: ubuntu-24.04\n", ""), "job check: has no runs-on");
    assert_eq!(found("concurrency:\n  group: check\n", ""), "has no concurrency");
    for action in ["actions/checkout", "actions/checkout@main", "actions/checkout@v", "checkout@v6", "a/b@v6.1"] {
        let fault = format!("job check: {action} is not of the form owner/name@v1");
        assert_eq!(found("actions/checkout@v6", action), fault);
    }
    assert_eq!(found("xtask check", "xtask lint"), "names cargo xtask lint, which does not exist");
    let fault = "job check: installs Rust stable; rust-version in Cargo.toml is 1.95";
    assert_eq!(found("install 1.95", "install stable"), fault);
    assert_eq!(found("      - uses: actions/checkout@v6", "      - name: Nothing").matches("neither").count(), 1);
    assert!(!found("name: Check", "name: [Check").is_empty());
}

#[test]
fn a_workflow_may_only_read_and_a_job_says_what_it_writes() {
    let found = |from: &str, to: &str| faults(".github/workflows/check.yml", WORKFLOW, from, to).len();
    for rights in ["permissions: write-all", "permissions:\n  contents: write", "permissions: {packages: write}"] {
        assert_eq!(found("permissions:\n  contents: read", rights), 1, "{rights}");
    }
    assert_eq!(found("permissions:\n  contents: read\n", ""), 2, "none are stated");
    let of_job = |rights: &str| found("    runs-on", &format!("    permissions: {rights}\n    runs-on"));
    assert_eq!((of_job("{contents: write}"), of_job("write-all")), (0, 1));
}

#[test]
fn a_form_asks_questions() {
    let found = |from: &str, to: &str| faults(".github/ISSUE_TEMPLATE/bug.yml", FORM, from, to).join("; ");
    assert_eq!(found("name", "name"), "");
    assert_eq!(found("description: Something is wrong.\n", ""), "has no description");
    assert_eq!(found("    id: version\n", ""), "an element of the type \"input\" has no id of its own");
    assert_eq!(found("label: Version", "value: Version"), "an element of the type \"input\" has no label");
    assert_eq!(found("type: input", "type: text"), "there is no element of the type \"text\"; asks nothing");
    let chooser = |text: &str| check_file(".github/ISSUE_TEMPLATE/config.yml", text, &facts());
    assert_eq!(chooser("blank_issues_enabled: false\n"), [""; 0]);
    assert_eq!(chooser("contact_links: [{name: a, url: b}]\n").len(), 2);
}

#[test]
fn updates_are_grouped_and_the_lock_file_is_maintained() {
    let found = |from: &str, to: &str| faults(UPDATES, UPDATES_SETTINGS, from, to).join("; ");
    assert_eq!(found("extends", "extends"), "");
    assert_eq!(found("\"enabled\": true", "\"enabled\": false"), "the lock file is not maintained by a schedule");
    assert_eq!(found("[\"cargo\"], ", "[\"npm\"], "), "the updates of cargo are in no group");
    assert_eq!(found("\"cargo\", ", "").matches("enabledManagers").count(), 1);
    assert!(!found("\"packageRules\"", "\"rules\"").is_empty());
}

#[test]
fn the_policy_for_dependencies_is_that_of_the_checks() {
    let allow = crate::check::licences::ALLOWED.map(|licence| format!("\"{licence}\"")).join(", ");
    let ban = |(name, reason): (&str, &str)| format!("{{ crate = \"{name}\", reason = \"{reason}\" }}");
    let deny = crate::check::bans::BANNED.map(ban).join(", ");
    let text = format!(
        "[licenses]\nallow = [{allow}]\n[bans]\ndeny = [{deny}]\n[sources]\nunknown-registry = \"deny\"\nunknown-git = \"deny\"\n"
    );
    let found = |from: &str, to: &str| faults(DEPENDENCY_POLICY, &text, from, to);
    assert_eq!(found("[bans]", "[bans]"), [""; 0]);
    assert_eq!(found("\"MIT\", ", "").len(), 1, "a licence less");
    assert_eq!(found("\"MIT\", ", "\"MIT\", \"GPL-3.0-only\", ").len(), 1, "a licence more");
    assert_eq!(found("crate = \"ring\"", "crate = \"rings\"").len(), 2, "another crate");
    assert_eq!(found("unknown-git = \"deny\"", "unknown-git = \"warn\"").len(), 1);
    assert_eq!(found("[sources]", "[source]").len(), 1);
}

#[test]
fn the_present_minor_version_is_supported() {
    let found = |text: &str| check_file(SECURITY, text, &facts()).len();
    assert_eq!((found("| 0.2 | yes |\n"), found("| 0.1 | yes |\n")), (0, 1));
}
