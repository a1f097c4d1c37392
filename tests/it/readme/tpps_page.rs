//! The documentation page about TPPs: its commands work against a running server, and on its database when it is stopped.

use super::{blocks, run_command, run_script};
use crate::harness::{Bank, ExchangeExt, ValueExt};
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../../docs/operating/tpps.md");

/// The commands of the page, in their order.
fn commands() -> Vec<String> {
    let lines = blocks(PAGE, "sh").concat();
    lines.lines().filter(|line| line.starts_with("lombard ")).map(str::to_owned).collect()
}

#[test]
fn the_configuration_of_the_page_can_be_read() {
    let found = blocks(PAGE, "toml");
    assert_eq!(found.len(), 1);
    let config = lombard::config::Config::from_parts(&found[0], &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(config.dcr.directories.len(), 1);
}

#[tokio::test]
async fn the_commands_of_the_page_work_while_a_server_runs() {
    let bank = Bank::start().await;
    bank.create_tpp(&json!({"name": "my-shop"})).await;
    let commands = commands();
    assert!(commands.len() >= 9, "{commands:?}");
    for command in commands {
        assert!(run_command(&bank, &command).await, "{command:?}");
    }
    let show = async |name: &str| bank.ops_get(&format!("/operations/tpps/{name}")).await.ok(200);
    let rival = show("rival").await;
    assert_eq!((rival.text("status"), rival.text("status_reason")), ("active", "case-closed"));
    assert_eq!((&rival["roles"], rival.list("/redirect_uris").len()), (&json!(["AISP", "PISP"]), 2));
    assert_eq!(show("my-shop").await.text("status"), "deleted");
    assert!(!run_command(&bank, "lombard tpp enable my-shop").await, "a deleted TPP");
}

#[tokio::test]
async fn the_commands_of_the_page_work_on_the_database_while_no_server_runs() {
    let mut bank = Bank::start().await;
    bank.create_tpp(&json!({"name": "my-shop"})).await;
    bank.stop().await;
    for command in commands() {
        assert!(run_command(&bank, &command).await, "{command:?}");
    }
    bank.restart().await;
    let show = async |name: &str| bank.ops_get(&format!("/operations/tpps/{name}")).await.ok(200);
    let rival = show("rival").await;
    assert_eq!((rival.text("status"), &rival["roles"]), ("active", &json!(["AISP", "PISP"])));
    assert_eq!(rival.list("/redirect_uris").len(), 2, "a sandbox that starts again keeps what an operator has set");
    assert_eq!(show("my-shop").await.text("status"), "deleted");
}

#[tokio::test]
async fn the_requests_of_the_page_are_answered() {
    let bank = Bank::start().await;
    let scripts: Vec<_> = blocks(PAGE, "sh").into_iter().filter(|block| block.contains("curl ")).collect();
    let script = scripts.concat().replace("http://127.0.0.1:9090", &bank.endpoints().ops);
    let script = script.replace("data/", &format!("{}/", bank.data_dir().display()));
    let out = run_script(&script).await;
    let answers: Vec<Value> = serde_json::Deserializer::from_str(&out).into_iter().map(Result::unwrap).collect();
    assert_eq!((answers.len(), answers[0].list("/tpps").len()), (4, 2));
    assert_eq!((answers[1].text("status"), answers[1].text("status_reason")), ("disabled", "fraud case 8"));
    assert_eq!((&answers[2]["roles"], answers[3].text("status")), (&json!(["AISP"]), "deleted"));
}
