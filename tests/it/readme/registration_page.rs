//! The documentation page about registration: its commands work, and what they make is what the page says.

use super::{blocks, run_command};
use crate::harness::{Bank, ExchangeExt, ValueExt};

const PAGE: &str = include_str!("../../../docs/tpps/registration.md");

#[tokio::test]
async fn the_commands_of_the_page_register_an_application() {
    let bank = Bank::start().await;
    // The command signs by the machine's clock.
    bank.clock.advance_to_present();
    let lines = blocks(PAGE, "sh").concat();
    let commands: Vec<_> = lines.lines().filter(|line| line.starts_with("lombard ")).collect();
    assert_eq!(commands.len(), 2, "{commands:?}");
    for command in commands {
        assert!(run_command(&bank, command).await, "{command}");
    }
    let shop = bank.tpp("corner-shop");
    shop.client_credentials("accounts").await.unwrap();
    let shown = bank.ops_get("/operations/tpps/corner-shop").await.ok(200);
    assert_eq!(shown.text("client_id"), shop.client_id().as_str());
    for refused in [
        "lombard tpp register nobody",
        "lombard tpp register corner-shop",
        "lombard tpp create corner-shop --unregistered",
        "lombard tpp create other --unregistered --headless amelia",
    ] {
        assert!(!run_command(&bank, refused).await, "{refused}");
    }
    assert!(!bank.data_dir().join("tpps/other").exists());
    assert!(run_command(&bank, "lombard tpp register corner-shop --again").await);
    assert_ne!(bank.tpp("corner-shop").client_id(), shop.client_id());
}
