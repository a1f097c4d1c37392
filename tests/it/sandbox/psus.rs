use super::accounts_of;
use crate::harness::{Bank, EVERYTHING, ExchangeExt, ValueExt, access};

#[tokio::test]
async fn every_customer_is_shown_with_a_login_and_the_accounts() {
    for bank in Bank::each_engine().await {
        let answer = bank.ops_get("/sandbox/psus").await;
        let psus = answer.ok(200).list("/psus");
        let logins: Vec<_> = psus.iter().map(|psu| psu.text("login")).collect();
        assert_eq!(logins, ["amelia", "bashir", "chloe", "deepak", "esther"]);
        assert!(psus.iter().all(|psu| !psu.text("name").is_empty() && !psu.text("about").is_empty()));
        for account in accounts_of(&bank, "amelia").await {
            assert!(!account.text("nickname").is_empty() && account["shareable"] == true, "{account}");
            assert_eq!((account.text("type"), account.text("currency")), ("Personal", "GBP"));
            assert!(account.text("booked").rsplit_once('.').is_some_and(|(_, pence)| pence.len() == 2), "{account}");
            assert!(!account.list("/identifications").is_empty());
        }
        let withheld = accounts_of(&bank, "esther").await;
        assert!(!withheld.is_empty() && withheld.iter().all(|account| account["shareable"] == false));
    }
}

#[tokio::test]
async fn ais_087_the_names_tpps_have_for_accounts_are_not_shown() {
    let bank = Bank::start().await;
    let aliases = access(&bank.tpp("robot"), &EVERYTHING).await.account_ids().await;
    let answer = bank.ops_get("/sandbox/psus").await;
    assert!(aliases.iter().all(|alias| !answer.text().contains(alias.as_str())));
}
