//! A customer with consents, payments and a history is held, exported and erased, and nothing of the customer is left.

use super::scan::find_texts;
use crate::harness::{Bank, EVERYTHING, ExchangeExt, PayingTpp, ValueExt, access};
use crate::payments::books::{add_up, count, end_of, ledger_count};
use http::Method;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

/// The customer, who alone holds accounts and pays from them.
const CUSTOMER: &str = "amelia";
const PRODUCT: PaymentProduct = PaymentProduct::DomesticPayment;
const REFERENCE: &str = "E2E-ERASED-7731";

/// Sends an order about the customer; gives status and answer.
async fn act(bank: &Bank, act: &str) -> (u16, Value) {
    bank.ops_post(&format!("/operations/customers/{CUSTOMER}/{act}?reason=case+7"), &Value::Null).await
}

async fn export(bank: &Bank) -> Value {
    bank.ops_get(&format!("/operations/customers/{CUSTOMER}/export?reason=request+7")).await.ok(200)
}

/// The rows of the server in an export, by table.
fn rows(export: &Value) -> Vec<(String, usize)> {
    let tables = export.list("/server");
    let counted = tables.iter().map(|it| (it.text("table").to_owned(), it.list("/rows").len()));
    counted.filter(|(_, rows)| *rows > 0).collect()
}

async fn known(bank: &Bank, psu: &str) -> Value {
    let psus = bank.ops_get("/sandbox/psus").await.json().unwrap().list("/psus");
    psus.into_iter().find(|it| it["psu"] == psu).unwrap()
}

/// The name, the numbers and the references of the customer.
async fn identifying(bank: &Bank) -> Vec<String> {
    let psu = known(bank, CUSTOMER).await;
    let numbers = psu.list("/accounts").into_iter().flat_map(|account| account.list("/identifications"));
    let mut texts: Vec<String> = numbers.map(|it| it.text("identification").to_owned()).collect();
    assert!(!texts.is_empty(), "{psu}");
    texts.extend([psu.text("name").to_owned(), REFERENCE.to_owned()]);
    texts
}

#[tokio::test]
async fn a_customer_is_held_exported_and_erased_without_a_trace() {
    for mut bank in Bank::each_engine().await {
        let tpp = bank.create_tpp(&json!({"name": "reader", "headless": CUSTOMER})).await;
        let reading = access(&tpp, &EVERYTHING).await;
        assert!(!reading.account_ids().await.is_empty());
        let paying = PayingTpp::as_tpp(&bank, "reader").await;
        let mut asked = paying.asking(PRODUCT);
        asked["Data"]["Initiation"]["EndToEndIdentification"] = REFERENCE.into();
        let agreed = paying.agreed_to(PRODUCT, asked).await;
        let (order, _) = paying.ordered(&agreed).await;
        let (status, answer) = act(&bank, "erase").await;
        assert!(status == 400 && answer.text("error").contains(&order), "an order is open: {answer}");
        end_of(&bank, &paying, PRODUCT, &order).await;

        let texts = identifying(&bank).await;
        let exported = export(&bank).await;
        for text in &texts {
            assert!(exported.to_string().contains(text), "the export lacks {text}");
        }
        let tables: Vec<_> = rows(&exported).into_iter().map(|(table, _)| table).collect();
        for table in ["consents", "consent_accounts", "orders", "grants"] {
            assert!(tables.iter().any(|it| it == table), "{table}: {tables:?}");
        }
        assert!(exported["core"].to_string().contains("entries"), "the core's part");

        assert_eq!(act(&bank, "hold").await.0, 200);
        let (status, answer) = act(&bank, "erase").await;
        assert!(status == 400 && answer.text("error").contains("on hold"), "{answer}");
        assert_eq!(act(&bank, "release").await.0, 200);

        let sizes = async |bank: &Bank| {
            let mut sizes = vec![ledger_count(bank, "SELECT CAST(SUM(ABS(minor)) AS BIGINT) FROM postings").await];
            for question in ["consents", "orders", "order_payments"] {
                sizes.push(count(bank, &format!("SELECT COUNT(*) FROM {question}")).await);
            }
            sizes
        };
        let before = sizes(&bank).await;
        let path = format!("/operations/customers/{CUSTOMER}/erase");
        assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 400, "without a reason");
        let (status, erased) = act(&bank, "erase").await;
        assert_eq!(status, 200, "{erased}");
        assert!(erased["erasure"]["erased_at_core"] == true && erased["erasure"]["consents_revoked"] == 1, "{erased}");
        assert_eq!(sizes(&bank).await, before, "the ledger and statistics are unchanged");
        add_up(&bank).await;

        reading.tpp.get(reading.token(), "aisp/accounts").await.unwrap().unauthorised();
        let path = format!("pisp/domestic-payments/{order}");
        assert_eq!(paying.get(&paying.own, &path).await.status.as_u16(), 400, "the order is not found");
        let after = export(&bank).await;
        assert!(rows(&after).is_empty() && after["core"].is_null(), "{after}");
        assert_eq!(act(&bank, "erase").await.0, 200, "a second erasure is no error");

        let other = known(&bank, "deepak").await.text("name").to_owned();
        bank.stop().await;
        assert!(!find_texts(&bank, &[other]).await.is_empty(), "the scan finds what is stored");
        let found = find_texts(&bank, &texts).await;
        assert!(found.is_empty(), "{found:?}");
    }
}

#[tokio::test]
async fn only_security_and_admin_act_on_records_of_a_customer_and_say_why() {
    let bank = Bank::start().await;
    for act in ["hold", "release", "erase"] {
        let path = format!("/operations/customers/{CUSTOMER}/{act}");
        let (status, answer) = bank.ops_post(&path, &Value::Null).await;
        assert!(status == 400 && answer.text("error").contains("reason"), "{act}: {answer}");
    }
    let (status, answer) = act(&bank, "release").await;
    assert!(status == 400 && answer.text("error").contains("not on hold"), "{answer}");
}

#[tokio::test]
async fn an_erasure_waits_for_snapshots_to_be_removed() {
    let bank = Bank::start().await;
    let save = HttpCall::new(Method::PUT, format!("{}/sandbox/snapshots/kept", bank.endpoints().ops));
    assert_eq!(bank.ops(save.with_json(&Value::Null)).await.status.as_u16(), 201);
    let (status, answer) = act(&bank, "erase").await;
    assert!(status == 400 && answer.text("error").contains("kept"), "{answer}");
}
