//! Planned and unplanned maintenance, from outside. Source: DTN-004 to DTN-007.

mod in_force;
mod nodes;
mod notices;

use crate::harness::Bank;
use jiff::{SignedDuration, Timestamp};
use lombard_ports::clock::Clock;
use serde_json::{Value, json};

/// An act of an operator; gives the notice.
async fn act(bank: &Bank, act: &str, command: &Value) -> Value {
    let (status, notice) = bank.ops_post(&format!("/operations/maintenance/{act}"), command).await;
    assert_eq!(status, 200, "{act} {command}: {notice}");
    notice
}

/// An act that is refused; gives the sentence.
async fn refused(bank: &Bank, act: &str, command: &Value) -> String {
    let (status, answer) = bank.ops_post(&format!("/operations/maintenance/{act}"), command).await;
    assert_eq!(status, 400, "{act} {command}: {answer}");
    answer["error"].as_str().unwrap().to_owned()
}

/// Begins maintenance that was not announced.
async fn begin(bank: &Bank) -> Value {
    act(bank, "begin", &json!({"message": "The database is moved."})).await
}

/// The time in so many minutes.
fn in_minutes(bank: &Bank, minutes: i64) -> Timestamp {
    bank.clock.now() + SignedDuration::from_mins(minutes)
}

/// Announces maintenance that begins and ends in so many minutes.
async fn announce(bank: &Bank, from: i64, until: i64) -> Value {
    let period = json!({
        "from": in_minutes(bank, from).to_string(), "until": in_minutes(bank, until).to_string(),
        "message": "The database is moved.",
    });
    act(bank, "announce", &period).await
}
