//! Maintenance over nodes, restarts, and commands on the database. Source: DTN-006.

use super::{act, announce, begin};
use crate::harness::{Bank, Engine, ValueExt, unstarted_on_each_engine, until};
use jiff::SignedDuration;
use lombard::server::command_act;
use lombard_ops::{BeginCommand, MaintenanceCommand, NoticeCommand};
use serde_json::json;

/// The status of a token request.
async fn token_status(bank: &Bank) -> u16 {
    let fields = [("grant_type", "client_credentials"), ("scope", "accounts")];
    bank.tpp("robot").request_token(&fields).await.unwrap().status.as_u16()
}

#[tokio::test]
async fn dtn_006_a_begin_and_an_end_at_one_node_are_followed_by_another() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut first = Bank::unstarted(Engine::Postgres).await;
    let mut second = first.twin();
    first.restart().await;
    second.restart().await;
    begin(&first).await;
    assert_eq!(token_status(&first).await, 503, "at once");
    until(async || (token_status(&second).await == 503).then_some(())).await;
    act(&second, "end", &json!({})).await;
    assert_eq!(token_status(&second).await, 200, "at once");
    until(async || (token_status(&first).await == 200).then_some(())).await;

    announce(&first, 10, 20).await;
    until(async || {
        let list = second.ops_get("/operations/maintenance").await.json().unwrap();
        (list["notices"].as_array().unwrap().len() == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn dtn_006_announced_maintenance_begins_by_itself_and_lasts_until_ended() {
    for bank in Bank::each_engine().await {
        announce(&bank, 10, 20).await;
        assert_eq!(token_status(&bank).await, 200);
        bank.clock.advance(SignedDuration::from_mins(10));
        assert_eq!(token_status(&bank).await, 503, "at the announced second");
        bank.clock.advance(SignedDuration::from_mins(15));
        assert_eq!(token_status(&bank).await, 503, "past the announced end");
        let ended = act(&bank, "end", &json!({})).await;
        assert_eq!((ended.text("kind"), ended.text("status")), ("planned", "ended"));
        assert_eq!(token_status(&bank).await, 200);
    }
}

#[tokio::test]
async fn dtn_006_maintenance_outlives_servers_and_is_begun_without_one() {
    for mut bank in unstarted_on_each_engine().await {
        let operator = bank.operator().await;
        let command = BeginCommand { message: Some("Moved.".to_owned()), ..BeginCommand::default() };
        let begun = operator.maintenance_change(&command_act(None), MaintenanceCommand::Begin(command)).await;
        begun.unwrap();
        drop(operator);
        bank.restart().await;
        assert_eq!(token_status(&bank).await, 503, "from the first request on");
        bank.stop().await;
        let operator = bank.operator().await;
        let command = MaintenanceCommand::End(NoticeCommand::default());
        operator.maintenance_change(&command_act(None), command).await.unwrap();
        drop(operator);
        bank.restart().await;
        assert_eq!(token_status(&bank).await, 200);
    }
}
