//! The documentation page about the log of requests: its commands and its request are answered.

use super::{blocks, run_command, run_script};
use crate::harness::{Bank, ValueExt};
use lombard_tpp::HttpCall;
use serde_json::Value;
use std::process::ExitCode;

const PAGE: &str = include_str!("../../../docs/tpps/request-log.md");

#[tokio::test]
async fn the_commands_and_the_request_of_the_page_work() {
    let mut bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let id = "93bac548-d2de-4546-b106-880a5018460d";
    let call = HttpCall::get(robot.resource_url("aisp/accounts")).with_bearer("nonsense");
    robot.send(call.with_header("x-fapi-interaction-id", id)).await.unwrap();
    let blocks = blocks(PAGE, "sh");
    let commands: Vec<_> =
        blocks.iter().flat_map(|block| block.lines()).filter(|line| line.starts_with("lombard ")).collect();
    assert_eq!(commands.len(), 5);
    assert!(commands.iter().any(|command| command.ends_with(id)));
    for command in &commands {
        assert!(run_command(&bank, command).await, "{command}");
    }
    assert!(!run_command(&bank, "lombard logs --tpp nobody").await);
    assert!(!run_command(&bank, "lombard logs --id none").await, "nothing is found");
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
