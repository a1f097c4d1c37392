//! What both engines share: the SQL text, the row records, and one implementation of every aggregate over [`Sql`].

mod arrangements;
mod attempts;
mod bank_news;
mod bank_orders;
mod clients;
mod codes;
mod connections;
mod consents;
mod diary;
mod events;
mod file_lines;
mod funds;
mod grants;
mod idempotency;
mod interactions;
mod jobs;
mod keys;
mod ledger;
mod order_payments;
mod orders;
mod paging;
mod payment_files;
mod purge;
mod pushed;
mod quarantine;
mod readable;
mod records;
mod reset;
pub(crate) mod session;
mod sessions;
mod settings;
pub(crate) mod statement;
mod tokens;
pub(crate) mod value;
mod vrp_usage;

use lombard_ports::store::Transaction;
use session::{Session, Sql};

impl<S: Sql> Transaction for Session<S> {}

/// Every statement of the store, so that a test can prepare each of them on each engine.
#[cfg(test)]
pub(crate) fn statements() -> impl Iterator<Item = &'static statement::Statement> {
    [
        arrangements::lists::STATEMENTS,
        arrangements::statements::STATEMENTS,
        attempts::STATEMENTS,
        bank_news::STATEMENTS,
        bank_orders::STATEMENTS,
        clients::STATEMENTS,
        connections::STATEMENTS,
        consents::STATEMENTS,
        events::KEEP,
        events::TELL,
        file_lines::STATEMENTS,
        funds::STATEMENTS,
        grants::STATEMENTS,
        idempotency::STATEMENTS,
        interactions::STATEMENTS,
        jobs::STATEMENTS,
        keys::STATEMENTS,
        ledger::accounts::STATEMENTS,
        ledger::customers::STATEMENTS,
        ledger::entries::STATEMENTS,
        ledger::journals::STATEMENTS,
        order_payments::STATEMENTS,
        orders::STATEMENTS,
        payment_files::STATEMENTS,
        purge::STATEMENTS,
        pushed::STATEMENTS,
        quarantine::STATEMENTS,
        reset::STATEMENTS,
        sessions::STATEMENTS,
        settings::STATEMENTS,
        tokens::STATEMENTS,
        vrp_usage::STATEMENTS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Statements that find a page of a list, or what is due next: through an index, however long the list is.
#[cfg(test)]
pub(crate) fn paged_statements() -> impl Iterator<Item = &'static statement::Statement> {
    const TABLES: [&str; 9] = [
        "arrangements",
        "bank_news",
        "bank_orders",
        "entries",
        "file_lines",
        "order_payments",
        "orders",
        "statements",
        "uploads",
    ];
    let is_paged = |it: &&statement::Statement| {
        TABLES.contains(&it.table) && it.sqlite.contains("ORDER BY") || it.sqlite.contains("'awaiting-upload'")
    };
    statements().filter(is_paged)
}
