//! Tests of the limits on the number of customers and accounts of a bank.

use super::{empty, faults_of, small, take};
use crate::data_file::import::{ACCOUNTS_MAX, CUSTOMERS_MAX};
use serde_json::json;

/// The number of customers of a bank is limited over all imported files, because pages list all customers.
#[tokio::test]
async fn a_bank_has_only_so_many_customers_and_accounts() {
    let customers = |range: std::ops::Range<u64>| {
        let customers: Vec<_> =
            range.map(|n| json!({"Login": format!("c{n}"), "Name": "C", "About": "None."})).collect();
        json!({"Version": 1, "Customer": customers})
    };
    let store = empty().await;
    let faults = faults_of(&store, &customers(0..CUSTOMERS_MAX.saturating_add(1))).await;
    assert_eq!(faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), ["Customer"], "{faults:?}");
    let most = customers(0..CUSTOMERS_MAX).to_string().into_bytes();
    assert_eq!(take(&store, most, false).await.unwrap().customers, CUSTOMERS_MAX);
    let faults = faults_of(&store, &small()).await;
    assert!(faults.iter().all(|fault| fault.path == "Customer") && faults.len() == 1, "{faults:?}");
    assert!(faults[0].message.contains(&format!("has {CUSTOMERS_MAX} of these")), "{faults:?}");
    // The file adds accounts of customers that already exist in the bank.
    let mut accounts = small();
    accounts.as_object_mut().unwrap().retain(|name, _| name == "Version" || name == "Account");
    accounts["Account"][0]["Holder"] = json!(["c0"]);
    accounts["Account"][0].as_object_mut().unwrap().remove("BookedBalance");
    let one = accounts["Account"][0].clone();
    let many = (0..=ACCOUNTS_MAX).map(|n| {
        let mut account = one.clone();
        account["AccountId"] = json!(format!("a-{n}"));
        account["Account"][0]["Identification"] = json!(format!("608371{n:08}"));
        account
    });
    let file = json!({"Version": 1, "Account": many.collect::<Vec<_>>()});
    let faults = faults_of(&store, &file).await;
    assert_eq!(faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), ["Account"], "{faults:?}");
    assert_eq!(take(&store, accounts.to_string().into_bytes(), false).await.unwrap().accounts, 1);
}
