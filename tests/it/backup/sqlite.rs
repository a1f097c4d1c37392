//! The drill on SQLite: an online copy of the file. The same comparison without a server.

use super::drill::survive;
use super::{blocks, has_program, run_script};
use crate::harness::{Bank, Engine, TestCore};
use lombard_ops::Reconciliation;

const HEADING: &str = "SQLite";

#[tokio::test]
async fn a_copy_of_sqlite_is_restored_and_each_payment_made_once() {
    if !has_program("sqlite3").await {
        return;
    }
    let [back_up, restore] = blocks(HEADING, "sh").try_into().unwrap();
    let bank = Bank::unstarted_with(Engine::Sqlite, TestCore::Process).await;
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(bank.data_dir(), folder.path().join("data")).unwrap();
    let run = async |script: &str| drop(run_script(folder.path(), script, &[]).await);
    Box::pin(survive(bank, &[], async |_: &Bank| run(&back_up).await, async |_: &Bank| run(&restore).await)).await;
}

#[tokio::test]
async fn orders_are_compared_while_no_server_runs() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::start_on(engine).await;
        let robot = crate::harness::PayingTpp::robot(&bank).await;
        robot.ordered(&robot.agreed(lombard_domain::payment::PaymentProduct::DomesticPayment).await).await;
        bank.stop().await;
        let operator = bank.operator().await;
        let (mut compared, mut order) = (0, Reconciliation::default());
        loop {
            let batch = operator.reconcile(&lombard::server::command_act(None), order.clone()).await.unwrap();
            compared += batch.compared;
            assert_eq!(batch.differences, []);
            let Some(position) = batch.next else { break };
            order = Reconciliation { since: Some(batch.since), position: Some(position), dry_run: false };
        }
        assert!((1..=2).contains(&compared), "{compared}");
    }
}
