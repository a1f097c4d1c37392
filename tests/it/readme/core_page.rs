//! The documentation page about the core: its configurations can be read, and its requests are answered as it says.

use super::{blocks, run_script};
use crate::harness::{Bank, Engine, TestCore, ValueExt};
use lombard::config::Config;
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/operating/core.md");

#[test]
fn the_configurations_of_the_page_can_be_read() {
    let found = blocks(PAGE, "toml");
    assert_eq!(found.len(), 3);
    for text in found {
        Config::from_parts(&text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    }
}

#[tokio::test]
async fn the_requests_of_the_page_are_answered() {
    let mut bank = Bank::unstarted_with(Engine::Sqlite, TestCore::Process).await;
    bank.restart().await;
    let core: Value = serde_json::from_slice(&std::fs::read(bank.core_file()).unwrap()).unwrap();
    let folder = bank.core_file().parent().unwrap().display().to_string();
    let scripts: Vec<_> = blocks(PAGE, "sh").into_iter().filter(|block| block.contains("curl ")).collect();
    assert!(!scripts.is_empty(), "the page shows curl commands");
    for script in scripts {
        let script = script
            .replace("bank/core/", &format!("{folder}/core/"))
            .replace("https://localhost:8446", core.text("url"))
            .replace("http://127.0.0.1:9090", &bank.endpoints().ops)
            .replace("curl ", "curl --fail --silent --show-error ");
        let out = run_script(&script).await;
        assert!(out.contains("amelia") && out.contains("now") && out.ends_with("ready\n"), "{out}");
    }
}
