//! The documentation page about the audit log: its commands, its configuration, and the hash that readers compute again.

use super::{blocks, run_command, run_script};
use crate::harness::Bank;
use crate::harness::program::install_program;
use crate::workers::rows::change;
use lombard::config::Config;
use lombard_domain::audit::AuditEntry;
use std::process::ExitCode;

const PAGE: &str = include_str!("../../../docs/operating/audit.md");

/// The commands of the page.
const COMMANDS: [&str; 4] = [
    "lombard audit show --limit 2",
    "lombard audit show --json --action server.start --since 2020-01-01T00:00:00Z --until 2100-01-01T00:00:00Z --reason case",
    "lombard audit export --actor lombard --limit 3",
    "lombard audit verify",
];

#[tokio::test]
async fn the_commands_of_the_page_work_with_a_server_and_without() {
    let mut bank = Bank::start().await;
    for command in COMMANDS {
        assert!(run_command(&bank, command).await, "{command}");
    }
    bank.stop().await;
    for command in COMMANDS {
        assert!(run_command(&bank, command).await, "{command}");
    }
    change(&bank, "UPDATE audit_entries SET actor = 'somebody' WHERE action = 'server.start'").await;
    let data = bank.data_dir().display().to_string();
    let verify = move || lombard::cli::run_command(["lombard", "audit", "verify", "--json", "--data", &data]);
    let status = tokio::task::spawn_blocking(verify).await.unwrap();
    assert_eq!(status, ExitCode::from(2), "the entry is named");
    assert!(!run_command(&bank, "lombard audit show --action none").await);
}

#[tokio::test]
async fn the_hash_of_an_entry_is_computed_as_the_page_says() {
    let bank = Bank::start().await;
    let folder = tempfile::tempdir().unwrap();
    install_program(folder.path());
    let [script] = blocks(PAGE, "sh").try_into().unwrap();
    let script = script.replace("export --json", &format!("export --json --data {}", bank.data_dir().display()));
    run_script(&format!("cd {0}\nPATH={0}:$PATH\n{script}", folder.path().display())).await;
    let entry = std::fs::read_to_string(folder.path().join("entry.json")).unwrap();
    assert!(serde_json::from_str::<AuditEntry>(&entry).unwrap().sequence > 0, "{entry}");
}

#[test]
fn the_configuration_and_the_entry_of_the_page_can_be_read() {
    let [settings] = blocks(PAGE, "toml").try_into().unwrap();
    let config = Config::from_parts(&settings, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert!(config.audit.anchor_file.is_some() && config.audit.anchor_syslog.is_some());
    let [entry] = blocks(PAGE, "json").try_into().unwrap();
    let entry: AuditEntry = serde_json::from_str(&entry).unwrap();
    assert_eq!((entry.action.as_str(), entry.sequence), ("tpp.disable", 1284));
}
