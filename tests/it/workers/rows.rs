//! Direct access to rows of the database.

use crate::harness::Bank;
use std::collections::BTreeSet;

/// The address of the bank's database, if that is a server.
fn url(bank: &Bank) -> Option<String> {
    let environment = bank.environment();
    environment.into_iter().find(|(name, _)| name == "LOMBARD__DATABASE__URL").map(|(_, url)| url)
}

/// Runs a statement; says how many rows it changed.
pub(crate) async fn change(bank: &Bank, statement: &str) -> u64 {
    match url(bank) {
        Some(url) => {
            let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
            let driver = tokio::spawn(connection);
            let changed = client.execute(statement, &[]).await;
            drop(client);
            driver.await.unwrap().unwrap();
            changed.unwrap_or_else(|error| panic!("{statement}: {error:?}"))
        }
        None => {
            let database = rusqlite::Connection::open(bank.data_dir().join("lombard.db")).unwrap();
            database.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
            let changed = database.execute(statement, []).unwrap_or_else(|error| panic!("{statement}: {error}"));
            changed.try_into().unwrap()
        }
    }
}

/// Runs statements on a bank whose database is a server's.
pub(crate) async fn run_script(bank: &Bank, statements: &str) {
    let url = url(bank).expect("the bank is on a database server");
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    let ran = client.batch_execute(statements).await;
    drop(client);
    driver.await.unwrap().unwrap();
    ran.unwrap_or_else(|error| panic!("{error:?}"));
}

/// The texts that a question is answered with, one in each row.
pub(crate) async fn texts(bank: &Bank, question: &str) -> BTreeSet<String> {
    match url(bank) {
        Some(url) => {
            let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
            let driver = tokio::spawn(connection);
            let rows = client.query(question, &[]).await.unwrap_or_else(|error| panic!("{question}: {error:?}"));
            drop(client);
            driver.await.unwrap().unwrap();
            rows.into_iter().map(|row| row.get(0)).collect()
        }
        None => {
            let database = rusqlite::Connection::open(bank.data_dir().join("lombard.db")).unwrap();
            let mut asked = database.prepare(question).unwrap_or_else(|error| panic!("{question}: {error}"));
            asked.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        }
    }
}
