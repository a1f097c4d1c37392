//! Fetches axe-core, which checks the accessibility of pages. It is verified and stored under `target`, and is not part of the repository.

use super::programs::in_path;
use crate::command::{run, workspace};
use crate::error::TaskError;
use crate::output;
use aws_lc_rs::digest::{SHA256, digest};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "axe-core@4.14.1";
/// The SHA-256 digest of the only file that is used.
const SCRIPT_SHA256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";
const SCRIPT: &str = "node_modules/axe-core/axe.min.js";
/// The folder of the stored file, within the workspace.
const FOLDER: &str = "target/axe";

/// Finds the script, and fetches it if it is missing. If that fails, prints a warning and returns `None`, because the code is not at fault.
pub(super) fn find() -> Result<Option<PathBuf>, TaskError> {
    let folder = workspace().join(FOLDER);
    let script = folder.join(SCRIPT);
    if !script.exists()
        && let Err(failure) = fetch(&folder)
    {
        output::note(&format!("PAGES ARE NOT TESTED BY AXE: {failure}"));
        return Ok(None);
    }
    check(&script)?;
    output::note(&format!("{PACKAGE}: {}", script.display()));
    Ok(Some(script))
}

fn fetch(folder: &Path) -> Result<(), TaskError> {
    let npm = in_path("npm").ok_or("there is no npm to fetch axe-core with")?;
    fs::create_dir_all(folder)?;
    output::step(&format!("fetching {PACKAGE} with npm"));
    let mut command = Command::new(npm);
    command.args([
        "install",
        "--ignore-scripts",
        "--no-save",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--prefix",
    ]);
    run(command.arg(folder).arg(PACKAGE).current_dir(folder))
}

/// Checks the digest of the script, because the script runs inside the server's pages and could have been changed at its source.
fn check(script: &Path) -> Result<(), TaskError> {
    let found = digest(&SHA256, &fs::read(script)?);
    let found: String = found.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    if found == SCRIPT_SHA256 {
        return Ok(());
    }
    Err(format!("{} is not the {PACKAGE} that is known here (SHA-256 {found}); remove it", script.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_is_not_the_known_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("axe.min.js");
        fs::write(&script, "alert('x')").unwrap();
        assert!(check(&script).unwrap_err().to_string().contains("is not the axe-core@"));
    }
}
