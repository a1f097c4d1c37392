use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ValueExt, access};
use lombard_sandbox::seed::NoSeedProgress;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};
use std::sync::Arc;

const EXAMPLE: &str = include_str!("../../../docs/operating/example-data-file.json");

/// The example, its account held by the customer that the headless TPP acts for, too.
fn example() -> Value {
    let mut file: Value = serde_json::from_str(EXAMPLE).unwrap();
    file["Account"][0]["Holder"] = json!(["zoe", "amelia"]);
    file
}

#[tokio::test]
async fn a_bank_that_begins_with_the_file_of_another_looks_the_same_to_a_tpp() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let answer = bank.ops_get("/sandbox/seed").await;
        assert_eq!((answer.status.as_u16(), answer.head("content-type")), (200, "application/json"));
        let mut copy = Bank::bare(engine).await;
        let operator = copy.operator().await;
        let imported = operator.data_import(answer.body.to_vec(), false, Arc::new(NoSeedProgress)).await.unwrap();
        assert_eq!(imported.customers, 5);
        assert!(operator.data_export().await.unwrap() == answer.body, "byte by byte the same");
        drop(operator);
        copy.restart().await;
        assert!(copy.ops_get("/sandbox/seed").await.body == answer.body, "the usual customers did not come on top");
        let seen = access(&bank.tpp("robot"), &EVERYTHING).await;
        let copied = access(&copy.tpp("robot"), &EVERYTHING).await;
        for path in ["aisp/accounts", "aisp/balances", "aisp/transactions"] {
            let seen = seen.read(path).await;
            let copied = copied.read(path).await;
            assert!(!seen["Data"].as_object().unwrap().is_empty());
            assert_eq!(seen["Data"], copied["Data"], "{path}");
        }
    }
}

#[tokio::test]
async fn a_running_bank_takes_a_file_whole_and_a_tpp_reads_it() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let before = access(&bank.tpp("robot"), &EVERYTHING).await.account_ids().await;
        let mut faulty = example();
        let last = faulty["Transaction"].as_array().unwrap().len() - 1;
        faulty["Transaction"][last]["Status"] = json!("Lost");
        faulty["Customer"][0]["Login"] = json!("amelia");
        let (status, answer) = bank.ops_post("/sandbox/seed", &faulty).await;
        let told = answer.list("/faults");
        let paths: Vec<_> = told.iter().map(|fault| fault.text("path").to_owned()).collect();
        assert_eq!(status, 400, "{answer}");
        let status_of_last = format!("Transaction[{last}].Status");
        assert_eq!(paths, [&status_of_last, "Customer[0].Login", "Account[0].Holder"], "{answer}");
        let exported = bank.ops_get("/sandbox/seed").await;
        assert!(!exported.text().contains("zoe"), "nothing of it was stored");

        let (status, answer) = bank.ops_post("/sandbox/seed?rebase=true", &example()).await;
        assert_eq!((status, &answer["accounts"]), (200, &json!(1)), "{answer}");
        let access = access(&bank.tpp("robot"), &EVERYTHING).await;
        let added: Vec<_> = access.account_ids().await.into_iter().filter(|id| !before.contains(id)).collect();
        let [account] = added.as_slice() else { panic!("{added:?}") };
        let read = access.read(&format!("aisp/accounts/{account}/transactions")).await;
        let newest = &read.list("/Data/Transaction")[0];
        let booked: jiff::Timestamp = newest.text("BookingDateTime").parse().unwrap();
        let ago = bank.now().duration_since(booked).as_hours();
        // The example ends two days and eighteen hours before its AsOf.
        assert!((65..90).contains(&ago), "the history ends today: {newest}");
        assert_eq!(newest["Balance"]["Amount"]["Amount"], "1171.51", "{newest}");
        let balances = access.read(&format!("aisp/accounts/{account}/balances")).await;
        assert!(balances.list("/Data/Balance").iter().any(|it| it["Amount"]["Amount"] == "1171.51"), "{balances}");
        let (status, answer) = bank.ops_post("/sandbox/seed", &example()).await;
        assert_eq!(status, 400, "a second time everything is taken: {answer}");
    }
}

#[tokio::test]
async fn a_file_of_a_web_page_is_not_taken() {
    let bank = Bank::start().await;
    let ops = bank.endpoints().ops;
    let form = HttpCall::post(format!("{ops}/sandbox/seed")).with_form([("Version", "1")]);
    assert_eq!(bank.ops(form).await.status, 415);
}
