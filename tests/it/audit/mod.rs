//! The audit log, from outside.

mod acts;
mod decisions;
mod nodes;
mod tampering;

use crate::harness::{Bank, ExchangeExt};
use lombard_database::{Database, StoreOptions};
use lombard_domain::audit::{AuditChain, AuditEntry};
use lombard_domain::code::StoredCode;
use lombard_ports::store::{AuditFilter, AuditPage, Store};
use lombard_service::audit::{AuditVerifier, read_page};

/// The entries of a search, as the ops listener answers it; the newest first unless the query says otherwise.
async fn entries(bank: &Bank, query: &str) -> Vec<AuditEntry> {
    let page = bank.ops_get(&format!("/operations/audit?{query}")).await.ok(200);
    serde_json::from_value(page["entries"].clone()).unwrap()
}

/// The whole log of a bank and the ends of its chains, read from its database without leaving an entry.
async fn whole_log(bank: &Bank) -> (Vec<AuditEntry>, Vec<AuditChain>) {
    let variables = bank.environment();
    let url = variables.into_iter().find(|(name, _)| name == "LOMBARD__DATABASE__URL").map(|(_, url)| url);
    let file = format!("sqlite://{}", bank.data_dir().join("lombard.db").display());
    let options = StoreOptions::new(url.unwrap_or(file));
    let store = lombard_store::on_database(Database::open(&options, &[&lombard_store::SCHEMA]).await.unwrap());
    read_whole(&store).await
}

async fn read_whole(store: &Store) -> (Vec<AuditEntry>, Vec<AuditChain>) {
    let (mut entries, mut after) = (Vec::new(), 0);
    loop {
        let page = read_page(store, AuditFilter::default(), AuditPage::After(after), 1000).await.unwrap();
        after = page.entries.last().map_or(after, |last| last.number);
        entries.extend(page.entries.into_iter().map(|sealed| sealed.entry));
        if let Some(chains) = page.chains {
            return (entries, chains);
        }
    }
}

/// The faults of a log beside these anchors, each as its kind, chain and numbers.
fn faults(log: &(Vec<AuditEntry>, Vec<AuditChain>), anchors: &[AuditEntry]) -> Vec<String> {
    let mut verifier = AuditVerifier::with_anchors(anchors.iter().cloned());
    log.0.iter().for_each(|entry| verifier.check_entry(entry));
    let found = verifier.finish(&log.1).into_iter();
    found.map(|it| format!("{} {} {}-{}", it.kind.code(), it.node, it.first, it.last)).collect()
}
