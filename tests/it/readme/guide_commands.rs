//! The guides for TPPs: the commands about applications that they show succeed.

use super::{blocks, run_command};
use crate::harness::Bank;

/// The guides whose commands no other test runs.
const PAGES: [(&str, &str); 3] = [
    ("authorisation", include_str!("../../../docs/tpps/authorisation.md")),
    ("decoupled", include_str!("../../../docs/tpps/decoupled.md")),
    ("security-profiles", include_str!("../../../docs/tpps/security-profiles.md")),
];

#[tokio::test]
async fn the_commands_of_the_guides_create_and_change_applications() {
    let bank = Bank::start().await;
    for (name, page) in PAGES {
        let lines = blocks(page, "sh").concat();
        let commands: Vec<_> = lines.lines().filter(|line| line.starts_with("lombard tpp ")).collect();
        assert!(!commands.is_empty(), "{name}");
        for command in commands {
            assert!(run_command(&bank, command).await, "{name}: {command}");
        }
    }
}
