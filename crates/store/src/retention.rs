//! The purge of consents, orders, evidence and files after their time, a bounded number at a time.

use crate::in_list::{in_list, list_ids};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::value::SqlValue;
use lombard_database::{SqlTransaction, statements};
use lombard_ports::store::{RetentionStore, StoreError};

/// The condition that the customer of a row of this table is not on hold.
macro_rules! not_on_hold {
    ($table:literal) => {
        concat!("NOT EXISTS (SELECT 1 FROM customer_holds WHERE customer_holds.psu_id = ", $table, ".psu_id)")
    };
}

/// The condition that an order has ended.
macro_rules! has_ended {
    () => {
        "orders.unsettled IS NULL AND (orders.approval IS NULL OR orders.approval <> 'awaiting')"
    };
}

/// A query whose rows are locked; rows that another transaction has locked are left for the next batch.
macro_rules! skipping_locked {
    ($($text:expr),+) => {
        SqlText { sqlite: concat!($($text),+), postgres: concat!($($text),+, " FOR UPDATE SKIP LOCKED") }
    };
}

/// A change of the rows that belong to the consents, or to the orders, of a list.
macro_rules! of_list {
    ($text:literal) => {
        SqlText {
            sqlite: concat!($text, " ", in_list!(sqlite 1)),
            postgres: concat!($text, " ", in_list!(postgres 1)),
        }
    };
    ($text:literal, $rest:literal) => {
        SqlText {
            sqlite: concat!($text, " ", in_list!(sqlite 1), $rest),
            postgres: concat!($text, " ", in_list!(postgres 1), $rest),
        }
    };
}

pub(crate) use {has_ended, of_list, skipping_locked};

statements! { "consents" =>
    UNAUTHORISED = skipping_locked!(
        "SELECT id FROM consents WHERE authorised_at IS NULL AND COALESCE(deleted_at, state_changed_at) < $1 \
         AND NOT EXISTS (SELECT 1 FROM interactions WHERE interactions.consent_id = consents.id) \
         AND NOT EXISTS (SELECT 1 FROM backchannel_requests WHERE backchannel_requests.consent_id = consents.id) AND ",
        not_on_hold!("consents"), " LIMIT $2");
    ENDED = skipping_locked!(
        "SELECT id FROM consents WHERE authorised_at IS NOT NULL \
         AND COALESCE(deleted_at, CASE state WHEN 'authorised' THEN COALESCE(expires_at, expiry_raised_for) ELSE state_changed_at END) < $1 \
         AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.consent_id = consents.id) AND ",
        not_on_hold!("consents"), " LIMIT $2");
    TOKENS = of_list!("DELETE FROM tokens WHERE grant_id IN (SELECT id FROM grants WHERE consent_id", ")");
    CODES = of_list!("DELETE FROM codes WHERE grant_id IN (SELECT id FROM grants WHERE consent_id", ")");
    GRANTS = of_list!("DELETE FROM grants WHERE consent_id");
    BACKCHANNEL_REQUESTS = of_list!("DELETE FROM backchannel_requests WHERE consent_id");
    INTERACTIONS = of_list!("DELETE FROM interactions WHERE consent_id");
    ACCOUNTS = of_list!("DELETE FROM consent_accounts WHERE consent_id");
    USES = of_list!("DELETE FROM consent_uses WHERE consent_id");
    VRP_USAGE = of_list!("DELETE FROM vrp_usage WHERE consent_id");
    FUNDS_CONFIRMATIONS = of_list!("DELETE FROM funds_confirmations WHERE consent_id");
    FUNDS_QUESTIONS = of_list!("DELETE FROM funds_questions WHERE consent_id");
    EVIDENCE_OF_CONSENTS = of_list!("DELETE FROM decision_evidence WHERE consent_id");
    // Uploads with this mark are removed part by part, as abandoned ones.
    UPLOADS = of_list!("UPDATE uploads SET kept = 0, used = 0, begun_at = 0 WHERE consent_id");
    CONSENTS = of_list!("DELETE FROM consents WHERE id");
    ORDERS_ENDED = skipping_locked!("SELECT id FROM orders WHERE created_at < $1 AND ", has_ended!(), " AND ", not_on_hold!("orders"),
        " ORDER BY created_at, id LIMIT $2");
    PAYMENTS = of_list!("DELETE FROM order_payments WHERE (order_id, number) IN (SELECT order_id, number FROM order_payments WHERE order_id",
        " LIMIT $2)");
    ORDERS = of_list!("DELETE FROM orders WHERE id");
    EVIDENCE = both(concat!("DELETE FROM decision_evidence WHERE grant_id IN (SELECT grant_id FROM decision_evidence WHERE decided_at < $1 AND ",
        not_on_hold!("decision_evidence"), " LIMIT $2)"));
    FILES = both(concat!(
        "UPDATE uploads SET kept = 0, used = 0, begun_at = 0 WHERE id IN (SELECT uploads.id FROM uploads \
         JOIN orders ON orders.used_up = uploads.consent_id \
         WHERE uploads.used = 1 AND uploads.begun_at < $1 AND ", has_ended!(), " AND ", not_on_hold!("orders"),
        " ORDER BY uploads.begun_at, uploads.id LIMIT $2)"));
}

/// The rows that belong to consents; a referring table precedes the table to which it refers.
const OF_CONSENTS: [&SqlStatement; 12] = [
    &TOKENS,
    &CODES,
    &GRANTS,
    &BACKCHANNEL_REQUESTS,
    &INTERACTIONS,
    &ACCOUNTS,
    &USES,
    &VRP_USAGE,
    &FUNDS_CONFIRMATIONS,
    &FUNDS_QUESTIONS,
    &EVIDENCE_OF_CONSENTS,
    &UPLOADS,
];

impl RetentionStore for Rows<'_, '_> {
    fn consents_purge_unauthorised(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        purge_consents(self, &UNAUTHORISED, before, limit)
    }

    fn consents_purge_ended(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        purge_consents(self, &ENDED, before, limit)
    }

    fn orders_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let bounds = [before.into(), i64::from(limit).into()];
        let orders: Vec<String> = self.all_changed(&ORDERS_ENDED, &bounds, |row| row.id())?;
        if orders.is_empty() {
            return Ok(0);
        }
        // An order of a file has many payments. It is removed with the last of them.
        let payments_max = limit.saturating_mul(10);
        let payments = self.execute(&PAYMENTS, &[listed(&orders), i64::from(payments_max).into()])?;
        if payments >= u64::from(payments_max) {
            return Ok(payments);
        }
        Ok(payments.saturating_add(self.execute(&ORDERS, &[listed(&orders)])?))
    }

    fn decision_evidence_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.execute(&EVIDENCE, &[before.into(), i64::from(limit).into()])
    }

    fn files_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.execute(&FILES, &[before.into(), i64::from(limit).into()])
    }
}

fn purge_consents(
    session: &mut SqlTransaction<'_>,
    ended: &SqlStatement,
    before: Timestamp,
    limit: u32,
) -> Result<u64, StoreError> {
    let consents: Vec<String> =
        session.all_changed(ended, &[before.into(), i64::from(limit).into()], |row| row.id())?;
    if consents.is_empty() {
        return Ok(0);
    }
    remove_of_consents(session, &consents)?;
    session.execute(&CONSENTS, &[listed(&consents)])
}

/// Removes the rows that belong to these consents, except their orders. Uploads are removed later, as abandoned ones.
pub(crate) fn remove_of_consents(session: &mut SqlTransaction<'_>, consents: &[String]) -> Result<(), StoreError> {
    for statement in OF_CONSENTS {
        session.execute(statement, &[listed(consents)])?;
    }
    Ok(())
}

/// A list of ids as a parameter.
pub(crate) fn listed(ids: &[String]) -> SqlValue<'_> {
    list_ids(ids.iter().map(String::as_str))
}
