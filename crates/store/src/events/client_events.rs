//! The events of one client, as shown to its developers.

use super::delivery::scope;
use lombard_database::SqlTransaction;
use lombard_database::document;
use lombard_database::readable::first_readable;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::SqlRow;
use lombard_domain::event::Event;
use lombard_domain::ids::{ClientId, EventId};
use lombard_ports::store::{AcknowledgedEvent, ClientEvent, ClientEventKind, StoreError};

macro_rules! of_client {
    ($rest:literal) => {
        concat!(
            "SELECT number, id, client_id, cause, occurred_at, recorded_at, claims, scope, parked_at, deliveries, reports, err, \
             description FROM events WHERE client_id = $1 AND ",
            $rest
        )
    };
}

statements! { "events" =>
    OFFERED = both(of_client!("parked_at IS NULL AND number < $2 ORDER BY number DESC LIMIT $3"));
    PARKED = both(of_client!("parked_at IS NOT NULL AND number < $2 ORDER BY number DESC LIMIT $3"));
    BY_ID = both(of_client!("id = $2"));
    // There is no index for the acknowledged events of one client, because each acknowledgement would have to update it.
    ACKNOWLEDGED_LATELY = both(
        "SELECT id, ended_at FROM (SELECT id, client_id, ended_at, number FROM event_tombstones ORDER BY number DESC LIMIT $1) AS latest \
         WHERE client_id = $2 ORDER BY number DESC LIMIT $3");
}

/// The first readable events before a number; corrupt rows are skipped.
pub(super) fn list(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    kind: ClientEventKind,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<ClientEvent>, StoreError> {
    let statement = match kind {
        ClientEventKind::Offered => &OFFERED,
        ClientEventKind::Parked => &PARKED,
    };
    let before = before.unwrap_or(i64::MAX);
    first_readable(limit, |limit| {
        session.all(statement, &[client.into(), before.into(), limit.into()], |row| Ok(read(row)))
    })
}

pub(super) fn one(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    id: &EventId,
) -> Result<Option<ClientEvent>, StoreError> {
    session.one(&BY_ID, &[client.into(), id.into()], read)
}

pub(super) fn acknowledged_lately(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    examined: u32,
    limit: u32,
) -> Result<Vec<AcknowledgedEvent>, StoreError> {
    let parameters = [i64::from(examined).into(), client.into(), i64::from(limit).into()];
    session.all(&ACKNOWLEDGED_LATELY, &parameters, |row| Ok(AcknowledgedEvent { id: row.id()?, at: row.instant()? }))
}

/// Reads an event. Columns are read in the order of the query.
fn read(row: &mut SqlRow<'_>) -> Result<ClientEvent, StoreError> {
    let number = row.integer()?;
    let event = Event {
        id: row.id()?,
        client: row.id()?,
        interaction_id: row.id()?,
        occurred_at: row.instant()?,
        recorded_at: row.instant()?,
        claims: row.parsed(document::read)?,
        scope: row.parsed(scope)?,
    };
    Ok(ClientEvent {
        number,
        event,
        parked_at: row.instant_or_null()?,
        deliveries: row.integer()?,
        reports: row.integer()?,
        err: row.id_or_null()?,
        description: row.id_or_null()?,
    })
}
