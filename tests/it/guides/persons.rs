//! The programs of `docs/tpps/get-started.md` with a customer who is a person: each prints the bank's address, waits until the customer has
//! logged in and decided there, and goes on with the address on which the customer ended.

use super::programs::{bank_with_application, installed_javascript, judge, library, tpp};
use super::repository;
use crate::harness::ephemeral::EphemeralBank;
use crate::harness::{Browser, until};
use lombard::entropy::SystemEntropy;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::Tpp;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStderr, Command};

/// The application whose customers are persons.
const APPLICATION: &str = "browser-app";

/// Reads until the program asks for the address on which the customer ended; gives the address that it sends the customer to.
async fn asked(asks: &mut ChildStderr) -> String {
    let mut said = String::new();
    until(async || {
        let mut part = [0; 4096];
        let read = asks.read(&mut part).await.unwrap();
        said.push_str(&String::from_utf8_lossy(&part[..read]));
        assert!(read > 0, "the program has ended: {said}");
        let (_, address) = said.split_once("Open ")?;
        said.contains("end here:").then(|| address.split_whitespace().next().unwrap().to_owned())
    })
    .await
}

/// Logs in as amelia and agrees, with every account or the first one to pay from; gives the address on which she ends.
async fn agreed(tpp: &Tpp, address: &str) -> String {
    let mut browser = Browser::new(tpp);
    let page = browser.log_in(address, "amelia").await;
    let form = page.form_with("decision");
    let mut accounts = form.values("account");
    if address.contains("payments") {
        accounts.truncate(1);
    }
    let mut fields: Vec<_> = accounts.iter().map(|account| ("account", account.as_str())).collect();
    fields.push(("decision", "approve"));
    let end = browser.submit(form, &fields).await.exchange;
    end.header("location").unwrap_or_else(|| panic!("{}", end.text())).to_owned()
}

/// Runs a program in its mode for persons, and is the person.
async fn is_followed_by_a_person(bank: EphemeralBank, name: &str, mut command: Command) {
    let ids = IdGenerator::new(Arc::new(SystemEntropy), Clocks::system());
    let application = Tpp::open(bank.data_dir(), APPLICATION, Clocks::system(), ids, None).unwrap();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut program = command.spawn().unwrap();
    let mut asks = program.stderr.take().unwrap();
    let mut told = program.stdin.take().unwrap();
    let public = bank.ready["public"].as_str().unwrap();
    for _ in ["accounts", "a payment"] {
        let address = asked(&mut asks).await;
        assert!(address.starts_with(&format!("{public}/authorize?")), "{name}: {address}");
        let end = agreed(&application, &address).await;
        assert!(end.starts_with(&format!("{public}/portal/callback#")), "{name}: {end}");
        told.write_all(format!("{end}\n").as_bytes()).await.unwrap();
    }
    let mut complaint = String::new();
    asks.read_to_string(&mut complaint).await.unwrap();
    let ended = program.wait_with_output().await.unwrap();
    let printed = String::from_utf8_lossy(&ended.stdout);
    assert!(ended.status.success(), "{name}: {printed}\n{complaint}");
    let lines = printed.lines().filter(|line| ["account ", "payment ", "event "].iter().any(|it| line.starts_with(it)));
    judge(name, &lines.collect::<Vec<_>>().join("\n"));
    bank.stop().await;
}

#[tokio::test]
async fn the_program_in_a_shell_is_followed_by_a_person() {
    let bank = bank_with_application().await;
    let mut command = Command::new("sh");
    command.arg("examples/tpp-curl/client.sh").arg(bank.data_dir()).args([APPLICATION, "--browser"]);
    command.current_dir(repository());
    is_followed_by_a_person(bank, "sh", command).await;
}

#[tokio::test]
async fn a_program_without_a_browser_says_that_the_bank_asks_a_person() {
    let bank = bank_with_application().await;
    let mut command = Command::new("sh");
    command.arg("examples/tpp-curl/client.sh").arg(bank.data_dir()).arg(APPLICATION).current_dir(repository());
    let ended = command.kill_on_drop(true).output().await.unwrap();
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && complaint.contains("run with --browser"), "{complaint}");
    bank.stop().await;
}

#[tokio::test]
async fn the_program_in_javascript_is_followed_by_a_person() {
    let Some(library) = library("LOMBARD_TEST_OPENID_CLIENT", "client.mjs") else { return };
    let bank = bank_with_application().await;
    let folder = installed_javascript(&library);
    let mut command = Command::new("node");
    command.arg("examples/tpp-javascript/client.mjs").arg(bank.data_dir()).args([APPLICATION, "--browser"]);
    command.current_dir(folder.path());
    is_followed_by_a_person(bank, "node", command).await;
}

#[tokio::test]
async fn the_program_in_python_is_followed_by_a_person() {
    let Some(library) = library("LOMBARD_TEST_AUTHLIB", "client.py") else { return };
    let bank = bank_with_application().await;
    let mut command = Command::new("python3");
    command.arg("examples/tpp-python/client.py").arg(bank.data_dir()).args([APPLICATION, "--browser"]);
    command.current_dir(repository()).env("PYTHONPATH", library);
    is_followed_by_a_person(bank, "python3", command).await;
}

/// The test that stands for the program in Rust, as the test binary names it, and the variable with its data folder.
const RUST: (&str, &str) = (concat!(module_path!(), "::is_the_program_in_rust"), "LOMBARD_TEST_RUST_PROGRAM");

#[tokio::test]
async fn the_program_in_rust_is_followed_by_a_person() {
    let bank = bank_with_application().await;
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([RUST.0.split_once("::").unwrap().1, "--exact", "--ignored", "--nocapture"]);
    command.env(RUST.1, bank.data_dir());
    is_followed_by_a_person(bank, "Rust", command).await;
}

#[tokio::test]
#[ignore = "stands for the program when a test starts it"]
async fn is_the_program_in_rust() {
    let Some(data) = std::env::var_os(RUST.1).map(PathBuf::from) else { return };
    let lines = tpp::run(&data, APPLICATION, true).await.unwrap();
    // The test binary has begun a line.
    println!("\n{}", lines.join("\n"));
}
