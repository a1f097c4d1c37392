//! Backup and restore, as `docs/operating/backup.md` describes them: each drill runs the page's commands as they are printed.

mod cluster;
mod drill;
mod point_in_time;
mod postgres;
mod sqlite;

use crate::harness::Bank;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use tokio::process::Command;

const PAGE: &str = include_str!("../../../docs/operating/backup.md");

/// The blocks of this language in the section of the page with this heading.
fn blocks(heading: &str, language: &str) -> Vec<String> {
    let (_, section) = PAGE.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("{heading}"));
    let section = section.split("\n## ").next().unwrap();
    let begin = format!("```{language}\n");
    section.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// Runs a script in a folder, with these variables; it must succeed. Gives what it writes.
async fn run_script(folder: &Path, script: &str, variables: &[(&str, &str)]) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-euc", script]).current_dir(folder).envs(variables.iter().copied()).stdin(Stdio::null());
    let run = shell.output().await.unwrap();
    let out = String::from_utf8_lossy(&run.stdout);
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{script}\n{out}\n{err}");
    out.into_owned()
}

/// Whether a program is installed. Says so loudly if it is not.
async fn has_program(name: &str) -> bool {
    let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().await;
    let is_there = found.is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("SKIPPED: {name} is not installed, so this way of backup is not tested");
    }
    is_there
}

/// Runs a command of the page on the data of a bank; gives its exit status.
async fn run_lombard(bank: &Bank, command: &str) -> ExitCode {
    let mut arguments: Vec<_> = command.split_whitespace().map(str::to_owned).collect();
    arguments.extend(["--data".to_owned(), bank.data_dir().display().to_string()]);
    tokio::task::spawn_blocking(|| lombard::cli::run_command(arguments)).await.unwrap()
}

/// The commands of reconciliation: that of a dry run, and the real one.
fn reconciliation() -> [String; 2] {
    let lines = blocks("Reconciliation", "sh").concat();
    let commands: Vec<_> = lines.lines().map(str::to_owned).collect();
    commands.try_into().unwrap()
}
