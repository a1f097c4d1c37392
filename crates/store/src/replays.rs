//! One-time values.

use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::client::Client;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::ClientId;
use lombard_ports::store::{ReplayPurpose, StoreError};

statements! { "replays" =>
    CLAIM = both(
        "INSERT INTO replays (client_id, purpose, value, expires_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (client_id, purpose, value) DO NOTHING");
    // The statement fails if `CLAIM` changes nothing. As a row must have a client, it also fails if the client is not at this
    // epoch.
    SPEND = both(
        "INSERT INTO replays (client_id, purpose, value, expires_at) \
         VALUES ((SELECT id FROM clients WHERE id = $1 AND epoch = $2), $3, $4, $5)");
    CLAIMED = both("SELECT value FROM replays WHERE client_id = $1 AND purpose = $2 AND value = $3");
}

// The port defines the table name in the error of a used value.
const _: () =
    assert!(matches!(SPEND.table.as_bytes(), b"replays") && matches!(ReplayPurpose::TABLE.as_bytes(), b"replays"));

pub(super) fn claim(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    purpose: ReplayPurpose,
    value: &str,
    expires_at: Timestamp,
) -> Result<bool, StoreError> {
    let parameters = [client.into(), purpose.code().into(), value.into(), expires_at.into()];
    session.execute(&CLAIM, &parameters).map(|rows| rows == 1)
}

pub(super) fn spend(
    session: &mut SqlTransaction<'_>,
    client: &Client,
    purpose: ReplayPurpose,
    value: &str,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    let (id, epoch) = ((&client.id).into(), client.epoch.into());
    session.execute_later(&SPEND, &[id, epoch, purpose.code().into(), value.into(), expires_at.into()])
}

pub(super) fn is_claimed(
    session: &mut SqlTransaction<'_>,
    client: &ClientId,
    purpose: ReplayPurpose,
    value: &str,
) -> Result<bool, StoreError> {
    let found = session.one(&CLAIMED, &[client.into(), purpose.code().into(), value.into()], |_| Ok(()))?;
    Ok(found.is_some())
}
