//! What is packaged: the version, the commit and its date.

use crate::command::{output, workspace};
use crate::error::TaskError;
use crate::output;
use cargo_metadata::MetadataCommand;
use std::process::Command;

/// The package of the program, whose version is that of the workspace.
pub(super) const PROGRAM: &str = "lombard";

/// The source of the packages.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The version of the program: `0.2.0`.
    pub(super) version: String,
    /// The address of the repository.
    pub(super) repository: String,
    /// The commit, abbreviated to twelve digits; `-modified` follows if files differ from it.
    pub(super) commit: String,
    /// The day of the commit: `2026-11-29`.
    pub(super) date: String,
    /// The instant of the commit as RFC 3339, in UTC.
    pub(super) instant: String,
    /// The same in seconds since 1970.
    pub(super) epoch: u64,
}

impl Source {
    /// Reads it from Git and from the workspace.
    pub(super) fn read() -> Result<Self, TaskError> {
        let metadata = MetadataCommand::new().current_dir(workspace()).no_deps().exec()?;
        let program = metadata.packages.iter().find(|package| package.name.as_str() == PROGRAM);
        let program = program.ok_or("the workspace has no package of the program")?;
        let format = "--format=%h%n%cd%n%ct";
        let shown = git(&["show", "--no-patch", format, "--abbrev=12", "--date=format-local:%Y-%m-%dT%H:%M:%SZ"])?;
        let mut lines = shown.lines();
        let mut line = || lines.next().ok_or("Git does not describe the commit");
        let mut commit = line()?.to_owned();
        let instant = line()?.to_owned();
        let epoch = line()?.parse()?;
        if !git(&["status", "--porcelain"])?.is_empty() {
            output::note("files differ from the commit; the version says so, and a release must not");
            commit.push_str("-modified");
        }
        let date = instant.split('T').next().unwrap_or_default().to_owned();
        let repository = program.repository.clone().unwrap_or_default();
        Ok(Self { version: program.version.to_string(), repository, commit, date, instant, epoch })
    }
}

fn git(arguments: &[&str]) -> Result<String, TaskError> {
    output(Command::new("git").args(arguments).env("TZ", "UTC").current_dir(workspace()))
}
