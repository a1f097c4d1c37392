//! The log over nodes, kills and commands.

use super::{entries, faults, whole_log};
use crate::harness::{Bank, Engine, ServerProcess, unstarted_on_each_engine, until};
use jiff::SignedDuration;
use lombard::server::command_act;
use lombard_domain::audit::JOINT_CHAIN;
use lombard_ops::{AuditSearch, TppChange};
use serde_json::json;
use std::collections::BTreeSet;

async fn set_status(bank: &Bank, status: &str) {
    assert_eq!(bank.ops_post(&format!("/operations/tpps/robot/{status}"), &json!({})).await.0, 200);
}

#[tokio::test]
async fn each_node_has_its_chain_and_the_joint_chain_tells_both() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut first = Bank::unstarted(Engine::Postgres).await;
    let mut second = first.twin();
    first.restart_with(&[("audit.node", "one")]).await;
    second.restart_with(&[("audit.node", "two")]).await;
    let acts = async |bank: &Bank| {
        for _ in 0..10 {
            set_status(bank, "disable").await;
            set_status(bank, "enable").await;
        }
    };
    acts(&first).await;
    // A record of a node is sealed by whichever node comes first; the other reads it.
    let found = entries(&second, "action=tpp.disable").await;
    assert_eq!(found.len(), 10);
    assert!(found.iter().all(|entry| entry.node == "one"));
    tokio::join!(first.stop(), acts(&second));
    second.stop().await;
    let log = whole_log(&second).await;
    assert_eq!(faults(&log, &[]), [""; 0]);
    let chains: BTreeSet<_> = log.1.iter().map(|chain| chain.node.as_str()).collect();
    assert!(chains.is_superset(&BTreeSet::from(["one", "two", JOINT_CHAIN])), "{chains:?}");
}

#[tokio::test]
async fn what_a_killed_node_recorded_is_sealed_by_the_next() {
    for mut bank in unstarted_on_each_engine().await {
        let server = ServerProcess::start(&bank).await;
        set_status(&bank, "disable").await;
        set_status(&bank, "enable").await;
        server.kill().await;
        bank.clock.advance_to_present();
        bank.restart_with(&[("audit.node", "next")]).await;
        let told = entries(&bank, "limit=1000").await;
        let told: Vec<_> = told.iter().filter(|it| it.action.starts_with("tpp.")).collect();
        let actions: Vec<_> = told.iter().map(|it| it.action.as_str()).collect();
        assert_eq!(actions, ["tpp.enable", "tpp.disable"]);
        assert!(told.iter().all(|entry| entry.node != "next"), "they stay those of the killed node");
        bank.stop().await;
        assert_eq!(faults(&whole_log(&bank).await, &[]), [""; 0]);
    }
}

#[tokio::test]
async fn a_worker_seals_and_tells_ends_without_being_asked() {
    for bank in Bank::each_engine().await {
        set_status(&bank, "disable").await;
        bank.clock.advance(SignedDuration::from_mins(2));
        let is_told = async || {
            let (log, chains) = whole_log(&bank).await;
            let place = log.iter().rposition(|entry| entry.action == "tpp.disable")?;
            let is_head = log[place..].iter().any(|entry| entry.node == JOINT_CHAIN);
            (is_head && chains.iter().any(|chain| chain.node == JOINT_CHAIN)).then_some(())
        };
        until(is_told).await;
    }
}

#[tokio::test]
async fn a_command_on_the_database_is_told_as_one() {
    for bank in unstarted_on_each_engine().await {
        let operator = bank.operator().await;
        let act = command_act(None);
        operator.tpp_change(&act, "robot", TppChange::Disable).await.unwrap();
        let search = AuditSearch { action: Some("tpp.disable".to_owned()), ..AuditSearch::default() };
        let told = operator.audit().read_page(&act, search).await.unwrap().entries;
        assert_eq!((told.len(), told[0].from.as_str(), told[0].role.as_str()), (1, "command", "admin"));
        assert!(told[0].actor.starts_with("command ("), "{}", told[0].actor);
    }
}
