//! The searches of staff over the records of all clients and customers.
//!
//! The end-to-end id and the payee's account are members of an order's instruction. Both engines have indexes of their JSON texts, and the
//! statements repeat the expressions of the indexes. On PostgreSQL an index has the text up to its first quotation mark, which may be an
//! escaped one, so that the statement compares the whole member too.

use crate::rows::Rows;
use lombard_database::document;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_domain::ids::{ConsentId, FapiInteractionId, JobId, OrderId, PsuId};
use lombard_domain::job::Job;
use lombard_ports::store::{StoreError, SupportStore};

/// Selects the newest orders whose instruction has the JSON text `$1` in a member: by its path within payee and references on SQLite, and
/// by the expression of its index and the member's name on PostgreSQL.
macro_rules! orders_with {
    ($path:literal, $indexed:literal, $name:literal) => {
        SqlText {
            sqlite: concat!(
                "SELECT id FROM orders WHERE CASE WHEN json_valid(instruction) THEN \
                 COALESCE(instruction -> '$.domestic.credit.",
                $path,
                "', instruction -> '$.international.payment.credit.",
                $path,
                "') END = $1 ORDER BY created_at DESC, id DESC LIMIT $2"
            ),
            postgres: concat!(
                "SELECT id FROM orders WHERE ",
                $indexed,
                " = split_part($1, '\"', 2) AND strpos(instruction, '\"",
                $name,
                "\":' || $1) > 0 ORDER BY created_at DESC, id DESC LIMIT $2"
            ),
        }
    };
}

statements! { "orders" =>
    OF_END_TO_END_ID = orders_with!(
        "end_to_end", r#"split_part(split_part(instruction, '"end_to_end":"', 2), '"', 1)"#, "end_to_end");
    TO_ACCOUNT = orders_with!(
        "creditor.number",
        r#"split_part(split_part(split_part(instruction, '"creditor":{', 2), '"number":"', 2), '"', 1)"#,
        "number");
    OF_INTERACTION = both("SELECT id FROM orders WHERE cause = $1 ORDER BY created_at DESC, id DESC LIMIT $2");
    CONSENTS_OF_PSU = both("SELECT id FROM consents WHERE psu_id = $1 ORDER BY created_at DESC LIMIT $2");
    JOB = both("SELECT kind, subject, due_at, attempts FROM jobs WHERE id = $1");
}

impl SupportStore for Rows<'_, '_> {
    fn orders_of_end_to_end_id(&mut self, id: &str, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&OF_END_TO_END_ID, &[document::write(&id).into(), i64::from(limit).into()], |row| row.id())
    }

    fn orders_to_account(&mut self, identification: &str, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&TO_ACCOUNT, &[document::write(&identification).into(), i64::from(limit).into()], |row| row.id())
    }

    fn orders_of_interaction(&mut self, id: &FapiInteractionId, limit: u32) -> Result<Vec<OrderId>, StoreError> {
        self.all(&OF_INTERACTION, &[id.into(), i64::from(limit).into()], |row| row.id())
    }

    fn consents_of_psu(&mut self, psu: &PsuId, limit: u32) -> Result<Vec<ConsentId>, StoreError> {
        self.all(&CONSENTS_OF_PSU, &[psu.into(), i64::from(limit).into()], |row| row.id())
    }

    fn job(&mut self, id: &JobId) -> Result<Option<Job>, StoreError> {
        let owned = id.clone();
        self.one(&JOB, &[id.into()], |row| {
            let (kind, subject) = (row.id()?, row.id()?);
            Ok(Job { id: owned.clone(), kind, subject, due_at: row.instant()?, attempts: row.integer()? })
        })
    }
}
