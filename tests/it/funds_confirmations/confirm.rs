//! Confirmations of funds.

use crate::harness::funds::{CONSENTS, QUESTIONS, about, current, question};
use crate::harness::pending_consent::accounts_of;
use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, FundsTpp, ValueExt, access};
use lombard_tpp::HttpCall;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// What may leave an account, in minor units.
fn available(account: &Value) -> i64 {
    let minor = |name: &str| account.text(name).replace('.', "").parse::<i64>().unwrap();
    minor("booked") + minor("pending") + minor("credit_limit")
}

fn decimal(minor: i64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}

#[tokio::test]
async fn cbp_030_032_033_034_040_funds_are_confirmed_to_the_last_penny_only() {
    for bank in Bank::each_engine().await {
        let asking = FundsTpp::robot(&bank).await;
        let account = current(&bank, "amelia").await;
        let (consent, token) = asking.agreed(&account).await;
        let most = available(&account);
        assert!(most > 0, "{account}");
        for (reference, minor, there) in [("a", most, true), ("b", most + 1, false), ("c", most, true), ("d", 0, true)]
        {
            let body = question(&consent, reference, &decimal(minor), "GBP");
            let exchange = asking.post(&token, QUESTIONS, &body).await;
            let answer = exchange.ok(201);
            let data = &answer["Data"];
            assert_eq!(data["FundsAvailable"], json!(there), "{reference}: CBP-040");
            assert_eq!(data["InstructedAmount"], body["Data"]["InstructedAmount"]);
            assert_eq!((data.text("ConsentId"), data.text("Reference")), (consent.as_str(), reference));
            let id = data.text("FundsConfirmationId");
            assert!((1..=40).contains(&id.len()), "CBP-032");
            assert_eq!(answer["Links"].text("Self"), asking.tpp.resource_url(&format!("{QUESTIONS}/{id}")));
            let members: BTreeSet<_> = data.as_object().unwrap().keys().map(String::as_str).collect();
            let told = [
                "ConsentId",
                "CreationDateTime",
                "FundsAvailable",
                "FundsConfirmationId",
                "InstructedAmount",
                "Reference",
            ];
            assert_eq!(members, told.into(), "CBP-034");
        }
        assert_eq!(available(&current(&bank, "amelia").await), most, "CBP-034: nothing is reserved");
    }
}

#[tokio::test]
async fn cbp_034_what_is_stored_of_a_question_is_that_it_was_answered() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let (consent, token) = asking.agreed(&current(&bank, "amelia").await).await;
    let before = bank.rows();
    asking.post(&token, QUESTIONS, &question(&consent, "r", "1.00", "GBP")).await.ok(201);
    let after = bank.rows();
    assert_eq!(after["funds_confirmations"], before["funds_confirmations"] + 1);
    for table in ["entries", "journals", "postings", "jobs", "orders", "events"] {
        assert_eq!(after[table], before[table], "{table}");
    }
}

#[tokio::test]
async fn cbp_030_035_what_is_wrong_with_a_question_is_told_at_its_place() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let (consent, token) = asking.agreed(&current(&bank, "amelia").await).await;
    let good = question(&consent, "r", "1.00", "GBP");
    for (pointer, value, code, path) in [
        ("/Data/ConsentId", json!("c".repeat(129)), "Field.Invalid", "Data.ConsentId"),
        ("/Data/Reference", json!("r".repeat(36)), "Field.Invalid", "Data.Reference"),
        ("/Data/Reference", json!(""), "Field.Invalid", "Data.Reference"),
        ("/Data/InstructedAmount/Amount", json!("1,00"), "Field.Invalid", "Data.InstructedAmount.Amount"),
        ("/Data/InstructedAmount/Amount", json!("-1.00"), "Field.Invalid", "Data.InstructedAmount.Amount"),
        ("/Data/InstructedAmount/Currency", json!("XX1"), "Field.Invalid", "Data.InstructedAmount.Currency"),
        ("/Data/InstructedAmount/Currency", json!("USD"), "Unsupported.Currency", "Data.InstructedAmount.Currency"),
    ] {
        let mut body = good.clone();
        *body.pointer_mut(pointer).unwrap() = value;
        asking.post(&token, QUESTIONS, &body).await.refused_with(400, &format!("UK.OBIE.{code}"), path);
    }
    for name in ["ConsentId", "Reference", "InstructedAmount"] {
        let mut body = good.clone();
        body["Data"].as_object_mut().unwrap().remove(name);
        let answer = asking.post(&token, QUESTIONS, &body).await;
        answer.refused_with(400, "UK.OBIE.Field.Missing", &format!("Data.{name}"));
    }
    asking.post(&token, QUESTIONS, &good).await.ok(201);
}

#[tokio::test]
async fn cbp_035_an_account_is_asked_about_in_its_own_currency() {
    let bank = Bank::start().await;
    for login in ["amelia", "bashir", "chloe", "deepak"] {
        for account in accounts_of(&bank, login).await {
            let currency = account.text("currency");
            if currency == "GBP" || account["sub_type"] != "CurrentAccount" {
                continue;
            }
            let order = json!({"name": "abroad", "roles": ["cbpii"], "headless": login});
            let asking = FundsTpp::with(bank.create_tpp(&order).await).await;
            let iban = account.list("/identifications").into_iter().find(|it| it.text("scheme") == "UK.OBIE.IBAN");
            let iban = iban.unwrap_or_else(|| panic!("{account}"));
            let named = json!({"SchemeName": "IBAN", "Identification": iban["identification"]});
            let consent = asking.consent(&json!({"Data": {"DebtorAccount": named}})).await;
            let token = asking.tokens(&consent).await.access_token;
            let there = json!(available(&account) >= 100);
            let answer = asking.post(&token, QUESTIONS, &question(&consent, "own", "1.00", currency)).await.ok(201);
            assert_eq!(answer["Data"]["FundsAvailable"], there);
            let other = asking.post(&token, QUESTIONS, &question(&consent, "other", "1.00", "GBP")).await;
            other.refused_with(400, "UK.OBIE.Unsupported.Currency", "Data.InstructedAmount.Currency");
            // A refused question has not used its reference.
            asking.post(&token, QUESTIONS, &question(&consent, "other", "1.00", currency)).await.ok(201);
            return;
        }
    }
    panic!("no current account is kept in another currency");
}

#[tokio::test]
async fn cbp_036_037_a_reference_is_used_once_under_a_consent() {
    for bank in Bank::each_engine().await {
        let asking = FundsTpp::robot(&bank).await;
        let account = current(&bank, "amelia").await;
        let one = asking.agreed(&account).await;
        let two = asking.agreed(&account).await;
        let ask = async |(consent, token): &(String, String), reference: &str, amount: &str| {
            let body = question(consent, reference, amount, "GBP");
            // CBP-037: a key is ignored.
            let call = HttpCall::post(asking.tpp.resource_url(QUESTIONS)).with_bearer(token).with_json(&body);
            asking.tpp.send(call.with_header("x-idempotency-key", "the same")).await.unwrap()
        };
        ask(&one, "r", "1.00").await.ok(201);
        for amount in ["1.00", "2.00"] {
            let answer = ask(&one, "r", amount).await;
            answer.refused_with(400, "UK.OBIE.Rules.DuplicateReference", "Data.Reference");
        }
        ask(&one, "R", "1.00").await.ok(201);
        ask(&two, "r", "1.00").await.ok(201);
        let at_once = futures_util::future::join_all((0..16).map(|_| ask(&two, "at once", "1.00"))).await;
        let good = at_once.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(good, 1, "one of them");
        for answer in at_once.iter().filter(|answer| answer.status != 201) {
            answer.refused_with(400, "UK.OBIE.Rules.DuplicateReference", "Data.Reference");
        }
    }
}

#[tokio::test]
async fn cbp_031_043_the_token_is_the_customers_and_stands_on_the_consent_named() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let account = current(&bank, "amelia").await;
    let mine = asking.agreed(&account).await;
    let other = asking.agreed(&account).await;
    let foreign = FundsTpp::with(bank.tpp("rival")).await.consent(&about(&account)).await;
    for consent in [&other.0, &foreign, &"unknown".to_owned()] {
        let answer = asking.post(&mine.1, QUESTIONS, &question(consent, "r", "1.00", "GBP")).await;
        answer.refused_with(400, "UK.OBIE.Resource.ConsentMismatch", "Data.ConsentId");
    }
    let body = question(&mine.0, "r", "1.00", "GBP");
    asking.post(&asking.own, QUESTIONS, &body).await.unauthorised();
    let reading = access(&bank.tpp("robot"), &EVERYTHING).await;
    let answer = asking.post(reading.token(), QUESTIONS, &body).await;
    answer.refused_with(403, "UK.Lombard.Forbidden.Scope", "");
    // And the other way round: this token reads no accounts.
    let answer = asking.tpp.get(&mine.1, "aisp/accounts").await.unwrap();
    answer.refused_with(403, "UK.Lombard.Forbidden.Scope", "");
    asking.tpp.get(&mine.1, &format!("{CONSENTS}/{}", mine.0)).await.unwrap().unauthorised();
}

#[tokio::test]
async fn cbp_039_an_answer_has_an_address_and_cannot_be_read_there() {
    let bank = Bank::start().await;
    let asking = FundsTpp::robot(&bank).await;
    let (consent, token) = asking.agreed(&current(&bank, "amelia").await).await;
    let answer = asking.post(&token, QUESTIONS, &question(&consent, "r", "1.00", "GBP")).await.ok(201);
    for token in [&token, &asking.own] {
        let read = asking.tpp.send(HttpCall::get(answer["Links"].text("Self")).with_bearer(token)).await.unwrap();
        read.refused_with(404, "UK.Lombard.Path.NotFound", "");
        asking.tpp.get(token, QUESTIONS).await.unwrap().refused_with(405, "UK.Lombard.Method.NotAllowed", "");
    }
}

#[tokio::test]
async fn cbp_040_about_an_account_that_is_closed_or_barred_the_answer_is_no() {
    let bank = Bank::start().await;
    for way in ["bar", "close"] {
        let asking = FundsTpp::robot(&bank).await;
        let accounts = accounts_of(&bank, "amelia").await;
        let open = accounts.into_iter().find(|it| it["shareable"] == true && it["sub_type"] != "CreditCard").unwrap();
        let (consent, token) = asking.agreed(&open).await;
        let ask = async |reference: &str, amount: &str| {
            let body = question(&consent, reference, amount, "GBP");
            asking.post(&token, QUESTIONS, &body).await.ok(201)["Data"]["FundsAvailable"].clone()
        };
        assert_eq!(ask("before", "0.00").await, json!(true), "CBP-041");
        let path = format!("/sandbox/accounts/{}/{way}", open.text("id"));
        assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 200);
        assert_eq!(ask("after", "0.01").await, json!(false), "{way}");
        assert_eq!(ask("nothing", "0.00").await, json!(false), "{way}");
    }
}

#[tokio::test]
async fn rw_112_questions_about_funds_are_limited_by_consent_and_day() {
    for engine in Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[("limits.funds_questions_per_day", "2")]).await;
        let asking = FundsTpp::robot(&bank).await;
        let account = current(&bank, "amelia").await;
        let ((consent, token), (other, others)) = (asking.agreed(&account).await, asking.agreed(&account).await);
        let ask = async |consent: &str, token: &str, reference: &str| {
            asking.post(token, QUESTIONS, &question(consent, reference, "1.00", "GBP")).await
        };
        ask(&consent, &token, "a").await.ok(201);
        assert_eq!(ask(&consent, &token, "a").await.status, 400, "CBP-036: what is refused does not count");
        ask(&consent, &token, "b").await.ok(201);
        let refused = ask(&consent, &token, "c").await;
        refused.refused_with(429, "UK.Lombard.TooManyRequests", "");
        let wait: i64 = refused.head("retry-after").parse().unwrap();
        assert!((1..=25 * 3_600).contains(&wait), "to the end of the day in London: {wait}");
        ask(&other, &others, "c").await.ok(201);
        bank.stop().await;
        bank.restart_with(&[("limits.funds_questions_per_day", "2")]).await;
        let asking = FundsTpp { tpp: bank.tpp("robot"), ..asking };
        let again = asking.post(&token, QUESTIONS, &question(&consent, "c", "1.00", "GBP")).await;
        assert_eq!(again.status, 429, "a restart forgets nothing");
        let page = HttpCall::get(format!("{}/portal/developers", bank.endpoints().public));
        assert!(asking.tpp.send(page).await.unwrap().text().contains("2 a day under one consent"), "RW-112: published");
    }
}
