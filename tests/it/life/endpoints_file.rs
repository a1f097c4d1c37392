use crate::harness::{Bank, Engine};
use lombard::server::Server;
use lombard_ports::clock::Clocks;
use std::sync::Arc;

#[tokio::test]
async fn the_file_appears_when_listening_and_goes_on_a_clean_exit() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let file = bank.data_dir().join("endpoints.json");
    assert!(!file.exists());
    bank.restart().await;
    let text = std::fs::read_to_string(&file).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut names: Vec<_> = document.as_object().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["issuer", "mtls", "ops", "pid", "public", "resource_base", "version", "well_known"]);
    assert_eq!(document["pid"], std::process::id());
    assert!(document["resource_base"].as_str().unwrap().ends_with("/open-banking"));
    for (name, url) in document.as_object().unwrap() {
        assert!(url.as_str().is_none_or(|url| !url.ends_with('/')), "{name}");
    }
    bank.stop().await;
    assert!(!file.exists());
}

#[tokio::test]
async fn what_a_dead_server_left_is_replaced() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let file = bank.data_dir().join("endpoints.json");
    let stale = r#"{"issuer":"x","public":"x","mtls":"x","ops":"http://127.0.0.1:1","resource_base":"x","well_known":"x","version":"0","pid":1}"#;
    for left in [stale, "nonsense", ""] {
        std::fs::write(&file, left).unwrap();
        bank.restart().await;
        bank.tpp("robot").client_credentials("accounts").await.unwrap();
        bank.stop().await;
    }
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let bank = Bank::start().await;
    let seams = lombard::server::Overrides {
        clocks: Clocks::new(Arc::new(bank.clock.clone())),
        entropy: Arc::new(crate::harness::SeededEntropy::of_test("second")),
        core: None,
    };
    let second = Server::start(bank.config(), seams).await;
    assert!(second.is_err(), "{second:?}");
    bank.tpp("robot").client_credentials("accounts").await.unwrap();
    assert!(bank.data_dir().join("endpoints.json").exists(), "the first one's file stays");
}
