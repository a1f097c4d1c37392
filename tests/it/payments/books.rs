//! The final records of payments: entries of the account, the ledger, and events.

use crate::harness::{ALL_TRANSACTIONS, Bank, CustomerAccess, ExchangeExt, PayingTpp, ValueExt, access, until};
use lombard_domain::payment::PaymentProduct;
use lombard_jose::CompactJws;
use lombard_tpp::Tpp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The statuses in which an immediate payment rests for good.
const ENDS: [&str; 2] = ["AcceptedCreditSettlementCompleted", "Rejected"];
/// Lets through what does not add up: a currency whose postings leave something, an account that is not the sum of its own.
const ODD: [&str; 2] = [
    "SELECT count(*) FROM (SELECT currency FROM postings GROUP BY currency, layer HAVING sum(minor) <> 0) AS odd",
    "SELECT count(*) FROM ledger_accounts AS it WHERE it.booked <> (SELECT coalesce(sum(minor), 0) FROM postings \
     WHERE account_id = it.id AND layer = 'booked')",
];

/// Lets the bank's time pass until the payment rests; gives how it ended.
pub(crate) async fn end_of(bank: &Bank, paying: &PayingTpp, product: PaymentProduct, order: &str) -> String {
    let ended = async || {
        let now = paying.order_now(product, order).await["Data"].text("Status").to_owned();
        if ENDS.contains(&now.as_str()) {
            return Some(now);
        }
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 1})).await;
        None
    };
    until(ended).await
}

/// The entries of the TPP's customer that carry a reference beginning so, by reference.
pub(crate) async fn entries(tpp: &Tpp, beginning: &str) -> BTreeMap<String, Vec<Value>> {
    let reading = access(tpp, &ALL_TRANSACTIONS).await;
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for account in reading.account_ids().await {
        for entry in recent(&reading, &account, beginning).await {
            found.entry(entry.text("TransactionReference").to_owned()).or_default().push(entry);
        }
    }
    found
}

/// Reads pages for as long as there is one of these on them.
async fn recent(reading: &CustomerAccess, account: &str, beginning: &str) -> Vec<Value> {
    let mut url = Some(reading.tpp.resource_url(&format!("aisp/accounts/{account}/transactions")));
    let mut all = Vec::new();
    while let Some(address) = url.take() {
        let page = reading.tpp.read_link(reading.token(), &address).await.unwrap().ok(200);
        let entries = page.list("/Data/Transaction");
        let before = all.len();
        all.extend(entries.into_iter().filter(|it| it.text("TransactionReference").starts_with(beginning)));
        if all.len() > before {
            url = page["Links"].get("Next").and_then(Value::as_str).map(str::to_owned);
        }
    }
    all
}

/// Takes all events that wait; gives how many there were about each resource, by the end of its address.
pub(crate) async fn events(tpp: &Tpp) -> BTreeMap<String, usize> {
    let token = tpp.client_credentials("payments").await.unwrap().access_token;
    let (mut received, mut about): (Vec<String>, BTreeMap<String, usize>) = (Vec::new(), BTreeMap::new());
    loop {
        let order = json!({"returnImmediately": true, "maxEvents": 100, "ack": received});
        let answer = tpp.poll_events(&token, &order).await.unwrap().ok(200);
        let sets = answer["sets"].as_object().unwrap();
        if sets.is_empty() {
            return about;
        }
        for token in sets.values() {
            let claims: Value = CompactJws::parse(token.as_str().unwrap()).unwrap().claims().unwrap();
            let id = claims.text("sub").rsplit('/').next().unwrap().to_owned();
            *about.entry(id).or_default() += 1;
        }
        received = sets.keys().cloned().collect();
    }
}

/// That the ledger adds up: every currency's postings to nothing, every account to its own.
pub(crate) async fn add_up(bank: &Bank) {
    for question in ODD {
        assert_eq!(ledger_count(bank, question).await, 0, "{question}");
    }
}

/// The one number that a question to the database with the ledger is answered with.
pub(crate) async fn ledger_count(bank: &Bank, question: &str) -> i64 {
    answer(bank.ledger_url(), &bank.ledger_file(), question).await
}

/// The one number that a question to the server's database is answered with.
pub(crate) async fn count(bank: &Bank, question: &str) -> i64 {
    answer(server_url(bank).as_deref(), &bank.data_dir().join("lombard.db"), question).await
}

/// The URL of the server's database, if its engine is a server.
fn server_url(bank: &Bank) -> Option<String> {
    bank.environment().into_iter().find(|(name, _)| name == "LOMBARD__DATABASE__URL").map(|(_, url)| url)
}

/// The texts of the first column of an answer of the database with the ledger.
pub(crate) async fn ledger_texts(bank: &Bank, question: &str) -> BTreeSet<String> {
    texts(bank.ledger_url(), &bank.ledger_file(), question).await
}

/// The texts of the first column of an answer of the server's database.
pub(crate) async fn server_texts(bank: &Bank, question: &str) -> BTreeSet<String> {
    texts(server_url(bank).as_deref(), &bank.data_dir().join("lombard.db"), question).await
}

/// The one number that the database at this URL, or in this SQLite file if there is none, answers.
async fn answer(url: Option<&str>, file: &Path, question: &str) -> i64 {
    match url {
        Some(url) => on_postgres(url, question, |row| row.get(0)).await,
        None => on_sqlite(file, question, |row| row.get(0)),
    }
    .pop()
    .unwrap()
}

/// The same for texts.
async fn texts(url: Option<&str>, file: &Path, question: &str) -> BTreeSet<String> {
    let rows = match url {
        Some(url) => on_postgres(url, question, |row| row.get(0)).await,
        None => on_sqlite(file, question, |row| row.get(0)),
    };
    rows.into_iter().collect()
}

async fn on_postgres<T>(url: &str, question: &str, read: fn(&tokio_postgres::Row) -> T) -> Vec<T> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    let rows = client.query(question, &[]).await.unwrap();
    drop(client);
    driver.await.unwrap().unwrap();
    rows.iter().map(read).collect()
}

fn on_sqlite<T>(file: &Path, question: &str, read: fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>) -> Vec<T> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = rusqlite::Connection::open_with_flags(file, flags).unwrap();
    let mut statement = database.prepare(question).unwrap();
    statement.query_map([], read).unwrap().map(Result::unwrap).collect()
}
