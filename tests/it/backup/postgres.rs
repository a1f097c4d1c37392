//! The drill on PostgreSQL: a dump.

use super::drill::survive;
use super::{blocks, has_program, run_script};
use crate::harness::{Bank, Engine, TestCore};

const HEADING: &str = "PostgreSQL: a dump";

#[tokio::test]
async fn a_dump_of_postgresql_is_restored_and_each_payment_made_once() {
    if !Engine::at_hand().contains(&Engine::Postgres) || !has_program("pg_dump").await {
        return;
    }
    let [back_up, restore] = blocks(HEADING, "sh").try_into().unwrap();
    let bank = Bank::unstarted_with(Engine::Postgres, TestCore::Process).await;
    let folder = tempfile::tempdir().unwrap();
    let run = async |bank: &Bank, script: &str| {
        let url = bank.database_url();
        run_script(folder.path(), script, &[("DATABASE_URL", url.as_str())]).await;
    };
    let back_up = async |bank: &Bank| run(bank, &back_up).await;
    Box::pin(survive(bank, &[], back_up, async |bank: &Bank| run(bank, &restore).await)).await;
}
