//! The documentation page about keys: its commands work against a running server, and on its database when it is stopped.

use super::{blocks, run_command};
use crate::harness::{Authority, Bank, ExchangeExt};
use serde_json::{Value, json};
use std::fs;

const PAGE: &str = include_str!("../../../docs/operating/keys.md");

/// The commands of the page about signing keys, in their order.
fn commands() -> Vec<String> {
    let lines = blocks(PAGE, "sh").concat();
    lines.lines().filter(|line| line.starts_with("lombard keys ")).map(str::to_owned).collect()
}

/// Runs a command with the key and the file that its placeholders stand for.
async fn run(bank: &Bank, command: &str, signing: &str) -> bool {
    let certificate = bank.data_dir().join("seal.pem");
    let command = command.replace("seal.pem", &certificate.display().to_string());
    run_command(bank, &command.replace(" KID", &format!(" {signing}"))).await
}

/// The keys in this state.
async fn keys_in(bank: &Bank, state: &str) -> Vec<Value> {
    let keys = bank.ops_get("/operations/keys").await.ok(200)["keys"].as_array().unwrap().clone();
    keys.into_iter().filter(|key| key["state"] == state).collect()
}

/// Writes the certificate that the directory gives for a key that waits.
async fn prepare(bank: &Bank) -> String {
    let (_, requested) = bank.ops_post("/operations/keys/csr", &json!({})).await;
    let certificate = Authority::new("directory").certify(requested["request"].as_str().unwrap());
    fs::write(bank.data_dir().join("seal.pem"), certificate).unwrap();
    keys_in(bank, "signing").await[0]["kid"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_commands_of_the_page_work_while_a_server_runs() {
    let bank = Bank::start().await;
    let signing = prepare(&bank).await;
    let commands = commands();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        assert!(run(&bank, &command, &signing).await, "{command:?}");
    }
    assert_eq!(keys_in(&bank, "waiting").await.len(), 1, "what `csr` made");
    let signs = keys_in(&bank, "signing").await.remove(0);
    assert_eq!(signs["kid"], "DIRECTORY-KID", "the key that was announced takes over from the one that is withdrawn");
    assert!(signs["certificate"].is_object(), "{signs}");
    assert!(!run(&bank, "lombard keys withdraw KID", &signing).await, "a second time");
}

#[tokio::test]
async fn the_commands_of_the_page_work_on_the_database_while_no_server_runs() {
    let mut bank = Bank::start().await;
    let signing = prepare(&bank).await;
    bank.stop().await;
    for command in commands() {
        assert!(run(&bank, &command, &signing).await, "{command:?}");
    }
    // The commands ran on the machine's clock, which is ahead of the bank's by as long as the tests have been running.
    bank.clock.advance_to_present();
    bank.restart().await;
    assert_eq!(keys_in(&bank, "signing").await[0]["kid"], "DIRECTORY-KID");
}
