//! The audit log.

use crate::rows::Rows;
use jiff::{SignedDuration, Timestamp};
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::audit::{AuditChain, AuditEntry, AuditRecord};
use lombard_domain::code::StoredCode;
use lombard_ports::store::{AuditDraft, AuditFilter, AuditPage, AuditStore, SealedEntry, StoreError};

/// How much later than its time an entry may have been sealed for a search by time to find it: entries are searched in the order in which
/// they were sealed.
const SEALED_WITHIN: SignedDuration = SignedDuration::from_hours(1);

macro_rules! facts {
    () => {
        "at, actor, role, action, target, reason, origin, interaction_id, before_digest, after_digest"
    };
}

/// A page of entries that match, by the index of the column of the last condition.
macro_rules! page {
    ($last:literal, $newest:literal) => {
        both(concat!(
            "SELECT number, node, sequence, ",
            facts!(),
            ", previous, hash FROM audit_entries WHERE number > $1 AND number < $2 AND at >= $3 AND at < $4 \
             AND ($5 = '' OR target = $5) AND ($6 = '' OR actor = $6) AND ($7 = '' OR action = $7)",
            $last,
            " ORDER BY number",
            $newest,
            " LIMIT $8"
        ))
    };
}

statements! { "audit_entries" =>
    APPEND = both(concat!("INSERT INTO audit_drafts (node, ", facts!(), ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"));
    // The row is locked until the transaction ends, so that transactions that seal or purge wait for each other.
    TURN = both("INSERT INTO settings (name, value) VALUES ('audit.turn', '') ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    DRAFTS = both(concat!("SELECT number, node, ", facts!(), " FROM audit_drafts ORDER BY number LIMIT $1"));
    SEALED = both("DELETE FROM audit_drafts WHERE number = $1");
    SEAL = both(concat!("INSERT INTO audit_entries (node, sequence, ", facts!(), ", previous, hash) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"));
    CHAIN = both("SELECT node, sequence, hash, headed, last_at FROM audit_chains WHERE node = $1");
    CHAINS = both("SELECT node, sequence, hash, headed, last_at FROM audit_chains ORDER BY node LIMIT $1");
    UNHEADED = both("SELECT node, sequence, hash, headed, last_at FROM audit_chains WHERE headed < sequence ORDER BY node LIMIT $1");
    CHAIN_PUT = both("INSERT INTO audit_chains (node, sequence, hash, headed, last_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (node) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, headed = excluded.headed, \
         last_at = excluded.last_at");
    OLDEST = page!("", "");
    NEWEST = page!("", " DESC");
    OLDEST_OF_TARGET = page!(" AND target = $5", "");
    NEWEST_OF_TARGET = page!(" AND target = $5", " DESC");
    OLDEST_OF_ACTOR = page!(" AND actor = $6", "");
    NEWEST_OF_ACTOR = page!(" AND actor = $6", " DESC");
    OLDEST_OF_ACTION = page!(" AND action = $7", "");
    NEWEST_OF_ACTION = page!(" AND action = $7", " DESC");
    FIRST_SINCE = both("SELECT number FROM audit_entries WHERE at >= $1 ORDER BY at, number LIMIT 1");
    REMOVE = both("DELETE FROM audit_entries WHERE number <= $1");
}

impl AuditStore for Rows<'_, '_> {
    fn audit_append(&mut self, record: &AuditRecord) -> Result<(), StoreError> {
        let entry = record.seal(&AuditChain::new(self.node));
        let mut parameters = vec![entry.node.as_str().into()];
        parameters.extend(facts(&entry));
        self.execute_later(&APPEND, &parameters)
    }

    fn audit_take_turn(&mut self) -> Result<String, StoreError> {
        self.execute(&TURN, &[])?;
        Ok(self.node.to_owned())
    }

    fn audit_drafts(&mut self, limit: u32) -> Result<Vec<AuditDraft>, StoreError> {
        self.all(&DRAFTS, &[i64::from(limit).into()], |row| {
            let (number, node) = (row.integer()?, row.text()?);
            Ok(AuditDraft { number, entry: read_facts(row, AuditChain::new(node))? })
        })
    }

    fn audit_seal(&mut self, entries: &[AuditEntry], drafts: &[i64]) -> Result<(), StoreError> {
        let rows: Vec<_> = entries.iter().map(sealed).collect();
        self.execute_many(&SEAL, &rows)?;
        let removed: Vec<_> = drafts.iter().map(|number| vec![(*number).into()]).collect();
        self.execute_many_later(&SEALED, &removed)
    }

    fn audit_chain(&mut self, node: &str) -> Result<Option<AuditChain>, StoreError> {
        self.one(&CHAIN, &[node.into()], read_chain)
    }

    fn audit_chains(&mut self, unheaded: bool, limit: u32) -> Result<Vec<AuditChain>, StoreError> {
        self.all(if unheaded { &UNHEADED } else { &CHAINS }, &[i64::from(limit).into()], read_chain)
    }

    fn audit_chain_put(&mut self, chain: &AuditChain) -> Result<(), StoreError> {
        let AuditChain { node, sequence, hash, headed, last_at } = chain;
        let parameters =
            [node.as_str().into(), (*sequence).into(), hash.as_str().into(), (*headed).into(), (*last_at).into()];
        self.execute_later(&CHAIN_PUT, &parameters)
    }

    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        page: AuditPage,
        limit: u32,
    ) -> Result<Vec<SealedEntry>, StoreError> {
        let AuditFilter { target, actor, action, since, until } = filter;
        let searched_from = since.map(|since| since.saturating_sub(SEALED_WITHIN).unwrap_or(Timestamp::MIN));
        let first = match searched_from {
            Some(from) => match self.one(&FIRST_SINCE, &[from.into()], |row| row.integer())? {
                Some(first) => first.saturating_sub(1),
                None => return Ok(Vec::new()),
            },
            None => 0,
        };
        let (after, before, is_newest) = match page {
            AuditPage::After(number) => (number.max(first), i64::MAX, false),
            AuditPage::Before(number) => (first, number, true),
        };
        let statement = match (target, actor, action, is_newest) {
            (Some(_), _, _, false) => &OLDEST_OF_TARGET,
            (Some(_), _, _, true) => &NEWEST_OF_TARGET,
            (None, Some(_), _, false) => &OLDEST_OF_ACTOR,
            (None, Some(_), _, true) => &NEWEST_OF_ACTOR,
            (None, None, Some(_), false) => &OLDEST_OF_ACTION,
            (None, None, Some(_), true) => &NEWEST_OF_ACTION,
            (None, None, None, false) => &OLDEST,
            (None, None, None, true) => &NEWEST,
        };
        let text = |it: &Option<String>| it.clone().unwrap_or_default();
        let parameters = [
            after.into(),
            before.into(),
            since.unwrap_or(Timestamp::MIN).into(),
            until.unwrap_or(Timestamp::MAX).into(),
            text(target).into(),
            text(actor).into(),
            action.map_or("", |action| action.code()).into(),
            i64::from(limit).into(),
        ];
        self.all(statement, &parameters, read_entry)
    }

    fn audit_remove_through(&mut self, number: i64) -> Result<u64, StoreError> {
        self.execute(&REMOVE, &[number.into()])
    }
}

/// The columns that a draft and its entry share. PostgreSQL stores no NUL.
fn facts(entry: &AuditEntry) -> [SqlValue<'_>; 10] {
    let text = |it: &str| SqlValue::from(it.replace('\0', "\u{fffd}"));
    let or_null = |it: &Option<String>| optional(it.as_deref().map(|it| it.replace('\0', "\u{fffd}")));
    [
        entry.at.into(),
        text(&entry.actor),
        entry.role.as_str().into(),
        entry.action.as_str().into(),
        text(&entry.target),
        or_null(&entry.reason),
        text(&entry.from),
        or_null(&entry.interaction_id),
        or_null(&entry.before),
        or_null(&entry.after),
    ]
}

/// The columns of an entry.
fn sealed(entry: &AuditEntry) -> Vec<SqlValue<'_>> {
    let mut row = vec![entry.node.as_str().into(), entry.sequence.into()];
    row.extend(facts(entry));
    row.extend([entry.previous.as_str().into(), entry.hash.as_str().into()]);
    row
}

fn read_entry(row: &mut SqlRow<'_>) -> Result<SealedEntry, StoreError> {
    let number = row.integer()?;
    let node = row.text()?;
    let sequence = row.integer()?;
    let mut entry = read_facts(row, AuditChain { sequence, ..AuditChain::new(node) })?;
    entry.previous = row.id()?;
    entry.hash = row.id()?;
    Ok(SealedEntry { number, entry })
}

/// Reads the shared columns of a row with this place in its chain. A time that cannot be one is read as the latest one, so that an entry that
/// was tampered with can be named.
fn read_facts(row: &mut SqlRow<'_>, place: AuditChain) -> Result<AuditEntry, StoreError> {
    let AuditChain { node, sequence, .. } = place;
    Ok(AuditEntry {
        at: Timestamp::from_microsecond(row.integer()?).unwrap_or(Timestamp::MAX),
        node,
        sequence,
        actor: row.id()?,
        role: row.id()?,
        action: row.id()?,
        target: row.id()?,
        reason: row.id_or_null()?,
        from: row.id()?,
        interaction_id: row.id_or_null()?,
        before: row.id_or_null()?,
        after: row.id_or_null()?,
        previous: String::new(),
        hash: String::new(),
    })
}

fn read_chain(row: &mut SqlRow<'_>) -> Result<AuditChain, StoreError> {
    Ok(AuditChain {
        node: row.id()?,
        sequence: row.integer()?,
        hash: row.id()?,
        headed: row.integer()?,
        last_at: row.instant()?,
    })
}
