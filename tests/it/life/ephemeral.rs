//! `lombard --ephemeral`, as a process, and the script of `docs/tpps/testing.md`.

use crate::harness::SeededEntropy;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::Tpp;
use serde_json::Value;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

/// The test that stands for the program, as the test binary names it.
const TEST: &str = concat!(module_path!(), "::runs_the_program");
/// The variable that makes it run.
const RUNS: &str = "LOMBARD_TEST_EPHEMERAL";
const PAGE: &str = include_str!("../../../docs/tpps/testing.md");

#[tokio::test]
async fn an_ephemeral_bank_says_in_one_line_where_it_is_and_leaves_nothing() {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = TEST.split_once("::").unwrap().1;
    command.args([test, "--exact", "--ignored", "--nocapture"]).env(RUNS, "1").kill_on_drop(true);
    let mut program = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let ready = loop {
        if let Some(ready) = said(&lines.next_line().await.unwrap().unwrap()) {
            break ready;
        }
    };
    let data = Path::new(ready["data_dir"].as_str().unwrap());
    let file: Value = serde_json::from_slice(&std::fs::read(data.join("endpoints.json")).unwrap()).unwrap();
    for (name, value) in file.as_object().unwrap() {
        assert_eq!(&ready[name], value);
    }
    let ids = IdGenerator::new(Arc::new(SeededEntropy::of_test("ephemeral")), Clocks::system());
    let tpp = Tpp::open(data, "robot", Clocks::system(), ids, None).unwrap();
    tpp.client_credentials("accounts").await.unwrap();

    let stop = Command::new("kill").arg(ready["pid"].to_string()).status().await.unwrap();
    assert!(stop.success() && program.wait().await.unwrap().success());
    assert!(!data.exists(), "its folder is removed");
}

#[tokio::test]
async fn the_script_for_test_suites_starts_a_bank_and_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let (program, test) = (std::env::current_exe().unwrap(), TEST.split_once("::").unwrap().1);
    let lombard = folder.path().join("lombard");
    let text = format!("#!/bin/sh\nexec '{}' {test} --exact --ignored --nocapture\n", program.display());
    std::fs::write(&lombard, text).unwrap();
    std::fs::set_permissions(&lombard, Permissions::from_mode(0o755)).unwrap();
    let (_, block) = PAGE.split_once("```sh\n").unwrap();
    let script = block.split("```").next().unwrap().replace("npm test", "cp bank.json seen.json");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell
        .args(["-euc", &format!("{script}wait $! || true")])
        .current_dir(folder.path())
        .env("PATH", path)
        .env(RUNS, "1");
    assert!(shell.stdin(Stdio::null()).stderr(Stdio::null()).status().await.unwrap().success());
    let seen = std::fs::read_to_string(folder.path().join("seen.json")).unwrap();
    let ready = seen.lines().find_map(said).unwrap();
    for member in ["issuer", "well_known", "public", "mtls", "ops", "resource_base", "data_dir", "version"] {
        assert!(ready[member].is_string(), "{member}");
    }
    assert!(!Path::new(ready["data_dir"].as_str().unwrap()).exists(), "the bank has ended");
}

/// The bank's line. The test binary says some words of its own before it, on the same line too.
fn said(line: &str) -> Option<Value> {
    line.find('{').map(|at| serde_json::from_str(&line[at..]).unwrap())
}

#[test]
#[ignore = "stands for the program when the test above starts it"]
fn runs_the_program() {
    if std::env::var_os(RUNS).is_some() {
        assert_eq!(lombard::cli::run_command(["lombard", "--ephemeral"]), ExitCode::SUCCESS);
    }
}
