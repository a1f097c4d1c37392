use super::run_script;
use crate::harness::Bank;

const README: &str = include_str!("../../../README.md");

#[tokio::test]
async fn the_curl_commands_work_against_a_bank() {
    let bank = Bank::start().await;
    let endpoints = bank.endpoints();
    let scripts: Vec<_> = blocks().into_iter().filter(|block| block.contains("curl ")).collect();
    assert!(!scripts.is_empty(), "the README shows curl commands");
    for script in scripts {
        let script = script
            .replace("data/", &format!("{}/", bank.data_dir().display()))
            .replace("https://localhost:8443", &endpoints.public)
            .replace("https://localhost:8444", &endpoints.mtls)
            .replace("http://127.0.0.1:9090", &endpoints.ops);
        let out = run_script(&script).await;
        let consent: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
        assert_eq!(consent["Data"]["Status"], "AwaitingAuthorisation");
    }
}

#[test]
fn set_up_takes_two_commands() {
    let blocks = blocks().concat();
    for command in ["cargo run --release\n", "cargo xtask test --install\n"] {
        assert!(blocks.contains(command), "{command}");
    }
}

/// The shell blocks of the README.
fn blocks() -> Vec<String> {
    super::blocks(README, "sh")
}
