//! The documentation page about the log of requests: its commands and its request are answered.

use super::{blocks, run_command, run_script};
use crate::harness::{Bank, ValueExt};
use serde_json::Value;
use std::process::ExitCode;

const PAGE: &str = include_str!("../../../docs/tpps/request-log.md");

#[tokio::test]
async fn the_commands_and_the_request_of_the_page_work() {
    let mut bank = Bank::start().await;
    let robot = bank.tpp("robot");
    robot.get("nonsense", "aisp/accounts").await.unwrap();
    let blocks = blocks(PAGE, "sh");
    let commands: Vec<_> =
        blocks.iter().flat_map(|block| block.lines()).filter(|line| line.starts_with("lombard ")).collect();
    assert_eq!(commands.len(), 4);
    for command in &commands {
        assert!(run_command(&bank, command).await, "{command}");
    }
    assert!(!run_command(&bank, "lombard logs --tpp nobody").await);
    let script = blocks.iter().find(|block| block.contains("curl ")).unwrap();
    let answer: Value =
        serde_json::from_str(&run_script(&script.replace("http://127.0.0.1:9090", &bank.endpoints().ops)).await)
            .unwrap();
    assert_eq!(answer.list("/requests").len(), 1, "{answer}");

    // What follows goes on until the server stops.
    let data = bank.data_dir().display().to_string();
    let follow = tokio::task::spawn_blocking(move || {
        lombard::cli::run_command(["lombard", "logs", "--follow", "--data", &data])
    });
    bank.stop().await;
    assert_eq!(follow.await.unwrap(), ExitCode::FAILURE);
    assert!(!run_command(&bank, "lombard logs").await, "the log is in the memory of a running server");
}
