//! A scan of everything that a bank stores for texts that must not be there any more.

use crate::harness::{Bank, tables};
use crate::payments::books::{ledger_texts, server_texts};
use std::path::Path;

/// Where these texts are still stored: in the database with the ledger, in that of the server, and in every file of the data folder. The
/// server must be stopped.
pub(super) async fn find_texts(bank: &Bank, texts: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(url) = bank.ledger_url() {
        for table in tables(Some(url), Path::new("")).await {
            let rows = format!("SELECT row::text FROM \"{table}\" AS row");
            let mut stored = ledger_texts(bank, &rows).await;
            stored.extend(server_texts(bank, &rows).await);
            found.extend(stored.iter().flat_map(|row| found_in(&format!("table {table}"), row.as_bytes(), texts)));
        }
    }
    let mut folders = vec![bank.data_dir().to_owned()];
    folders.extend(bank.ledger_file().parent().map(Path::to_owned).filter(|it| !folders.contains(it)));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.extend(found_in(&path.display().to_string(), &std::fs::read(&path).unwrap(), texts));
            }
        }
    }
    found
}

/// The texts that these bytes contain, as they are or as the hexadecimal digits of bytes.
fn found_in(place: &str, bytes: &[u8], texts: &[String]) -> Vec<String> {
    let contains = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
    let is_stored = |text: &&String| contains(text.as_bytes()) || contains(hex(text).as_bytes());
    texts.iter().filter(is_stored).map(|text| format!("{text} in {place}")).collect()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}
