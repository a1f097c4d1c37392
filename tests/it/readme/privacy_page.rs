//! The page about retention and privacy: its commands are run as they are printed, on a running server and on its data.

use super::{blocks, run_words};
use crate::harness::{Bank, ExchangeExt};

const PAGE: &str = include_str!("../../../docs/operating/privacy.md");

/// The commands of the page, without what the shell alone understands.
fn commands() -> Vec<String> {
    let commands = blocks(PAGE, "sh").into_iter().map(|block| block.trim().to_owned());
    commands.map(|command| command.split(" > ").next().unwrap().to_owned()).collect()
}

/// The words of a command; a text between quotation marks is one word.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[tokio::test]
async fn the_commands_about_one_customer_work_as_printed() {
    let mut bank = Bank::start().await;
    let all = commands();
    assert_eq!(all.len(), 4, "{all:?}");
    for command in &all {
        assert!(run_words(&bank, words(command)).await, "{command}");
    }
    let export = "/operations/customers/deepak/export?reason=case";
    assert!(bank.ops_get(export).await.ok(200)["core"].is_null());
    bank.stop().await;
    for command in &all {
        assert!(run_words(&bank, words(command)).await, "without a server: {command}");
    }
}
