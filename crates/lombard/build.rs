//! Sets the version that the program prints, and removes the names of functions from a program without line numbers, which makes the
//! program a quarter smaller.
//!
//! The profile's own `strip` has no effect on this package, because its optimisation level is set by name.

use std::env;
use std::process::Command;

/// The variables with the commit and its date, for a build from a tree without Git. `cargo xtask package` sets them.
const COMMIT: &str = "LOMBARD_COMMIT";
const COMMIT_DATE: &str = "LOMBARD_COMMIT_DATE";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_release = is("PROFILE", "release");
    if is_release && is("DEBUG", "false") && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,--strip-all");
    }
    state_version(is_release);
}

/// Sets `LOMBARD_VERSION`: the version, with the commit and its date if they are known; and `LOMBARD_BUILD_COMMIT` and
/// `LOMBARD_BUILD_COMMIT_DATE`, which are empty otherwise.
///
/// A debug build does not ask Git, so that a commit does not make it build the crate again.
fn state_version(is_release: bool) {
    for name in [COMMIT, COMMIT_DATE] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let stated = env::var(COMMIT).ok().zip(env::var(COMMIT_DATE).ok());
    let source = if stated.is_none() && is_release { source_of_git() } else { stated };
    let (commit, date) = source.clone().unwrap_or_default();
    println!("cargo:rustc-env=LOMBARD_BUILD_COMMIT={commit}");
    println!("cargo:rustc-env=LOMBARD_BUILD_COMMIT_DATE={date}");
    let source = source.map(|(commit, date)| format!(" ({commit} {date})")).unwrap_or_default();
    println!("cargo:rustc-env=LOMBARD_VERSION={version}{source}");
}

/// The commit that is checked out, and its date.
fn source_of_git() -> Option<(String, String)> {
    let head = git(&["rev-parse", "--git-path", "HEAD"])?;
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    for file in [head, log] {
        println!("cargo:rerun-if-changed={file}");
    }
    let shown = git(&["show", "--no-patch", "--format=%h %cs", "--abbrev=12", "HEAD"])?;
    let (commit, date) = shown.split_once(' ')?;
    Some((commit.to_owned(), date.to_owned()))
}

/// What Git answers, or nothing where there is no Git or no repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}
