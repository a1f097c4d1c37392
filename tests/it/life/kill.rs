//! Killed in the middle of its work, a server loses nothing it acknowledged.
//!
//! The server is this very test binary, started again to play it: a process of its own that can be killed.

use crate::harness::{Bank, EVERYTHING, ExchangeExt};
use lombard::config::Config;
use lombard::server::{Seams, Server};
use lombard_ports::clock::{Clock, SystemClock};
use std::path::PathBuf;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinSet;

/// Names the data folder for the process that plays the server.
const PLAY: &str = "LOMBARD_TEST_PLAY_SERVER";
const CALLERS: usize = 16;
/// Consents acknowledged before the kill.
const ENOUGH: usize = 200;

#[tokio::test]
async fn no_acknowledged_consent_is_lost_by_kill_9() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        let mut server = play(&bank).await;
        let tpp = bank.tpp("robot");
        let token = tpp.client_credentials("accounts").await.unwrap().access_token;
        let (sender, mut acknowledged) = tokio::sync::mpsc::unbounded_channel();
        let mut callers = JoinSet::new();
        for _ in 0..CALLERS {
            let (tpp, token, sender) = (tpp.clone(), token.clone(), sender.clone());
            callers.spawn(async move {
                while let Ok(consent) = tpp.consent_create(&token, &EVERYTHING).await {
                    sender.send(consent).unwrap();
                }
            });
        }
        drop(sender);
        let mut consents = Vec::new();
        while let Some(consent) = acknowledged.recv().await {
            consents.push(consent);
            if consents.len() == ENOUGH {
                server.start_kill().unwrap();
            }
        }
        callers.join_all().await;
        assert!(consents.len() >= ENOUGH, "{}", consents.len());
        server.wait().await.unwrap();

        // The killed one ran on the machine's clock.
        bank.clock.advance(SystemClock.now().duration_since(bank.now()));
        bank.restart().await;
        let tpp = bank.tpp("robot");
        for consent in consents {
            let path = format!("aisp/account-access-consents/{consent}");
            // The token was acknowledged before the consents were: it lives too.
            let read = tpp.get(&token, &path).await.unwrap().ok(200);
            assert_eq!(read["Data"]["ConsentId"], consent.as_str());
        }
        bank.stop().await;
    }
}

/// Starts this binary again as a server on the bank's data, and waits until it is ready.
async fn play(bank: &Bank) -> Child {
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["life::kill::plays_the_server", "--exact", "--ignored", "--nocapture"])
        .env(PLAY, bank.data_dir())
        .envs(bank.environment())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        if line.contains("the server is ready") {
            // The pipe is read to its end, so that the server never waits for its reader.
            tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
            return server;
        }
    }
    panic!("the server ended: {:?}", server.wait().await);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "not a test: the process that is killed"]
async fn plays_the_server() {
    let Some(folder) = std::env::var_os(PLAY) else { return };
    let environment: Vec<_> = std::env::vars().collect();
    let config = Config::from_parts("", &environment).unwrap_or_else(|problems| panic!("{problems}"));
    let config = Config { data_dir: PathBuf::from(folder), ..config };
    let _server = Server::start(config, Seams::system()).await.unwrap();
    println!("the server is ready");
    std::future::pending::<()>().await;
}
