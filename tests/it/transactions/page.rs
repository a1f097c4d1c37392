use crate::harness::{ALL_TRANSACTIONS, Bank, CustomerAccess, ExchangeExt, ValueExt, access};
use serde_json::Value;
use std::collections::HashSet;

#[tokio::test]
async fn rw_272_to_277_pages_cover_the_list_once_forwards_and_backwards() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
        let account = access.account_ids().await.remove(0);
        for path in ["aisp/transactions".to_owned(), format!("aisp/accounts/{account}/transactions")] {
            let forwards = walk(&access, &path, "").await;
            assert!(forwards.len() > 1, "hundreds of entries: {path}");
            let ids: Vec<String> = forwards.iter().flat_map(ids).collect();
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "RW-275: none twice");
            let times: Vec<String> = forwards.iter().flat_map(times).collect();
            assert!(times.is_sorted_by(|a, b| a >= b), "RW-277: newest first");
            backwards(&access, &forwards).await;
        }
    }
}

#[tokio::test]
async fn rw_274_filters_are_kept_by_all_links() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
    let from = (bank.now() - jiff::SignedDuration::from_hours(24 * 300)).strftime("%Y-%m-%d").to_string();
    let to = (bank.now() - jiff::SignedDuration::from_hours(24 * 100)).strftime("%Y-%m-%d").to_string();
    let query = format!("?fromBookingDateTime={from}&toBookingDateTime={to}");
    let pages = walk(&access, "aisp/transactions", &query).await;
    assert!(pages.len() > 1, "{} page(s)", pages.len());
    for page in &pages {
        for (name, link) in page["Links"].as_object().unwrap() {
            let link = link.as_str().unwrap();
            assert!(link.contains("fromBookingDateTime=") && link.contains("toBookingDateTime="), "{name}: {link}");
        }
        assert!(times(page).iter().all(|it| it[..10] >= *from && it[..10] < *to), "RW-086");
    }
}

#[tokio::test]
async fn rw_275_a_cursor_of_another_query_is_refused() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &ALL_TRANSACTIONS).await;
    let accounts = access.account_ids().await;
    let first = access.read(&format!("aisp/accounts/{}/transactions", accounts[0])).await;
    let cursor = first["Links"].text("Next").split("pg=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    for path in [
        format!("aisp/accounts/{}/transactions?pg={cursor}", accounts[1]),
        format!("aisp/transactions?pg={cursor}"),
        format!("aisp/accounts/{}/transactions?pg={cursor}&fromBookingDateTime=2020-01-01", accounts[0]),
        format!("aisp/accounts/{}/transactions?pg={cursor}x", accounts[0]),
        format!("aisp/accounts/{}/transactions?pg={}", accounts[0], &cursor[1..]),
        format!("aisp/accounts/{}/transactions?pg=", accounts[0]),
    ] {
        let answer = access.tpp.get(access.token(), &path).await.unwrap();
        answer.refused_with(400, "UK.OBIE.Field.Invalid", "pg");
    }
}

/// Every page of a list by its Next links, links checked.
async fn walk(access: &CustomerAccess, path: &str, query: &str) -> Vec<Value> {
    let mut pages: Vec<Value> = Vec::new();
    let mut url = Some(access.tpp.resource_url(&format!("{path}{query}")));
    while let Some(address) = url {
        let page = access.tpp.read_link(access.token(), &address).await.unwrap().ok(200);
        assert_eq!(page["Links"].get("Prev").is_some(), !pages.is_empty(), "RW-272: {}", page["Links"]);
        url = page["Links"].get("Next").map(|link| link.as_str().unwrap().to_owned());
        assert!(url.as_deref() != Some(address.as_str()), "Next does not stand still");
        pages.push(page);
        assert!(pages.len() < 1_000, "pages never end");
    }
    pages
}

/// From the last page back by its Prev links: the same pages.
async fn backwards(access: &CustomerAccess, forwards: &[Value]) {
    let mut page = forwards.last().unwrap().clone();
    for expected in forwards.iter().rev().skip(1) {
        let link = page["Links"].text("Prev").to_owned();
        page = access.tpp.read_link(access.token(), &link).await.unwrap().ok(200);
        assert_eq!(ids(&page), ids(expected), "RW-276: the same records back");
    }
    assert!(page["Links"].get("Prev").is_none(), "RW-272: the first page has no Prev");
}

fn ids(page: &Value) -> Vec<String> {
    page.list("/Data/Transaction").iter().map(|entry| entry.text("TransactionId").to_owned()).collect()
}

fn times(page: &Value) -> Vec<String> {
    page.list("/Data/Transaction").iter().map(|entry| entry.text("BookingDateTime").to_owned()).collect()
}
