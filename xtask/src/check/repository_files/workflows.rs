//! Checks workflows: every job has a time limit, has only the rights that it declares, and uses actions of a stated version.

use super::yaml::{document, list, member, members, text};
use yaml_rust2::Yaml;

/// The members that every workflow must have.
const MEMBERS: [&str; 5] = ["name", "on", "permissions", "concurrency", "jobs"];
/// The maximum number of minutes of a job, after which the host ends it.
const MINUTES_MAX: i64 = 360;
/// The command that installs the compiler, before its version.
const INSTALLS: &str = "rustup toolchain install ";

/// Returns the faults of a workflow.
pub(super) fn check(workflow: &str, rust_version: &str) -> Vec<String> {
    let workflow = match document(workflow) {
        Ok(workflow) => workflow,
        Err(fault) => return vec![fault],
    };
    let lacking = MEMBERS.into_iter().filter(|name| member(&workflow, name).is_none());
    let mut found: Vec<_> = lacking.map(|name| format!("has no {name}")).collect();
    if !member(&workflow, "permissions").is_some_and(is_read_only) {
        found.push("its permissions are not a list of rights to read; a job states what it may write".to_owned());
    }
    let jobs: Vec<_> = member(&workflow, "jobs").into_iter().flat_map(members).collect();
    if jobs.is_empty() {
        found.push("has no job".to_owned());
    }
    for (name, job) in jobs {
        found.extend(check_job(job, rust_version).into_iter().map(|fault| format!("job {name}: {fault}")));
    }
    found
}

/// Whether permissions are a mapping that allows no write access.
fn is_read_only(permissions: &Yaml) -> bool {
    let is_reading = |right: &Yaml| matches!(right.as_str(), Some("read" | "none"));
    permissions.as_hash().is_some_and(|rights| rights.values().all(is_reading))
}

fn check_job(job: &Yaml, rust_version: &str) -> Vec<String> {
    let mut found = Vec::new();
    if text(job, "runs-on").is_none() {
        found.push("has no runs-on".to_owned());
    }
    if !member(job, "timeout-minutes").and_then(Yaml::as_i64).is_some_and(|it| (1..=MINUTES_MAX).contains(&it)) {
        found.push(format!("has no timeout-minutes between 1 and {MINUTES_MAX}"));
    }
    if member(job, "permissions").is_some_and(|permissions| permissions.as_hash().is_none()) {
        found.push("its permissions are not a list of rights".to_owned());
    }
    let steps = list(job, "steps");
    if steps.is_empty() {
        found.push("has no steps".to_owned());
    }
    found.extend(steps.iter().filter_map(|step| check_step(step, rust_version)));
    found
}

/// The fault of a step, if it has one.
fn check_step(step: &Yaml, rust_version: &str) -> Option<String> {
    match (text(step, "uses"), text(step, "run")) {
        (Some(action), None) => (!is_pinned(action)).then(|| format!("{action} is not of the form owner/name@v1")),
        (None, Some(script)) => other_rust(script, rust_version),
        (Some(_), Some(_)) | (None, None) => Some("a step has neither uses nor run, or both".to_owned()),
    }
}

/// Whether an action is named with its major version.
fn is_pinned(action: &str) -> bool {
    let Some((name, version)) = action.split_once("@v") else { return false };
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_.".contains(&it));
    let parts: Vec<_> = name.split('/').collect();
    let is_major = !version.is_empty() && version.bytes().all(|digit| digit.is_ascii_digit());
    is_major && parts.len() >= 2 && parts.into_iter().all(is_part)
}

/// The fault of a script that installs another compiler version than the workspace requires.
fn other_rust(script: &str, rust_version: &str) -> Option<String> {
    let versions = script.split(INSTALLS).skip(1).filter_map(|rest| rest.split_whitespace().next());
    let other = versions.into_iter().find(|version| *version != rust_version)?;
    Some(format!("installs Rust {other}; rust-version in Cargo.toml is {rust_version}"))
}
