//! The programs of `docs/tpps/get-started.md`, run by the page's own commands against a server process. Those in JavaScript and Python
//! need their libraries, which `cargo xtask test --interop` installs.

use super::{blocks, file, repository};
use crate::harness::ephemeral::EphemeralBank;
use std::path::Path;
use std::process::{ExitCode, Stdio};
use tempfile::TempDir;
use tokio::process::Command;

#[allow(dead_code, reason = "its main function is for the program that it is by itself")]
#[path = "../../../crates/lombard/examples/tpp.rs"]
pub(super) mod tpp;

/// The commands of the page that begin with this.
fn commands(begin: &str) -> Vec<String> {
    let page = file("docs/tpps/get-started.md");
    let shell = blocks(&page).into_iter().filter(|(language, _)| language == "sh").map(|(_, text)| text);
    let lines: Vec<String> = shell.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    lines.into_iter().filter(|line| line.starts_with(begin)).collect()
}

/// A bank with the application of the page.
pub(super) async fn bank_with_application() -> EphemeralBank {
    let bank = EphemeralBank::start().await;
    let commands = commands("lombard tpp create ");
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        let mut arguments: Vec<_> = command.split_whitespace().map(str::to_owned).collect();
        arguments.extend(["--data".to_owned(), bank.data_dir().display().to_string()]);
        let ran = tokio::task::spawn_blocking(|| lombard::cli::run_command(arguments)).await.unwrap();
        assert_eq!(ran, ExitCode::SUCCESS, "{command}");
    }
    bank
}

/// What a program prints: accounts, the payment as received, its event, the payment on its way.
pub(super) fn judge(program: &str, printed: &str) {
    let lines: Vec<Vec<&str>> = printed.lines().map(|line| line.split(' ').collect()).collect();
    let accounts = lines.iter().filter(|line| line[0] == "account").count();
    assert!(accounts > 1, "{program}: {printed}");
    let [received, event, followed] = &lines[accounts..] else { panic!("{program}: {printed}") };
    assert_eq!((received[0], received[2]), ("payment", "RCVD"), "{program}: {printed}");
    assert_eq!((event[0], event[2]), ("event", "resource-update"), "{program}: {printed}");
    assert_eq!((followed[0], followed[1]), ("payment", received[1]), "{program}: {printed}");
    assert_ne!(followed[2], "RCVD", "{program}: {printed}");
}

/// Runs the page's command that begins with this in a copy of the examples, on the data of the bank.
async fn run(bank: &EphemeralBank, begin: &str, folder: &Path, variables: &[(&str, &Path)]) {
    let [command] = <[String; 1]>::try_from(commands(begin)).unwrap();
    let command = command.replace(" data ", &format!(" '{}' ", bank.data_dir().display()));
    let mut shell = Command::new("sh");
    shell.args(["-euc", &command]).current_dir(folder).envs(variables.iter().copied()).kill_on_drop(true);
    let ended = shell.stdin(Stdio::null()).output().await.unwrap();
    let printed = String::from_utf8_lossy(&ended.stdout);
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{command}\n{printed}\n{complaint}");
    judge(begin, &printed);
}

/// The folder of a library; says loudly if there is none.
pub(super) fn library(variable: &str, program: &str) -> Option<std::path::PathBuf> {
    let found = std::env::var_os(variable).map(Into::into);
    if found.is_none() {
        eprintln!("SKIPPED: {program} does not run: {variable} is not set (cargo xtask test --interop sets it)");
    }
    found
}

/// A folder with the example in JavaScript and its libraries, as `npm install` leaves it.
pub(super) fn installed_javascript(library: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let example = folder.path().join("examples/tpp-javascript");
    std::fs::create_dir_all(&example).unwrap();
    for name in ["client.mjs", "package.json"] {
        std::fs::write(example.join(name), file(&format!("examples/tpp-javascript/{name}"))).unwrap();
    }
    std::os::unix::fs::symlink(library.join("node_modules"), example.join("node_modules")).unwrap();
    folder
}

#[tokio::test]
async fn the_program_in_a_shell_reads_pays_and_is_told() {
    let bank = bank_with_application().await;
    run(&bank, "sh examples/tpp-curl/", &repository(), &[]).await;
    bank.stop().await;
}

#[tokio::test]
async fn the_program_in_rust_reads_pays_and_is_told() {
    let bank = bank_with_application().await;
    let lines = tpp::run(bank.data_dir(), "my-app", false).await.unwrap();
    judge("Rust", &lines.join("\n"));
    assert_eq!(commands("cargo run --example tpp").len(), 1);
    bank.stop().await;
}

#[tokio::test]
async fn the_program_in_javascript_reads_pays_and_is_told() {
    let Some(library) = library("LOMBARD_TEST_OPENID_CLIENT", "client.mjs") else { return };
    let bank = bank_with_application().await;
    let folder = installed_javascript(&library);
    run(&bank, "node examples/tpp-javascript/", folder.path(), &[]).await;
    bank.stop().await;
}

#[tokio::test]
async fn the_program_in_python_reads_pays_and_is_told() {
    let Some(library) = library("LOMBARD_TEST_AUTHLIB", "client.py") else { return };
    let bank = bank_with_application().await;
    run(&bank, "python3 examples/tpp-python/", &repository(), &[("PYTHONPATH", &library)]).await;
    bank.stop().await;
}

#[test]
fn the_programs_are_short_and_their_libraries_are_of_exact_versions() {
    for program in [
        "examples/tpp-javascript/client.mjs",
        "examples/tpp-python/client.py",
        "examples/tpp-curl/client.sh",
        "crates/lombard/examples/tpp.rs",
    ] {
        assert!(file(program).lines().count() <= 170, "{program}");
    }
    let package: serde_json::Value = serde_json::from_str(&file("examples/tpp-javascript/package.json")).unwrap();
    for (name, version) in package["dependencies"].as_object().unwrap() {
        assert!(version.as_str().unwrap().starts_with(|first: char| first.is_ascii_digit()), "{name} {version}");
    }
    assert!(file("examples/tpp-python/requirements.txt").lines().all(|line| line.contains("==")));
}

#[test]
fn what_the_page_shows_of_the_programs_is_in_them() {
    let page = file("docs/tpps/get-started.md");
    let mut shown = 0;
    for (language, text) in blocks(&page) {
        let program = match language.as_str() {
            "js" => "examples/tpp-javascript/client.mjs",
            "python" => "examples/tpp-python/client.py",
            "rust" => "crates/lombard/examples/tpp.rs",
            "sh" if text.contains("{\n") => "examples/tpp-curl/client.sh",
            _ => continue,
        };
        assert!(file(program).contains(text.trim_end()), "{program} has no such lines:\n{text}");
        shown += 1;
    }
    assert!(shown >= 5, "{shown}");
}
