//! The walk of `docs/operating/core.md`: every command of the sections about a core of one's own is run as it is shown.

use super::python_core::{has_python, repository};
use crate::harness::program::install_program;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

const PAGE: &str = include_str!("../../../docs/operating/core.md");

/// The shell blocks of the walk.
fn blocks() -> Vec<String> {
    let (_, walk) = PAGE.split_once("## Writing a connector").unwrap();
    walk.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_commands_of_the_walk_work() {
    if !has_python().await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink(repository().join("examples"), at("examples")).unwrap();
    std::fs::create_dir(at("bin")).unwrap();
    install_program(&at("bin"));
    let path = format!("{}:{}", at("bin").display(), std::env::var("PATH").unwrap_or_default());
    let mut core = None;
    let mut url = String::new();
    for block in blocks() {
        if block.starts_with("python3 ") {
            let script = format!("exec {}", block.replace("--port 8600", "--port 0"));
            let mut shell = Command::new("sh");
            shell.args(["-euc", &script]).current_dir(folder.path()).env("PYTHONDONTWRITEBYTECODE", "1");
            let mut process = shell.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
            let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
            let line = lines.next_line().await.unwrap().unwrap_or_default();
            url = line.strip_prefix("The core listens on ").unwrap_or_else(|| panic!("{line}")).to_owned();
            core = Some(process);
            continue;
        }
        let script = block.replace("https://localhost:8600", &url);
        let mut shell = Command::new("sh");
        shell.args(["-euc", &script]).current_dir(folder.path()).env("PATH", &path).stdin(Stdio::null());
        let run = shell.output().await.unwrap();
        let out = String::from_utf8_lossy(&run.stdout);
        let err = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{block}\n{out}\n{err}");
        if block.starts_with("lombard ") {
            assert!(out.contains(" promises kept, 0 broken, "), "{out}\n{err}");
        }
    }
    core.expect("the walk starts a core").kill().await.unwrap();
}
