//! What a customer reads of the payee before deciding on a payment: the check of the name, and warnings. The application is told neither.

use crate::harness::{Bank, Browser, ExchangeExt, PayingTpp, PendingConsent, ValueExt};
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// A current account of amelia's as a payee, with its name.
pub(crate) async fn amelias_account(bank: &Bank) -> Value {
    let access = crate::harness::access(&bank.tpp("robot"), &["ReadAccountsDetail"]).await;
    let accounts = access.read("aisp/accounts").await.list("/Data/Account");
    let usual =
        accounts.iter().find(|it| it.text("AccountSubType") == "CurrentAccount" && it.text("Currency") == "GBP");
    let numbers = usual.expect("amelia has a current account").list("/Account");
    let number = numbers.into_iter().find(|it| it.text("SchemeName") == "UK.OBIE.SortCodeAccountNumber");
    number.expect("it has a number")
}

/// What asks for a payment to this payee.
pub(crate) fn paying_to(paying: &PayingTpp, payee: &Value, amount: &str) -> Value {
    let mut body = paying.asking(NOW);
    body["Data"]["Initiation"]["CreditorAccount"] = payee.clone();
    body["Data"]["Initiation"]["InstructedAmount"]["Amount"] = json!(amount);
    body
}

/// What the bank keeps of the approvals of a consent.
async fn evidence(bank: &Bank, consent: &str) -> Vec<Value> {
    let kept = bank.ops_get(&format!("/operations/consents/{consent}/evidence?reason=test")).await;
    assert_eq!(kept.status, 200, "{}", kept.text());
    kept.json().unwrap().list("/decisions")
}

#[tokio::test]
async fn the_payee_name_is_checked_before_the_decision_and_blocks_nothing() {
    let bank = Bank::start().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let account = amelias_account(&bank).await;
    let named = |name: &str| json!({ "SchemeName": account["SchemeName"], "Identification": account["Identification"], "Name": name });
    let own = account.text("Name").to_owned();
    let typo = format!("{}x", own.strip_suffix(|_: char| true).unwrap());
    let elsewhere =
        json!({"SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "20000319825731", "Name": own});
    for (payee, told, kept) in [
        (named(&own.to_uppercase()), "The name matches the account.", "match"),
        (named(&typo), "Check the payee’s name", "close-match"),
        (named("Quentin Zwick"), "The name does not match the account", "no-match"),
        (elsewhere, "The payee’s name could not be checked", "bank-not-taking-part"),
    ] {
        let asked = PendingConsent::with(&bank, paying.clone(), NOW, paying_to(&paying, &payee, "12.50")).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = browser.log_in(&asked.url(), "deepak").await;
        let text = page.exchange.text().into_owned();
        assert!(text.contains(told), "{told}: {text}");
        assert_eq!(text.contains("in the name of"), told.starts_with("Check"), "only a close match tells the name");
        let read = asked.paying.consent_now(NOW, &asked.consent).await.to_string();
        let form = page.form_with("decision");
        let choice = form.values("account")[0].clone();
        let back = browser.submit(form, &[("account", &choice), ("decision", "approve")]).await;
        assert_eq!(back.exchange.status, 303, "{told}: {}", back.exchange.text());
        assert!(back.exchange.head("location").contains("code="), "{told}");
        let after = asked.paying.consent_now(NOW, &asked.consent).await.to_string();
        let learnt = [read, after]
            .into_iter()
            .find(|it| it.contains("atch") || (payee.text("Name") == typo && it.contains(&own)));
        assert_eq!(learnt, None, "no TPP is told");
        let decisions = evidence(&bank, &asked.consent).await;
        assert_eq!((decisions.len(), decisions[0].text("payee_check")), (1, kept), "{decisions:?}");
        assert_eq!(decisions[0].text("psu"), "deepak");
    }
}

#[tokio::test]
async fn a_warning_is_shown_before_the_payments_that_it_is_about() {
    let bank = Bank::start().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let payee = amelias_account(&bank).await;
    for (amount, purpose, told) in [
        ("999.99", "TransferToThirdParty", vec!["This payee is not among those of your accounts"]),
        ("1000.00", "TransferToSelf", vec!["Could this be a scam?", "Is this account really yours?"]),
        ("99.99", "TransferToSelf", vec![]),
    ] {
        let mut body = paying_to(&paying, &payee, amount);
        body["Risk"] = json!({"PaymentContextCode": purpose});
        let asked = PendingConsent::with(&bank, paying.clone(), NOW, body).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = browser.log_in(&asked.url(), "deepak").await;
        let text = page.exchange.text().into_owned();
        let all = [
            "Could this be a scam?",
            "Is this account really yours?",
            "This payee is not among those of your accounts",
        ];
        let shown: Vec<_> = all.into_iter().filter(|heading| text.contains(heading)).collect();
        assert_eq!(shown, told, "{amount} {purpose}");
        let form = page.form_with("decision");
        let choice = form.values("account")[0].clone();
        let agreed = [("account", choice.as_str()), ("decision", "approve")];
        // An account without enough money is named a second time.
        let back = browser.submit(form, &agreed).await;
        if back.exchange.status != 303 {
            browser.submit(back.form_with("decision"), &agreed).await;
        }
        assert_eq!(evidence(&bank, &asked.consent).await[0]["warnings"], json!(told), "{amount} {purpose}");
    }
}
