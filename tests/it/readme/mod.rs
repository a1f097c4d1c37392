//! Tests of the README and of the documentation pages with commands and examples.

mod audit_page;
mod commands;
mod core_page;
mod endpoints;
mod events_page;
mod guide_commands;
mod keys_page;
mod portal_page;
mod privacy_page;
mod production_page;
mod registration_page;
mod request_log_page;
mod staff_page;
mod support_page;
mod tpps_page;
mod upgrades_page;
mod watching_page;

use crate::harness::Bank;
use std::process::{ExitCode, Stdio};
use tokio::process::Command;

/// The blocks of a page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let begin = format!("```{language}\n");
    let blocks = page.split(&begin).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// Runs a script, which must succeed, and gives what it writes.
async fn run_script(script: &str) -> String {
    let mut shell = Command::new("sh");
    let run = shell.args(["-euc", script]).stdin(Stdio::null()).output().await.unwrap();
    let out = String::from_utf8_lossy(&run.stdout);
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{script}\n{out}\n{err}");
    out.into_owned()
}

/// Runs a command of `lombard` on the data of a bank, as a process of its own would; says whether it succeeded.
pub(crate) async fn run_command(bank: &Bank, command: &str) -> bool {
    run_words(bank, command.split_whitespace().map(str::to_owned).collect()).await
}

/// The same for a command that is given as its words.
async fn run_words(bank: &Bank, mut arguments: Vec<String>) -> bool {
    arguments.extend(["--data".to_owned(), bank.data_dir().display().to_string()]);
    tokio::task::spawn_blocking(|| lombard::cli::run_command(arguments) == ExitCode::SUCCESS).await.unwrap()
}
