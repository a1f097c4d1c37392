//! Keeping: what is parked, and what is dropped in time.

use super::ClaimsRecord;
use crate::shared::session::{Session, Sql};
use crate::shared::statement::{both, statements};
use jiff::Timestamp;
use lombard_domain::ids::{ClientId, EventId};
use lombard_ports::store::{ParkedEvent, PurgedEvents, StoreError};

statements! { "events" =>
    PARKED = both(
        "SELECT id, client_id, recorded_at, parked_at, deliveries, reports, err, description, claims FROM events \
         WHERE parked_at IS NOT NULL ORDER BY parked_at, id LIMIT $1");
    PARKED_COUNT = both("SELECT COUNT(*) FROM events WHERE parked_at IS NOT NULL");
    REQUEUE = both(
        "UPDATE events SET parked_at = NULL, deliveries = 0, reports = 0, err = NULL, description = NULL, \
         key_id = NULL, signature = NULL WHERE id = $1 AND parked_at IS NOT NULL RETURNING client_id");
    OLDEST = both("SELECT recorded_at FROM events WHERE parked_at IS NULL ORDER BY number LIMIT 1");
    // Numbers grow with time, so the oldest rows are the first ones.
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
}

pub(super) fn parked<S: Sql>(session: &mut Session<S>, limit: u32) -> Result<Vec<ParkedEvent>, StoreError> {
    session.all(&PARKED, &[i64::from(limit).into()], |row| {
        let (id, client) = (row.id()?, row.id()?);
        let (recorded_at, parked_at) = (row.instant()?, row.instant()?);
        let (deliveries, reports) = (row.integer()?, row.integer()?);
        let (err, description) = (row.id_or_null()?, row.id_or_null()?);
        let claims = row.parsed(ClaimsRecord::read)?;
        let (types, about) = (claims.types, claims.about);
        Ok(ParkedEvent { id, client, recorded_at, parked_at, deliveries, reports, err, description, types, about })
    })
}

pub(super) fn parked_count<S: Sql>(session: &mut Session<S>) -> Result<u64, StoreError> {
    let count = session.one(&PARKED_COUNT, &[], |row| row.integer())?;
    Ok(count.and_then(|count| u64::try_from(count).ok()).unwrap_or_default())
}

/// The client whose event it is, if it was parked.
pub(super) fn requeue<S: Sql>(session: &mut Session<S>, id: &EventId) -> Result<Option<ClientId>, StoreError> {
    Ok(session.all_changed(&REQUEUE, &[id.into()], |row| row.id())?.pop())
}

pub(super) fn oldest<S: Sql>(session: &mut Session<S>) -> Result<Option<Timestamp>, StoreError> {
    session.one(&OLDEST, &[], |row| row.instant())
}

pub(super) fn purge<S: Sql>(
    session: &mut Session<S>,
    before: Timestamp,
    limit: u32,
) -> Result<PurgedEvents, StoreError> {
    let bounds = || [before.into(), i64::from(limit).into()];
    Ok(PurgedEvents { dropped: session.execute(&PURGE, &bounds())?, forgotten: session.execute(&FORGET, &bounds())? })
}

pub(super) fn trim<S: Sql>(
    session: &mut Session<S>,
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
