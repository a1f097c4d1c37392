//! Journals and the sums they move. Postings are only ever added; triggers on both engines refuse anything else.

use crate::storage::PostResult;
use lombard_database::SqlTransaction;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::ledger::{BalanceLayer, Journal, LedgerSums, Posting};
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;
use std::collections::BTreeMap;

statements! { "ledger_accounts" =>
    OPEN = both(
        "INSERT INTO ledger_accounts (id, currency, booked, pending) VALUES ($1, $2, 0, 0) \
         ON CONFLICT (id) DO NOTHING");
    JOURNAL_INSERT = both(
        "INSERT INTO journals (id, cause, booked_at) VALUES ($1, $2, $3) ON CONFLICT (cause) DO NOTHING");
    MOVE = both(
        "UPDATE ledger_accounts SET booked = booked + $1, pending = pending + $2 WHERE id = $3 AND currency = $4");
    POSTING_INSERT = both(
        "INSERT INTO postings (journal_id, line, account_id, currency, layer, minor, entry_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)");
    SUMS = SqlText {
        sqlite: "SELECT id, booked, pending FROM ledger_accounts WHERE id IN (SELECT value FROM json_each($1))",
        postgres: "SELECT id, booked, pending FROM ledger_accounts WHERE id = ANY ($1)",
    };
    ASIDE = both(
        "SELECT account_id, minor, currency, layer, entry_id FROM postings WHERE journal_id = \
         (SELECT journal_id FROM postings WHERE entry_id = $1 AND layer = 'pending' LIMIT 1) ORDER BY line");
    CAUSE_ASIDE = both(
        "SELECT cause FROM journals WHERE id = \
         (SELECT journal_id FROM postings WHERE entry_id = $1 AND layer = 'pending' LIMIT 1)");
    TOTALS = both(
        "SELECT currency, \
         CAST(SUM(CASE WHEN layer = 'booked' THEN minor ELSE 0 END) AS BIGINT), \
         CAST(SUM(CASE WHEN layer = 'pending' THEN minor ELSE 0 END) AS BIGINT) \
         FROM postings GROUP BY currency ORDER BY currency");
}

pub(super) fn open_accounts(
    session: &mut SqlTransaction<'_>,
    accounts: &[(BankAccountId, Currency)],
) -> Result<(), StoreError> {
    let rows: Vec<_> = accounts.iter().map(|(id, currency)| vec![id.into(), currency.code().into()]).collect();
    session.execute_many_later(&OPEN, &rows)
}

pub(super) fn post(session: &mut SqlTransaction<'_>, journals: &[Journal]) -> Result<Vec<PostResult>, StoreError> {
    for journal in journals {
        journal.check().map_err(|unbalanced| {
            session.fail(StoreError::Corrupt {
                table: "journals",
                id: journal.id.to_string(),
                source: unbalanced.into(),
            })
        })?;
    }
    let rows: Vec<_> = journals
        .iter()
        .map(|journal| vec![(&journal.id).into(), (&journal.cause).into(), journal.booked_at.into()])
        .collect();
    let inserted = session.execute_many(&JOURNAL_INSERT, &rows)?;
    let posted: Vec<_> = inserted
        .into_iter()
        .map(|rows| if rows == 1 { PostResult::Posted } else { PostResult::AlreadyPosted })
        .collect();
    let new: Vec<_> = journals
        .iter()
        .zip(&posted)
        .filter(|(_, posted)| **posted == PostResult::Posted)
        .map(|(journal, _)| journal)
        .collect();
    move_sums(session, &new)?;
    insert_postings(session, &new)?;
    Ok(posted)
}

/// Moves each account once, by all its postings, in the order of the accounts' ids: two transactions that touch the
/// same accounts wait for each other instead of deadlocking.
fn move_sums(session: &mut SqlTransaction<'_>, journals: &[&Journal]) -> Result<(), StoreError> {
    let mut moves: BTreeMap<(&BankAccountId, &str), LedgerSums> = BTreeMap::new();
    for posting in journals.iter().flat_map(|journal| &journal.postings) {
        let sums = moves.entry((&posting.account, posting.currency.code())).or_default();
        let sum = match posting.layer {
            BalanceLayer::Booked => &mut sums.booked,
            BalanceLayer::Pending => &mut sums.pending,
        };
        *sum = sum.checked_add(posting.minor).ok_or_else(|| {
            let (id, source) = (posting.account.to_string(), "a sum is out of range".into());
            session.fail(StoreError::Corrupt { table: "ledger_accounts", id, source })
        })?;
    }
    let rows: Vec<_> = moves
        .iter()
        .map(|((account, currency), sums)| {
            vec![sums.booked.into(), sums.pending.into(), (*account).into(), (*currency).into()]
        })
        .collect();
    let moved = session.execute_many(&MOVE, &rows)?;
    match moves.keys().zip(moved).find(|(_, rows)| *rows != 1) {
        // No such account, or one of another currency.
        Some(((account, _), _)) => Err(session.no_row(&MOVE, account.as_str())),
        None => Ok(()),
    }
}

fn insert_postings(session: &mut SqlTransaction<'_>, journals: &[&Journal]) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for journal in journals {
        for (line, posting) in (0_i64..).zip(&journal.postings) {
            rows.push(vec![
                (&journal.id).into(),
                line.into(),
                (&posting.account).into(),
                posting.currency.code().into(),
                posting.layer.code().into(),
                posting.minor.into(),
                optional(posting.entry.as_ref().map(TransactionId::as_str)),
            ]);
        }
    }
    session.execute_many_later(&POSTING_INSERT, &rows)
}

pub(super) fn sums(
    session: &mut SqlTransaction<'_>,
    accounts: &[BankAccountId],
) -> Result<Vec<LedgerSums>, StoreError> {
    let found: BTreeMap<BankAccountId, LedgerSums> = session
        .all(&SUMS, &[SqlValue::List(accounts.iter().map(BankAccountId::as_str).collect())], |row| {
            Ok((row.id()?, LedgerSums { booked: row.integer()?, pending: row.integer()? }))
        })?
        .into_iter()
        .collect();
    accounts
        .iter()
        .map(|account| found.get(account).copied().ok_or_else(|| session.no_row(&SUMS, account.as_str())))
        .collect()
}

pub(crate) fn aside(session: &mut SqlTransaction<'_>, entry: &TransactionId) -> Result<Vec<Posting>, StoreError> {
    session.all(&ASIDE, &[entry.into()], |row| {
        Ok(Posting {
            account: row.id()?,
            minor: row.integer()?,
            currency: row.parsed(Currency::decode)?,
            layer: row.parsed(BalanceLayer::decode)?,
            entry: row.id_or_null()?,
        })
    })
}

pub(crate) fn reservation_cause(
    session: &mut SqlTransaction<'_>,
    entry: &TransactionId,
) -> Result<Option<String>, StoreError> {
    session.one(&CAUSE_ASIDE, &[entry.into()], |row| row.id())
}

pub(super) fn totals(session: &mut SqlTransaction<'_>) -> Result<Vec<(Currency, LedgerSums)>, StoreError> {
    session.all(&TOTALS, &[], |row| {
        Ok((row.parsed(Currency::decode)?, LedgerSums { booked: row.integer()?, pending: row.integer()? }))
    })
}
