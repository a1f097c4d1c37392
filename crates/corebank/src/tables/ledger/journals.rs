//! The tables of journals and of the sums that journals change. Postings are only added; triggers on both engines refuse other changes.

use crate::storage::PostResult;
use lombard_database::statement::{SqlText, both};
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_database::{Query, SqlTransaction};
use lombard_database::{must_change_all, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::ledger::{BalanceLayer, Journal, LedgerSums, Posting};
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;
use std::collections::{BTreeMap, BTreeSet};

statements! { "ledger_accounts" =>
    OPEN = SqlText {
        sqlite: "INSERT INTO ledger_accounts (id, currency, booked, pending) VALUES ($1, $2, 0, 0) \
                 ON CONFLICT (id) DO NOTHING",
        postgres: "INSERT INTO ledger_accounts (id, currency, booked, pending) \
                   SELECT id, currency, 0, 0 FROM unnest($1::text[], $2::text[]) AS opened (id, currency) ORDER BY id \
                   ON CONFLICT (id) DO NOTHING",
    };
    JOURNAL_INSERT = SqlText {
        sqlite: "INSERT INTO journals (id, cause, booked_at) VALUES ($1, $2, $3) ON CONFLICT (cause) DO NOTHING \
                 RETURNING cause",
        postgres: "INSERT INTO journals (id, cause, booked_at) \
                   SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ON CONFLICT (cause) DO NOTHING \
                   RETURNING cause",
    };
    // On PostgreSQL, rows are locked in the order of their ids under any query plan, and changed after that.
    MOVE = SqlText {
        sqlite: "UPDATE ledger_accounts SET booked = booked + $1, pending = pending + $2 WHERE id = $3 AND currency = $4",
        postgres: must_change_all!(
            "$3",
            "UPDATE ledger_accounts SET booked = ledger_accounts.booked + moved.booked, \
             pending = ledger_accounts.pending + moved.pending \
             FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS moved (booked, pending, id, currency) \
             JOIN (SELECT id FROM ledger_accounts WHERE id = ANY ($3) ORDER BY id FOR UPDATE) AS locked \
             ON locked.id = moved.id \
             WHERE ledger_accounts.id = locked.id AND ledger_accounts.currency = moved.currency"),
    };
    POSTING_INSERT = SqlText {
        sqlite: "INSERT INTO postings (journal_id, line, account_id, currency, layer, minor, entry_id) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
        postgres: "INSERT INTO postings (journal_id, line, account_id, currency, layer, minor, entry_id) \
                   SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], \
                   $7::text[])",
    };
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
    session.insert_set_later(&OPEN, &rows)
}

pub(super) fn post(session: &mut SqlTransaction<'_>, journals: &[Journal]) -> Result<Vec<PostResult>, StoreError> {
    for journal in journals {
        journal.check_balanced().map_err(|unbalanced| {
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
    let inserted = session.all_of_set(&JOURNAL_INSERT, &rows, |row| row.id::<String>())?;
    // Of two journals with the same cause, the first is posted.
    let mut inserted: BTreeSet<_> = inserted.into_iter().collect();
    let posted: Vec<_> = journals
        .iter()
        .map(|it| if inserted.remove(&it.cause) { PostResult::Posted } else { PostResult::AlreadyPosted })
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

/// Updates the sums of each account once, by all its postings, in the order of the accounts' ids. Two transactions that change the
/// same accounts therefore wait for each other and do not deadlock.
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
    // An update that changes no row names an account that does not exist or has another currency.
    session.update_set_later(&MOVE, &rows, |place| moves.keys().nth(place).map(|(account, _)| account.as_str()))
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
    session.insert_set_later(&POSTING_INSERT, &rows)
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

pub(crate) fn reserved_postings(
    session: &mut SqlTransaction<'_>,
    entry: &TransactionId,
) -> Result<Vec<Posting>, StoreError> {
    session.all(&ASIDE, &[entry.into()], read_aside)
}

/// The query of [`reserved_postings`], to be sent together with other queries.
pub(crate) fn aside_query(entry: &TransactionId) -> Query<'_> {
    Query::new(&ASIDE, [entry.into()])
}

/// Reads a row of [`aside_query`].
pub(crate) fn read_aside(row: &mut SqlRow<'_>) -> Result<Posting, StoreError> {
    Ok(Posting {
        account: row.id()?,
        minor: row.integer()?,
        currency: row.parsed(Currency::decode)?,
        layer: row.parsed(BalanceLayer::decode)?,
        entry: row.id_or_null()?,
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
