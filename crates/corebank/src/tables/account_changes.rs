//! The table of account changes, which holds each change until the server has acknowledged it.

use super::BankRows;
use crate::storage::AccountChangeStore;
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, optional};
use lombard_domain::event::AccountReason;
use lombard_domain::ids::{BankAccountId, FapiInteractionId};
use lombard_ports::bank::AccountChange;
use lombard_ports::store::StoreError;

statements! { "account_changes" =>
    // The counter is locked until the transaction ends, so numbers become visible in ascending order.
    NUMBER_TAKE = both("UPDATE counters SET value = value + 1 WHERE name = 'account-changes' RETURNING value");
    INSERT = both(
        "INSERT INTO account_changes (number, account_id, happened_at, reason, cause) VALUES ($1, $2, $3, $4, $5)");
    OLDEST = both(
        "SELECT number, account_id, happened_at, reason, cause FROM account_changes ORDER BY number LIMIT $1");
    DROP = both("DELETE FROM account_changes WHERE number <= $1");
}

const CLOSED: &str = "closed";
const SWITCHED: &str = "switched";

impl AccountChangeStore for BankRows<'_, '_> {
    fn account_change_append(
        &mut self,
        account: &BankAccountId,
        at: Timestamp,
        reason: Option<AccountReason>,
        interaction_id: Option<&FapiInteractionId>,
    ) -> Result<u64, StoreError> {
        let number = self.one(&NUMBER_TAKE, &[], |row| row.number::<u64>())?;
        let number = number.ok_or_else(|| StoreError::Corrupt {
            table: "counters",
            id: "account-changes".to_owned(),
            source: "the counter is missing".into(),
        })?;
        let reason = reason.map(|reason| match reason {
            AccountReason::Closure => CLOSED,
            AccountReason::Cass => SWITCHED,
        });
        let row = [stored(number).into(), account.into(), at.into(), optional(reason), optional(interaction_id)];
        self.execute(&INSERT, &row)?;
        Ok(number)
    }

    fn account_changes(&mut self, limit: u32) -> Result<Vec<AccountChange>, StoreError> {
        self.all(&OLDEST, &[i64::from(limit).into()], read)
    }

    fn account_changes_drop(&mut self, upto: u64) -> Result<(), StoreError> {
        self.execute_later(&DROP, &[stored(upto).into()])
    }
}

/// Converts a number for the column. A number that is too large becomes larger than every number in use.
fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn read(row: &mut SqlRow<'_>) -> Result<AccountChange, StoreError> {
    Ok(AccountChange {
        number: row.number()?,
        account: row.id()?,
        at: row.instant()?,
        reason: row.parsed_or_null(|word| match word {
            CLOSED => Ok(AccountReason::Closure),
            SWITCHED => Ok(AccountReason::Cass),
            _ => Err("an unknown reason"),
        })?,
        interaction_id: row.id_or_null()?,
    })
}
