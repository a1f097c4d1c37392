use super::{accounts_of, waiting};
use crate::harness::{Bank, ValueExt};
use serde_json::Value;
use std::process::Stdio;
use tokio::process::Command;

const MANUAL: &str = include_str!("../../../docs/operating/sandbox.md");

#[tokio::test]
async fn the_commands_of_the_manual_work_in_their_order() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let (_, consent) = waiting(&tpp).await;
    let account = accounts_of(&bank, "amelia").await[0].text("id").to_owned();
    let blocks: String = MANUAL.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let script = blocks.replace("http://127.0.0.1:9090", &bank.endpoints().ops);
    let mut shell = Command::new("sh");
    let folder = tempfile::tempdir().unwrap();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operating/example-data-file.json");
    shell.env("EXAMPLE", example).env("BACKUP", folder.path().join("bank.json"));
    shell.env("CONSENT", &consent).env("ACCOUNT", &account).env("CLIENT", tpp.client_id().as_str());
    let run = shell.args(["-euc", &script]).stdin(Stdio::null()).output().await.unwrap();
    let out = String::from_utf8_lossy(&run.stdout);
    let err = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{script}\n{out}\n{err}");
    let answers: Vec<Value> = serde_json::Deserializer::from_str(&out).into_iter().map(Result::unwrap).collect();
    let times: Vec<_> = answers.iter().map(|answer| if answer.is_object() { answer.text("now") } else { "" }).collect();
    assert_eq!(times[2..4], ["2031-01-31T09:00:00Z", "2031-01-31T08:59:00Z"]);
    assert_eq!(answers[4].list("/psus").len(), 5);
    assert!(answers[..4].iter().all(|answer| answer["settled"] == true), "{:?}", &answers[..4]);
    assert_eq!((answers[5].text("psu"), answers[5].text("name")), ("amelia", "Amelia Mill"));
    assert_eq!((answers[6].text("psu"), &answers[6]["unlocked"]), ("amelia", &Value::from(true)));
    assert_eq!((answers[7].text("consent_id"), answers[7].text("status")), (consent.as_str(), "Authorised"));
    assert_eq!(answers[8].text("bank_status"), "Revoked");
    assert_eq!((answers[9].text("account_id"), answers[9].text("amount")), (account.as_str(), "1250.00"));
    assert_eq!((answers[10].text("holder"), answers[10].text("credit_limit")), ("Amelia Mill", "250.00"));
    assert_eq!((answers[11].text("id"), answers[11].text("status")), (account.as_str(), "Deleted"));
    assert_eq!(answers[12].list("/jtis").len(), 2);
    assert_eq!(answers[13][0]["client_id"], tpp.client_id().as_str());
    assert_eq!((&answers[14], answers[15].as_array()), (&answers[13], Some(&Vec::new())));
    assert!(answers[16]["requests"].is_array(), "{}", answers[16]);
    assert!(!answers[17].text("now").starts_with("2031"), "after a reset the clock shows the real time");
    assert_eq!(answers[18].text("name"), "before-pay-day");
    assert_eq!(answers[19..22].iter().filter(|it| it.to_string().contains("before-pay-day")).count(), 3);
    assert_eq!((answers.len(), &answers[22]["accounts"]), (23, &Value::from(1)));
    let backup = std::fs::read_to_string(folder.path().join("bank.json")).unwrap();
    assert!(backup.contains("amelia") && !backup.contains("zoe"), "it was written before the example came in");
}
