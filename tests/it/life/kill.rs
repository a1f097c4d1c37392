//! A killed server loses nothing that it acknowledged.

use crate::harness::{EVERYTHING, ExchangeExt, ServerProcess};
use tokio::task::JoinSet;

const CALLERS: usize = 16;
/// Consents acknowledged before the kill.
const ENOUGH: usize = 200;

#[tokio::test]
async fn no_acknowledged_consent_is_lost_by_kill_9() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        let mut server = ServerProcess::start(&bank).await;
        let tpp = bank.tpp("robot");
        let token = tpp.client_credentials("accounts").await.unwrap().access_token;
        let (sender, mut acknowledged) = tokio::sync::mpsc::unbounded_channel();
        let mut callers = JoinSet::new();
        for _ in 0..CALLERS {
            let tpp = tpp.clone();
            let token = token.clone();
            let sender = sender.clone();
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
                server.process.start_kill().unwrap();
            }
        }
        callers.join_all().await;
        assert!(consents.len() >= ENOUGH, "{}", consents.len());
        server.process.wait().await.unwrap();

        // The killed one ran on the machine's clock.
        bank.clock.advance_to_present();
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
