//! The program `lombard` as a process of its own: this test binary, started again with one ignored test.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use tokio::process::{Child, Command};

/// The test that stands for the program, as the test binary names it.
const TEST: &str = concat!(module_path!(), "::runs_the_program");
/// The variable with the arguments of the program, one a line.
const ARGUMENTS: &str = "LOMBARD_TEST_PROGRAM";
/// The line before what the program itself prints.
const BEGIN: &str = "--- lombard ---";

/// The arguments with which the test binary is the program.
fn of_the_binary() -> [&'static str; 4] {
    [TEST.split_once("::").unwrap().1, "--exact", "--ignored", "--nocapture"]
}

/// The program with these arguments, as a process that is killed when it is dropped. What it logs is written to this file.
pub(crate) fn start_program(arguments: &[&str], variables: &[(String, String)], log: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let log = std::fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
    command.args(of_the_binary()).env(ARGUMENTS, arguments.join("\n")).envs(variables.iter().cloned());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).kill_on_drop(true).spawn().unwrap()
}

/// Writes a script `lombard` into this folder, for shells that run commands as they are printed. It prints what the program prints.
pub(crate) fn install_program(folder: &Path) -> PathBuf {
    let path = folder.join("lombard");
    let script = format!(
        "#!/bin/bash\nset -o pipefail\n{ARGUMENTS}=\"$(printf '%s\\n' \"$@\")\" '{}' {} | sed '1,/^{BEGIN}$/d'\n",
        std::env::current_exe().unwrap().display(),
        of_the_binary().join(" "),
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
#[ignore = "stands for the program when a test starts it"]
fn runs_the_program() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    println!("\n{BEGIN}");
    let ended = lombard::cli::run_command(["lombard"].into_iter().chain(arguments.lines()));
    // At once: the test binary would print more.
    std::process::exit(i32::from(ended != ExitCode::SUCCESS));
}
