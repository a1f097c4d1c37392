//! Several hosts, of which one serves. Source: PostgreSQL 18 documentation, section 32.1.1.3.

use super::own_server::{OwnServer, Programs};
use super::{add, opened, opened_with, statement, text};
use lombard_database::StoreOptions;
use lombard_database::statement::SqlStatement;
use std::net::TcpListener;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

static PORT: SqlStatement = statement("SELECT current_setting('port')");

/// The longest that a node may take to use the other server.
const PATIENCE: Duration = Duration::from_secs(60);

fn url(ports: [u16; 2], query: &str) -> String {
    format!("postgres://lombard@127.0.0.1:{},127.0.0.1:{}/postgres?{query}", ports[0], ports[1])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_that_is_down_or_silent_is_passed_over_in_time() {
    let Some(programs) = Programs::find().await else { return };
    let server = OwnServer::start(&programs, "").await;
    let down = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    // Connections are established, and nobody answers.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    for other in [down, silent.local_addr().unwrap().port()] {
        let mut options = StoreOptions::new(url([other, server.port()], ""));
        options.waits.connection = Duration::from_secs(2);
        let since = Instant::now();
        let database = opened_with(&options).await.unwrap();
        assert_eq!(text(&database, &PORT).await, server.port().to_string());
        // Three connections: to migrate, and one of the pool; and a new look for the server for each.
        assert!(since.elapsed() < options.waits.connection * 3, "{:?}", since.elapsed());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_finds_the_writable_server_again_after_a_failover() {
    let Some(programs) = Programs::find().await else { return };
    let mut primary = OwnServer::start(&programs, "").await;
    let Some(standby) = primary.standby().await else { return };
    let ports = [standby.port(), primary.port()];
    let database = opened(&url(ports, "target_session_attrs=read-write")).await.unwrap();
    add(&database, "before").await.unwrap();
    assert_eq!(text(&database, &PORT).await, primary.port().to_string(), "a standby is no server to write to");

    primary.kill().await;
    standby.execute("SELECT pg_promote()").await;
    timeout(PATIENCE, async {
        while add(&database, "after").await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
    assert_eq!(text(&database, &PORT).await, standby.port().to_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_restarted_is_used_again() {
    let Some(programs) = Programs::find().await else { return };
    let mut server = OwnServer::start(&programs, "").await;
    let port = server.port();
    let database = opened(&format!("postgres://lombard@127.0.0.1:{port}/postgres")).await.unwrap();
    add(&database, "before").await.unwrap();
    server.restart().await;
    assert_eq!(server.port(), port);
    timeout(PATIENCE, async {
        while add(&database, "after").await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
}
