//! The walk of `docs/operating/core.md`: every command of the sections about a core of one's own is run as it is shown.

use super::python_core::{has_python, repository};
use std::process::{ExitCode, Stdio};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

const PAGE: &str = include_str!("../../../docs/operating/core.md");
/// The test that the shell runs for `lombard`, as the test binary names it.
const TEST: &str = concat!(module_path!(), "::runs_the_program");
/// The variable with the arguments of the program.
const ARGUMENTS: &str = "LOMBARD_TEST_ARGUMENTS";

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
    let test = TEST.split_once("::").unwrap().1;
    let program = std::env::current_exe().unwrap();
    let lombard =
        format!("lombard() {{ {ARGUMENTS}=\"$*\" {} {test} --exact --ignored --nocapture; }}\n", program.display());
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
        let script = format!("{lombard}{}", block.replace("https://localhost:8600", &url));
        let mut shell = Command::new("sh");
        shell.args(["-euc", &script]).current_dir(folder.path()).stdin(Stdio::null());
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

#[test]
#[ignore = "not a test: the program that a test's shell runs"]
fn runs_the_program() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let arguments = std::iter::once("lombard").chain(arguments.split(' '));
    assert_eq!(lombard::cli::run_command(arguments), ExitCode::SUCCESS);
}
