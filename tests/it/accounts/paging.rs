//! Pagination of every list, with new records arriving, and with configured page sizes.

use super::ALL;
use crate::harness::{Bank, CustomerAccess, Engine, ExchangeExt, ValueExt, access, until};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Every page of a list by its Next links.
pub(super) async fn walk(access: &CustomerAccess, path: &str) -> Vec<Value> {
    follow(access, &access.tpp.resource_url(path)).await
}

async fn follow(access: &CustomerAccess, url: &str) -> Vec<Value> {
    let mut pages: Vec<Value> = Vec::new();
    let mut url = Some(url.to_owned());
    while let Some(address) = url {
        let page = access.tpp.read_link(access.token(), &address).await.unwrap().ok(200);
        url = page["Links"].get("Next").map(|link| link.as_str().unwrap().to_owned());
        pages.push(page);
        assert!(pages.len() < 1_000, "pages never end");
    }
    pages
}

/// The records of pages.
fn records(pages: &[Value]) -> Vec<Value> {
    let of_page = |page: &Value| page["Data"].as_object().unwrap().values().next().unwrap().as_array().unwrap().clone();
    pages.iter().flat_map(of_page).collect()
}

/// A bank with pages of this size.
async fn with_pages_of(engine: Engine, size: &str) -> Bank {
    let mut bank = Bank::unstarted(engine).await;
    bank.restart_with(&[("limits.page_size", size)]).await;
    bank
}

#[tokio::test]
async fn rw_271_272_275_the_size_of_pages_is_configured_and_changes_no_list() {
    for engine in Engine::at_hand() {
        let small = with_pages_of(engine, "25").await;
        let large = with_pages_of(engine, "1000").await;
        let [few, many] = [access(&small.tpp("robot"), &ALL).await, access(&large.tpp("robot"), &ALL).await];
        for list in ["transactions", "statements", "beneficiaries", "standing-orders", "balances", "accounts"] {
            let pages = walk(&few, &format!("aisp/{list}")).await;
            let whole = walk(&many, &format!("aisp/{list}")).await;
            assert_eq!(records(&pages).len(), records(&whole).len(), "{list}");
            let (last, full) = pages.split_last().unwrap();
            assert!(full.iter().all(|page| records(std::slice::from_ref(page)).len() == 25), "{list}");
            assert!((1..=25).contains(&records(std::slice::from_ref(last)).len()), "{list}");
            for (at, page) in pages.iter().enumerate() {
                assert_eq!(page["Links"].get("Prev").is_some(), at > 0, "RW-272: {list}");
                assert_eq!(page["Meta"].get("TotalPages").is_some(), pages.len() == 1, "RW-275: {list}");
            }
            let distinct: BTreeSet<_> = records(&pages).iter().map(Value::to_string).collect();
            assert_eq!(distinct.len(), records(&pages).len(), "each once: {list}");
        }
        assert!(walk(&few, "aisp/transactions").await.len() > 1);
        assert!(walk(&few, "aisp/statements").await.len() > 1, "statements fill more than a page of 25");
    }
}

#[tokio::test]
async fn rw_275_what_arrives_between_pages_is_neither_skipped_nor_repeated() {
    for engine in Engine::at_hand() {
        for list in ["transactions", "statements"] {
            let bank = with_pages_of(engine, "25").await;
            let access = access(&bank.tpp("robot"), &ALL).await;
            let path = format!("aisp/{list}");
            let before = records(&walk(&access, &path).await);
            let first = access.read(&path).await;
            // Two months go by at the bank: standing orders are paid, statements close.
            let (status, moved) = bank.ops_post("/sandbox/clock", &json!({"advance_secs": 62 * 86_400})).await;
            assert_eq!(status, 200, "{moved}");
            arrival(&access, &path, &first).await;

            let rest = follow(&access, first["Links"].text("Next")).await;
            let met = [records(std::slice::from_ref(&first)), records(&rest)].concat();
            assert_eq!(names(&met, list), names(&before, list), "{list}: exactly what was there at the first page");
        }
    }
}

/// Reads until the first page is another: the bank does what is due beside requests.
async fn arrival(access: &CustomerAccess, path: &str, first: &Value) {
    until(async || (access.read(path).await["Data"] != first["Data"]).then_some(())).await;
}

/// The ids of records, in order.
fn names(records: &[Value], list: &str) -> Vec<String> {
    let member = if list == "statements" { "StatementId" } else { "TransactionId" };
    records.iter().map(|it| it.text(member).to_owned()).collect()
}

#[tokio::test]
async fn rw_274_275_statement_pages_keep_filters_and_cursors_fit_only_them() {
    let bank = with_pages_of(Engine::Sqlite, "25").await;
    let access = access(&bank.tpp("robot"), &ALL).await;
    let accounts = access.account_ids().await;
    let filter = "fromStatementDateTime=2000-01-01&toStatementDateTime=2100-01-01T00%3A00%3A00";
    let pages = walk(&access, &format!("aisp/statements?{filter}")).await;
    assert!(pages.len() > 1);
    for page in &pages {
        for (name, link) in page["Links"].as_object().unwrap() {
            assert!(link.as_str().unwrap().contains(filter), "{name}: {link}");
        }
    }
    let next = pages[0]["Links"].text("Next");
    let cursor = next.split("pg=").nth(1).unwrap();
    for path in [
        format!("aisp/statements?pg={cursor}"),
        format!("aisp/statements?fromStatementDateTime=2000-01-01&pg={cursor}"),
        format!("aisp/accounts/{}/statements?{filter}&pg={cursor}", accounts[0]),
        format!("aisp/transactions?pg={cursor}"),
        format!("aisp/beneficiaries?pg={cursor}"),
    ] {
        let answer = access.tpp.get(access.token(), &path).await.unwrap();
        answer.refused_with(400, "UK.OBIE.Field.Invalid", "pg");
    }
}

#[tokio::test]
async fn ais_087_no_cursor_tells_the_banks_own_ids() {
    let bank = with_pages_of(Engine::Sqlite, "25").await;
    let access = access(&bank.tpp("robot"), &ALL).await;
    let psus = bank.ops_get("/sandbox/psus").await.json().unwrap();
    let inside: Vec<String> = psus
        .list("/psus")
        .iter()
        .flat_map(|psu| psu.list("/accounts"))
        .map(|account| account.text("id").to_owned())
        .collect();
    for list in ["transactions", "statements"] {
        for page in walk(&access, &format!("aisp/{list}")).await {
            for link in page["Links"].as_object().unwrap().values() {
                let url: url::Url = link.as_str().unwrap().parse().unwrap();
                let Some((_, cursor)) = url.query_pairs().find(|(name, _)| name == "pg") else { continue };
                let bytes = lombard_jose::from_base64url(&cursor).unwrap();
                let seen = |id: &String| bytes.windows(id.len()).any(|window| window == id.as_bytes());
                assert!(!inside.iter().any(seen), "{list}: {cursor}");
            }
        }
    }
}
