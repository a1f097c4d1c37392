//! Event delivery: append, offer, acknowledge and report.

use crate::in_list::{in_list, list_ids};
use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::document;
use lombard_database::readable::first_readable;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue, optional};
use lombard_domain::event::{Event, EventErrorReport};
use lombard_domain::ids::{ClientId, EventId};
use lombard_domain::scope::{Scope, Scopes};
use lombard_ports::store::{
    EventDelivery, EventOwner, OfferedEvent, OfferedEventForm, ReportedEvent, ReusableSignatures, StoreError,
    StoredSignature,
};
use std::collections::HashMap;

macro_rules! waiting {
    ($scopes:expr, $limit:literal) => {
        concat!(
            "SELECT id, reports, key_id, typ, signature, client_id, cause, occurred_at, recorded_at, claims, scope \
             FROM events WHERE client_id = $1 AND parked_at IS NULL ",
            $scopes,
            "ORDER BY reports, deliveries, number LIMIT ",
            $limit
        )
    };
}

macro_rules! known {
    ($in:expr) => {
        concat!(
            "SELECT id, client_id, CAST(0 AS BIGINT) FROM events WHERE id ",
            $in,
            " UNION ALL SELECT id, client_id, CAST(1 AS BIGINT) FROM event_tombstones WHERE id ",
            $in
        )
    };
}

macro_rules! own {
    ($start:literal, $in:expr, $end:literal) => {
        concat!($start, " WHERE client_id = $1 AND id ", $in, $end)
    };
}

statements! { "events" =>
    APPEND = both(
        "INSERT INTO events (id, client_id, scope, cause, occurred_at, recorded_at, claims, deliveries, reports) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0)");
    WAITING = both(waiting!("", "$2"));
    WAITING_IN_SCOPE = SqlText {
        sqlite: waiting!(concat!("AND scope ", in_list!(sqlite 2), " "), "$3"),
        postgres: waiting!(concat!("AND scope ", in_list!(postgres 2), " "), "$3"),
    };
    ACKNOWLEDGE = SqlText {
        sqlite: own!("DELETE FROM events", in_list!(sqlite 2), " RETURNING id"),
        postgres: own!("DELETE FROM events", in_list!(postgres 2), " RETURNING id"),
    };
    // If two nodes acknowledge an event at once, one record of its id is stored.
    TOMBSTONE_INSERT = SqlText {
        sqlite: "INSERT INTO event_tombstones (client_id, ended_at, id) \
                 SELECT $1, $2, value FROM json_each($3) WHERE true ON CONFLICT (id) DO NOTHING",
        postgres: "INSERT INTO event_tombstones (client_id, ended_at, id) \
                   SELECT $1, $2::bigint, unnest($3::text[]) ON CONFLICT (id) DO NOTHING",
    };
    REPORTABLE = SqlText {
        sqlite: own!("SELECT id, reports, parked_at FROM events", in_list!(sqlite 2), ""),
        postgres: own!("SELECT id, reports, parked_at FROM events", in_list!(postgres 2), " FOR UPDATE"),
    };
    REPORT = both(
        "UPDATE events SET reports = $1, parked_at = $2, err = $3, description = $4, key_id = NULL, typ = NULL, signature = NULL \
         WHERE id = $5");
    COUNT_DELIVERIES = both("UPDATE events SET deliveries = deliveries + $1 WHERE id = $2");
    STORE_SIGNATURE = both("UPDATE events SET key_id = $1, typ = $2, signature = $3 WHERE id = $4 AND reports = $5");
    PARK_EXHAUSTED = both("UPDATE events SET parked_at = $1 WHERE id = $2 AND parked_at IS NULL AND deliveries >= $3");
    KNOWN = SqlText { sqlite: known!(in_list!(sqlite 1)), postgres: known!(in_list!(postgres 1)) };
}

pub(super) fn append(session: &mut SqlTransaction<'_>, events: &[Event]) -> Result<(), StoreError> {
    let row = |event: &'_ Event| {
        vec![
            SqlValue::Owned(event.id.as_str().to_owned()),
            SqlValue::Owned(event.client.as_str().to_owned()),
            SqlValue::Owned(event.scope.name().to_owned()),
            SqlValue::Owned(event.interaction_id.as_str().to_owned()),
            event.occurred_at.into(),
            event.recorded_at.into(),
            document::write(&event.claims).into(),
        ]
    };
    let rows: Vec<_> = events.iter().map(row).collect();
    session.execute_many_later(&APPEND, &rows)
}

pub(super) fn waiting(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    scopes: Option<Scopes>,
    reusable: &ReusableSignatures,
    limit: u32,
) -> Result<Vec<OfferedEvent>, StoreError> {
    let read = |row: &mut SqlRow<'_>| Ok(offered(row, reusable));
    first_readable(limit, |limit| match scopes {
        None => session.all(&WAITING, &[client.into(), limit.into()], read),
        Some(scopes) => {
            let names = SqlValue::List(scopes.iter().map(Scope::name).collect());
            session.all(&WAITING_IN_SCOPE, &[client.into(), names, limit.into()], read)
        }
    })
}

/// Reads an offered event. Its content is parsed only if it has no reusable signature.
fn offered(row: &mut SqlRow<'_>, reusable: &ReusableSignatures) -> Result<OfferedEvent, StoreError> {
    let id: EventId = row.id()?;
    let reports = row.integer()?;
    let (key, typ, token) = (row.text_or_null()?, row.text_or_null()?, row.text_or_null()?);
    if let (Some(key), Some(token)) = (key, token)
        && typ == reusable.typ.as_deref()
        && let Some(key) = reusable.keys.iter().find(|known| known.as_str() == key)
    {
        let kept = StoredSignature { key: key.clone(), typ: reusable.typ.clone(), token: token.into() };
        return Ok(OfferedEvent { id, reports, form: OfferedEventForm::Signed(kept) });
    }
    let event = Event {
        id: id.clone(),
        client: row.id()?,
        interaction_id: row.id()?,
        occurred_at: row.instant()?,
        recorded_at: row.instant()?,
        claims: row.parsed(document::read)?,
        scope: row.parsed(scope)?,
    };
    Ok(OfferedEvent { id, reports, form: OfferedEventForm::Unsigned(Box::new(event)) })
}

fn list(ids: &[EventId]) -> SqlValue<'_> {
    list_ids(ids.iter().map(EventId::as_str))
}

pub(super) fn acknowledge(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    ids: &[EventId],
    now: Timestamp,
) -> Result<Vec<EventId>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let released = session.all_changed(&ACKNOWLEDGE, &[client.into(), list(ids)], |row| row.id::<EventId>())?;
    if !released.is_empty() {
        session.execute_later(&TOMBSTONE_INSERT, &[client.into(), now.into(), list(&released)])?;
    }
    Ok(released)
}

pub(super) fn report(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    reports: &[EventErrorReport],
    limit: Option<u32>,
    now: Timestamp,
) -> Result<Vec<ReportedEvent>, StoreError> {
    if reports.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<EventId> = reports.iter().map(|report| report.id.clone()).collect();
    let found = session.all_changed(&REPORTABLE, &[client.into(), list(&ids)], |row| {
        Ok((row.id::<EventId>()?, row.integer()?, row.instant_or_null()?))
    })?;
    let waiting: HashMap<EventId, i64> =
        found.into_iter().filter(|(.., parked_at)| parked_at.is_none()).map(|(id, times, _)| (id, times)).collect();
    let (mut rows, mut noted) = (Vec::new(), Vec::new());
    for report in reports {
        let Some(times) = waiting.get(&report.id).map(|times| times.saturating_add(1)) else { continue };
        let parked = limit.is_some_and(|limit| times >= i64::from(limit));
        rows.push(vec![
            times.into(),
            optional(parked.then_some(now)),
            (&report.err).into(),
            (&report.description).into(),
            (&report.id).into(),
        ]);
        noted.push(ReportedEvent { id: report.id.clone(), parked });
    }
    session.execute_many(&REPORT, &rows)?;
    Ok(noted)
}

pub(super) fn delivered(
    session: &mut SqlTransaction<'_>,
    deliveries: &[EventDelivery],
    limit: Option<u32>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let counts: Vec<_> = deliveries.iter().map(|delivery| vec![delivery.times.into(), (&delivery.id).into()]).collect();
    session.execute_many_later(&COUNT_DELIVERIES, &counts)?;
    let signatures: Vec<_> = deliveries
        .iter()
        .filter_map(|delivery| {
            let (signature, reports) = delivery.signed.as_ref()?;
            let (typ, token) = (optional(signature.typ.as_deref()), SqlValue::Text(&signature.token));
            Some(vec![(&signature.key).into(), typ, token, (&delivery.id).into(), (*reports).into()])
        })
        .collect();
    session.execute_many_later(&STORE_SIGNATURE, &signatures)?;
    if let Some(limit) = limit {
        let limit = i64::from(limit);
        let rows: Vec<_> =
            deliveries.iter().map(|delivery| vec![now.into(), (&delivery.id).into(), limit.into()]).collect();
        session.execute_many_later(&PARK_EXHAUSTED, &rows)?;
    }
    Ok(())
}

pub(super) fn known(session: &mut SqlTransaction<'_>, ids: &[EventId]) -> Result<Vec<EventOwner>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    session
        .all(&KNOWN, &[list(ids)], |row| Ok(EventOwner { id: row.id()?, client: row.id()?, acknowledged: row.flag()? }))
}

pub(super) fn scope(name: &str) -> Result<Scope, &'static str> {
    Scope::ALL.into_iter().find(|scope| scope.name() == name).ok_or("a scope in the row is not known to this program")
}
