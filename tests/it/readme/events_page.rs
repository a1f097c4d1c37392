//! The documentation page about events: its limits match the program's, and its commands work. Source: EVT-088.

use crate::harness::Bank;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_tpp::{ExpectedSet, SetReport};
use std::process::Stdio;
use tokio::process::Command;

const PAGE: &str = include_str!("../../../docs/tpps/events.md");
const RATES: &str = include_str!("../../../docs/tpps/limits.md");
const LIMITS: &str = include_str!("../../../docs/reference/limits.md");

/// The cells of a table's row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

#[test]
fn evt_088_the_published_limits_are_those_of_the_program() {
    let is_limit = |line: &&str| line.contains("| `events.") || line.contains("| `rates.");
    let of = |page: &'static str| page.lines().filter(is_limit).map(cells).collect::<Vec<_>>();
    let rows = of(PAGE);
    let (_, rates) = RATES
        .split_once(
            "
## How often you may call",
        )
        .unwrap();
    let rates = of(rates);
    assert!(rows.len() > 8 && rates.len() == RateGroup::ALL.len(), "RW-112: {rows:?} {rates:?}");
    for row in rows.into_iter().chain(rates) {
        let ours = LIMITS.lines().map(cells).find(|cells| cells[0] == row[2]).unwrap_or_else(|| panic!("{row:?}"));
        assert_eq!(row[1], ours[1], "{}", row[2]);
    }
    for kind in ["resource-update", "consent-authorization-revoked", "linked-account-update"] {
        assert!(PAGE.contains(kind), "{kind}");
    }
}

#[tokio::test]
async fn evt_088_the_commands_of_the_page_work_against_a_bank() {
    let bank = Bank::start().await;
    let endpoints = bank.endpoints();
    let folder = tempfile::tempdir().unwrap();
    let blocks = PAGE.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let script = blocks.into_iter().find(|block| block.contains("curl ")).unwrap();
    let script = script
        .replace("data/", &format!("{}/", bank.data_dir().display()))
        .replace("https://localhost:8444", &endpoints.mtls)
        .replace("http://127.0.0.1:9090", &endpoints.ops);
    let mut shell = Command::new("sh");
    shell.args(["-euc", &script]).current_dir(folder.path()).stdin(Stdio::null());
    let run = shell.output().await.unwrap();
    let out = String::from_utf8_lossy(&run.stdout);
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{script}\n{out}\n{err}");
    let last: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"));
    assert_eq!((last["sets"].as_object().unwrap().len(), &last["moreAvailable"]), (1, &false.into()));
    let saved = std::fs::read_to_string(folder.path().join("event.jwt")).unwrap();
    assert!(!last["sets"].to_string().contains(saved.trim()), "the first was acknowledged");
    let rival = bank.tpp("rival");
    let keys = rival.bank_keys().await.unwrap();
    let expected =
        ExpectedSet { issuer: Some(&endpoints.issuer), audience: Some(rival.client_id().as_str()), now: bank.now() };
    let read = SetReport::new(saved.trim(), &keys, &expected).unwrap();
    assert_eq!(read.faults().collect::<Vec<_>>(), []);
}
