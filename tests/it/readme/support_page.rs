//! The documentation page about support cases: its commands and its request.

use super::{blocks, run_command, run_script};
use crate::harness::vrp::{limit, within};
use crate::harness::{Bank, PayingTpp, ValueExt};
use lombard_domain::payment::PaymentProduct;
use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/operating/support.md");

#[tokio::test]
async fn the_case_of_the_page_is_solved_by_its_commands() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let vrp = paying.agreed_to(PaymentProduct::DomesticVrp, within(&[limit("Month", "Consent", "100.00")])).await;
    paying.ordered(&vrp).await;
    let scripts = blocks(PAGE, "sh");
    let commands: Vec<_> =
        scripts.iter().flat_map(|block| block.lines()).filter(|it| it.starts_with("lombard ")).collect();
    assert_eq!(commands.len(), 5);
    for command in commands {
        assert!(run_command(&bank, &command.replace("CONSENT", &vrp.consent)).await, "{command}");
    }
    let story = bank.ops_get(&format!("/operations/consents/{}?reason=case-7", vrp.consent)).await.json().unwrap();
    assert_eq!(story.text("status"), "Stopped by the bank");

    let script = scripts.iter().find(|block| block.contains("curl ")).unwrap();
    let script = script.replace("http://127.0.0.1:9090", &bank.endpoints().ops);
    let out = run_script(&script.replace("data/", &format!("{}/", bank.data_dir().display()))).await;
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found.list("/matches")[0].text("by"), "end-to-end-id", "{found}");
}
