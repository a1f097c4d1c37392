use crate::harness::{Bank, CustomerAccess, ExchangeExt, ValueExt, access};
use serde_json::{Value, json};

const PERMISSIONS: [&str; 3] = ["ReadAccountsDetail", "ReadBalances", "ReadProducts"];

/// The products of each account, asked for one by one.
async fn one_by_one(access: &CustomerAccess) -> Vec<(Value, Value)> {
    let mut found = Vec::new();
    for account in access.read("aisp/accounts").await.list("/Data/Account") {
        let path = format!("aisp/accounts/{}/product", account.text("AccountId"));
        let answer = access.read(&path).await;
        assert_eq!(answer["Links"].text("Self"), access.tpp.resource_url(&path), "RW-241, RW-243");
        let mut products = answer.list("/Data/Product");
        assert_eq!(products.len(), 1, "AIS-180: one product for each account");
        found.push((account, products.remove(0)));
    }
    found
}

#[tokio::test]
async fn ais_002_180_every_account_has_its_product_alone_and_in_bulk() {
    for bank in Bank::each_engine().await {
        let access = access(&bank.tpp("robot"), &PERMISSIONS).await;
        let mut bulk = access.read("aisp/products").await.list("/Data/Product");
        for (account, product) in one_by_one(&access).await {
            assert_eq!(product.text("AccountId"), account.text("AccountId"));
            assert_eq!(product.text("ProductName"), account.text("Description"), "an account says what it is sold as");
            let (kind, terms) = match account.text("AccountSubType") {
                "CurrentAccount" => ("PersonalCurrentAccount", "PCA"),
                _ => ("Other", "OtherProductType"),
            };
            assert_eq!(product.text("ProductType"), kind);
            for member in ["PCA", "BCA", "OtherProductType"] {
                assert_eq!(product.get(member).is_some(), member == terms, "AIS-180: {product}");
            }
            if kind == "Other" {
                assert!((1..=350).contains(&product[terms].text("Name").len()), "AIS-180: {product}");
                assert!((1..=350).contains(&product[terms].text("Description").len()), "AIS-180: {product}");
            }
            let at = bulk.iter().position(|it| *it == product).expect("AIS-081: the bulk list has it too");
            bulk.remove(at);
        }
        assert!(bulk.is_empty(), "AIS-081: nothing else: {bulk:?}");
    }
}

#[tokio::test]
async fn ais_180_a_business_has_business_terms() {
    let bank = Bank::start().await;
    let tpp = bank.create_tpp(&json!({ "name": "works", "roles": ["aisp"], "headless": "bashir" })).await;
    let products = one_by_one(&access(&tpp, &PERMISSIONS).await).await;
    assert!(products.len() >= 2, "the studio has several accounts");
    for (_, product) in products {
        assert_eq!(product.text("ProductType"), "BusinessCurrentAccount");
        assert!(product.get("PCA").is_none() && product.get("OtherProductType").is_none(), "{product}");
        let fees = product.list("/BCA/OtherFeesCharges/0/FeeChargeDetail");
        assert!(fees.iter().any(|fee| fee["FeeType"] == "ServiceCAccountFeeMonthly"), "{product}");
    }
}

#[tokio::test]
async fn ais_112_180_an_overdraft_ends_where_the_credit_line_does() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &PERMISSIONS).await;
    let balances = access.read("aisp/balances").await.list("/Data/Balance");
    let mut overdrafts = 0;
    for (account, product) in one_by_one(&access).await {
        let Some(tier) = product.pointer("/PCA/Overdraft/OverdraftTierBandSet/0/OverdraftTierBand/0") else { continue };
        let own = balances.iter().find(|it| it.text("AccountId") == account.text("AccountId")).unwrap();
        assert_eq!(tier.text("TierValueMax"), own["CreditLine"][0]["Amount"].text("Amount"));
        overdrafts += 1;
    }
    assert_eq!(overdrafts, 1, "amelia's current account has one");
}

#[tokio::test]
async fn ais_002_040_products_have_their_own_names_and_permission() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let with = access(&tpp, &PERMISSIONS).await;
    let account = with.account_ids().await.remove(0);
    for path in ["aisp/product".to_owned(), format!("aisp/accounts/{account}/products")] {
        with.tpp.get(with.token(), &path).await.unwrap().refused(404);
    }
    let without = access(&tpp, &["ReadAccountsDetail", "ReadBalances"]).await;
    let account = without.account_ids().await.remove(0);
    for path in ["aisp/products".to_owned(), format!("aisp/accounts/{account}/product")] {
        without.tpp.get(without.token(), &path).await.unwrap().refused(403);
    }
}
