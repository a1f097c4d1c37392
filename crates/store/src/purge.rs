//! Removes expired rows, a bounded number at a time.

use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::statement::{SqlStatement, both};
use lombard_database::statements;
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;

macro_rules! delete_returning_grant {
    ($table:literal, $end:literal) => {
        both(concat!(
            "DELETE FROM ",
            $table,
            " WHERE hash IN (SELECT hash FROM ",
            $table,
            " WHERE ",
            $end,
            " < $1 LIMIT $2) RETURNING grant_id"
        ))
    };
}

statements! { "grants" =>
    TOKENS_EXPIRED = delete_returning_grant!("tokens", "expires_at");
    TOKENS_REVOKED = delete_returning_grant!("tokens", "revoked_at");
    CODES_EXPIRED = delete_returning_grant!("codes", "expires_at");
    GRANT = both(
        "DELETE FROM grants WHERE id = $1 \
         AND NOT EXISTS (SELECT 1 FROM tokens WHERE grant_id = $1) \
         AND NOT EXISTS (SELECT 1 FROM codes WHERE grant_id = $1)");
    REPLAYS = both(
        "DELETE FROM replays WHERE (client_id, purpose, value) IN \
         (SELECT client_id, purpose, value FROM replays WHERE expires_at < $1 LIMIT $2)");
    PUSHED_REQUESTS = both(
        "DELETE FROM pushed_requests WHERE hash IN \
         (SELECT hash FROM pushed_requests WHERE expires_at < $1 LIMIT $2)");
    ATTEMPTS = both(
        "DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts WHERE expires_at < $1 LIMIT $2)");
    ADDRESS_ATTEMPTS = both(
        "DELETE FROM address_attempts WHERE expires_at < $1 AND (address, user_name) IN \
         (SELECT address, user_name FROM address_attempts WHERE expires_at < $1 LIMIT $2)");
    SESSIONS = both(
        "DELETE FROM sessions WHERE browser IN (SELECT browser FROM sessions WHERE ends_at < $1 LIMIT $2)");
    PROVIDER_LOGINS = both(
        "DELETE FROM provider_logins WHERE state IN (SELECT state FROM provider_logins WHERE expires_at < $1 LIMIT $2)");
    PORTAL_LINKS = both(
        "DELETE FROM portal_links WHERE secret IN (SELECT secret FROM portal_links WHERE expires_at < $1 LIMIT $2)");
    PORTAL_SESSIONS = both(
        "DELETE FROM portal_sessions WHERE browser IN (SELECT browser FROM portal_sessions WHERE ends_at < $1 LIMIT $2)");
    STAFF_SESSIONS = both(
        "DELETE FROM staff_sessions WHERE browser IN (SELECT browser FROM staff_sessions WHERE ends_at < $1 LIMIT $2)");
    FORM_ANSWERS = both(
        "DELETE FROM form_answers WHERE form IN (SELECT form FROM form_answers WHERE expires_at < $1 LIMIT $2)");
    BACKCHANNEL_REQUESTS = delete_returning_grant!("backchannel_requests", "expires_at");
    INTERACTIONS = both(
        "DELETE FROM interactions WHERE id IN (SELECT id FROM interactions WHERE expires_at < $1 LIMIT $2)");
}

/// Statements that remove tokens, codes and backchannel requests; a grant without tokens and codes is removed afterwards.
const ENDED: [&SqlStatement; 4] = [&TOKENS_EXPIRED, &TOKENS_REVOKED, &CODES_EXPIRED, &BACKCHANNEL_REQUESTS];

/// Statements that remove rows that only expire.
const EXPIRED: [&SqlStatement; 11] = [
    &REPLAYS,
    &PUSHED_REQUESTS,
    &ATTEMPTS,
    &ADDRESS_ATTEMPTS,
    &SESSIONS,
    &PROVIDER_LOGINS,
    &PORTAL_LINKS,
    &PORTAL_SESSIONS,
    &STAFF_SESSIONS,
    &FORM_ANSWERS,
    &INTERACTIONS,
];

pub(super) fn ended(session: &mut SqlTransaction<'_>, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
    let bounds = || [before.into(), i64::from(limit).into()];
    let mut removed = 0_u64;
    let mut grants = BTreeSet::new();
    for statement in ENDED {
        for grant in session.all_changed(statement, &bounds(), |row| row.id_or_null::<String>())? {
            removed = removed.saturating_add(1);
            grants.extend(grant);
        }
    }
    let candidates: Vec<_> = grants.iter().map(|grant| vec![grant.into()]).collect();
    removed = session.execute_many(&GRANT, &candidates)?.into_iter().fold(removed, u64::saturating_add);
    for statement in EXPIRED {
        removed = removed.saturating_add(session.execute(statement, &bounds())?);
    }
    Ok(removed)
}
