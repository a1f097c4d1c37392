//! The documentation page about the portal: its two ways to log in work.

use super::{blocks, run_command, run_script};
use crate::harness::{Bank, Browser};

const PAGE: &str = include_str!("../../../docs/tpps/portal.md");

#[tokio::test]
async fn both_ways_to_log_in_work() {
    let mut bank = Bank::start().await;
    let blocks = blocks(PAGE, "sh");
    assert_eq!(blocks.len(), 2);
    assert!(run_command(&bank, &blocks[0]).await);
    assert!(!run_command(&bank, "lombard tpp login nobody").await);
    let script = blocks[1]
        .replace("data/", &format!("{}/", bank.data_dir().display()))
        .replace("https://localhost:8444", &bank.endpoints().mtls);
    let link = run_script(&script).await;
    let page = Browser::new(&bank.tpp("acme")).open(link.trim()).await;
    assert_eq!(page.form_with("link").values("link").len(), 1, "{link}");
    bank.stop().await;
    assert!(run_command(&bank, &blocks[0]).await, "on the database while no server runs");
}
