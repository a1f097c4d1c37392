//! Event retention: the operators' view of the queues, and the purge.

use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::document;
use lombard_database::readable::first_readable;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::statements;
use lombard_database::value::SqlRow;
use lombard_domain::ids::{ClientId, EventId};
use lombard_ports::store::{EventDetails, PurgedEvents, QueueSize, StoreError};

macro_rules! details {
    ($rest:literal) => {
        concat!(
            "SELECT id, client_id, recorded_at, parked_at, deliveries, reports, err, description, claims FROM events ",
            $rest
        )
    };
}

statements! { "events" =>
    PARKED = both(details!("WHERE parked_at IS NOT NULL ORDER BY parked_at, id LIMIT $1"));
    REPORTED = both(details!("WHERE reports > 0 AND parked_at IS NULL ORDER BY number LIMIT $1"));
    PARKED_COUNT = both("SELECT COUNT(*) FROM events WHERE parked_at IS NOT NULL");
    REQUEUE = both(
        "UPDATE events SET parked_at = NULL, deliveries = 0, reports = 0, err = NULL, description = NULL, \
         key_id = NULL, typ = NULL, signature = NULL WHERE id = $1 AND parked_at IS NOT NULL RETURNING client_id");
    // The query costs one index step per client, however many events a queue holds.
    QUEUES = both(
        "WITH RECURSIVE queues (client_id) AS ( \
           SELECT MIN(client_id) FROM events WHERE parked_at IS NULL \
           UNION ALL \
           SELECT (SELECT MIN(events.client_id) FROM events \
                   WHERE events.parked_at IS NULL AND events.client_id > queues.client_id) \
           FROM queues WHERE queues.client_id IS NOT NULL) \
         SELECT queues.client_id, \
           (SELECT COUNT(*) FROM (SELECT events.client_id FROM events \
             WHERE events.client_id = queues.client_id AND events.parked_at IS NULL LIMIT $1) AS counted), \
           (SELECT events.recorded_at FROM events \
             WHERE events.client_id = queues.client_id AND events.parked_at IS NULL ORDER BY events.number LIMIT 1) \
         FROM queues WHERE queues.client_id IS NOT NULL LIMIT $2");
    OLDEST = both("SELECT recorded_at FROM events WHERE parked_at IS NULL ORDER BY number LIMIT 1");
    // Numbers increase with time, so the lowest numbers are the oldest rows.
    PURGE = both(
        "DELETE FROM events WHERE recorded_at < $1 AND number IN (SELECT number FROM events ORDER BY number LIMIT $2)");
    FORGET = both(
        "DELETE FROM event_tombstones WHERE ended_at < $1 \
         AND number IN (SELECT number FROM event_tombstones ORDER BY number LIMIT $2)");
    WAITING_COUNT = both(
        "SELECT COUNT(*) FROM (SELECT deliveries FROM events WHERE client_id = $1 AND parked_at IS NULL LIMIT $2) AS it");
    TRIM = both(
        "DELETE FROM events WHERE number IN (SELECT number FROM events \
         WHERE client_id = $1 AND parked_at IS NULL ORDER BY number LIMIT $2)");
    DELETED_WITH_EVENTS = both(
        "SELECT id FROM clients WHERE status = 'deleted' AND EXISTS (SELECT 1 FROM events \
         WHERE events.client_id = clients.id AND events.parked_at IS NULL) ORDER BY id LIMIT $1");
    PARKED_OF_DELETED = both(
        "DELETE FROM events WHERE number IN (SELECT number FROM events WHERE parked_at IS NOT NULL \
         AND client_id IN (SELECT id FROM clients WHERE status = 'deleted') LIMIT $1)");
}

pub(super) fn parked(session: &mut SqlTransaction<'_>, limit: u32) -> Result<Vec<EventDetails>, StoreError> {
    read_details(session, &PARKED, limit)
}

pub(super) fn reported(session: &mut SqlTransaction<'_>, limit: u32) -> Result<Vec<EventDetails>, StoreError> {
    read_details(session, &REPORTED, limit)
}

/// The first readable events; corrupt rows are skipped.
fn read_details(
    session: &mut SqlTransaction<'_>,
    statement: &'static SqlStatement,
    limit: u32,
) -> Result<Vec<EventDetails>, StoreError> {
    first_readable(limit, |limit| session.all(statement, &[limit.into()], |row| Ok(details(row))))
}

fn details(row: &mut SqlRow<'_>) -> Result<EventDetails, StoreError> {
    let (id, client) = (row.id()?, row.id()?);
    let (recorded_at, parked_at) = (row.instant()?, row.instant_or_null()?);
    let (deliveries, reports) = (row.integer()?, row.integer()?);
    let (err, description) = (row.id_or_null()?, row.id_or_null()?);
    let claims: lombard_domain::event::EventClaims = row.parsed(document::read)?;
    let (types, about) = (claims.types, claims.about);
    Ok(EventDetails { id, client, recorded_at, parked_at, deliveries, reports, err, description, types, about })
}

pub(super) fn parked_count(session: &mut SqlTransaction<'_>) -> Result<u64, StoreError> {
    let count = session.one(&PARKED_COUNT, &[], |row| row.integer())?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// Puts a parked event back into its queue and returns its client; `None` if it was not parked.
pub(super) fn requeue(session: &mut SqlTransaction<'_>, id: &EventId) -> Result<Option<ClientId>, StoreError> {
    Ok(session.all_changed(&REQUEUE, &[id.into()], |row| row.id())?.pop())
}

pub(super) fn queues(
    session: &mut SqlTransaction<'_>,
    queues_max: u32,
    events_max: u32,
) -> Result<Vec<QueueSize>, StoreError> {
    session.all(&QUEUES, &[i64::from(events_max).into(), i64::from(queues_max).into()], |row| {
        let client = row.id()?;
        let waiting = u64::try_from(row.integer()?).unwrap_or_default();
        Ok(QueueSize { client, waiting, oldest_at: row.instant()? })
    })
}

pub(super) fn oldest(session: &mut SqlTransaction<'_>) -> Result<Option<Timestamp>, StoreError> {
    session.one(&OLDEST, &[], |row| row.instant())
}

pub(super) fn purge(
    session: &mut SqlTransaction<'_>,
    dropped_before: Option<Timestamp>,
    forgotten_before: Timestamp,
    limit: u32,
) -> Result<PurgedEvents, StoreError> {
    let bounds = |before: Timestamp| [before.into(), i64::from(limit).into()];
    let dropped = dropped_before.map(|before| session.execute(&PURGE, &bounds(before))).transpose()?;
    let forgotten = session.execute(&FORGET, &bounds(forgotten_before))?;
    Ok(PurgedEvents { dropped: dropped.unwrap_or_default(), forgotten })
}

pub(super) fn drop_of_deleted_clients(session: &mut SqlTransaction<'_>, limit: u32) -> Result<u64, StoreError> {
    let clients: Vec<ClientId> = session.all(&DELETED_WITH_EVENTS, &[i64::from(limit).into()], |row| row.id())?;
    let mut dropped = 0_u64;
    let left = |dropped: u64| i64::try_from(u64::from(limit).saturating_sub(dropped)).unwrap_or(i64::MAX);
    for client in &clients {
        if left(dropped) > 0 {
            dropped = dropped.saturating_add(session.execute(&TRIM, &[client.into(), left(dropped).into()])?);
        }
    }
    if left(dropped) > 0 {
        dropped = dropped.saturating_add(session.execute(&PARKED_OF_DELETED, &[left(dropped).into()])?);
    }
    Ok(dropped)
}

pub(super) fn trim(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    keep: u32,
    limit: u32,
) -> Result<u64, StoreError> {
    let seen = i64::from(keep).saturating_add(i64::from(limit));
    let waiting = session.one(&WAITING_COUNT, &[client.into(), seen.into()], |row| row.integer())?.unwrap_or_default();
    let beyond = waiting.saturating_sub(i64::from(keep));
    if beyond <= 0 {
        return Ok(0);
    }
    session.execute(&TRIM, &[client.into(), beyond.into()])
}
