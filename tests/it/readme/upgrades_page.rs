//! The documentation page about upgrades: its commands upgrade the data of the first release.

use super::{blocks, run_command};
use crate::harness::Engine;
use crate::life::earlier_release::left_behind_by;
use crate::workers::rows::texts;

const PAGE: &str = include_str!("../../../docs/operating/upgrades.md");

#[tokio::test]
async fn the_commands_of_the_page_upgrade_the_data_of_the_first_release() {
    let mut bank = left_behind_by("0.1", Engine::Sqlite).await;
    let orders = texts(&bank, "SELECT id FROM orders").await;
    let lines = blocks(PAGE, "sh").concat();
    let commands: Vec<_> = lines.lines().map(str::trim).filter(|line| line.starts_with("lombard ")).collect();
    assert_eq!(commands, ["lombard migrate --plan", "lombard migrate", "lombard config check --online"]);
    for command in commands {
        assert!(run_command(&bank, command).await, "{command}");
    }
    assert_eq!(texts(&bank, "SELECT id FROM orders").await, orders);
    bank.restart().await;
    assert_eq!(bank.ops_get("/readyz").await.status, 200);
    bank.stop().await;
}
