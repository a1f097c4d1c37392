//! Tokens.

use crate::clients;
use crate::consents::FoundConsent;
use crate::grant_rows::{read_epochs, read_grant};
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, optional};
use lombard_database::{Query, SqlTransaction};
use lombard_domain::code::StoredCode;
use lombard_domain::grant::{Digest, Token, TokenKind, TokenState};
use lombard_domain::scope::Scopes;
use lombard_ports::store::{StoreError, TokenHolder};

statements! { "tokens" =>
    INSERT = both(
        "INSERT INTO tokens (hash, kind, grant_id, scopes, certificate, issued_at, expires_at, revoked_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    STATE = both(
        "SELECT tokens.grant_id, tokens.kind, tokens.scopes, tokens.certificate, tokens.issued_at, \
         tokens.expires_at, tokens.revoked_at, \
         grants.id, grants.client_id, grants.psu_id, grants.consent_id, grants.scopes, grants.auth_time, grants.acr, \
         grants.nonce, grants.created_at, grants.revoked_at, grants.epoch, \
         clients.epoch, grants.epoch, COALESCE(consents.epoch, 0) \
         FROM tokens JOIN grants ON grants.id = tokens.grant_id \
         JOIN clients ON clients.id = grants.client_id \
         LEFT JOIN consents ON consents.id = grants.consent_id WHERE tokens.hash = $1");
    REVOKE = both("UPDATE tokens SET revoked_at = $1 WHERE hash = $2 AND revoked_at IS NULL RETURNING grant_id");
    GRANT_TOUCH = both("UPDATE grants SET epoch = epoch + 1 WHERE id = $1");
}

pub(super) fn insert(session: &mut SqlTransaction<'_>, token: &Token) -> Result<(), StoreError> {
    let parameters = [
        token.hash.into(),
        token.kind.code().into(),
        (&token.grant).into(),
        token.scopes.to_string().into(),
        token.certificate.into(),
        token.issued_at.into(),
        optional(token.expires_at),
        optional(token.revoked_at),
    ];
    session.execute_later(&INSERT, &parameters)
}

/// Reads the state of a token. A token whose client was removed is not found.
pub(super) fn state(session: &mut SqlTransaction<'_>, hash: &Digest) -> Result<Option<TokenState>, StoreError> {
    session.one(&STATE, &[(*hash).into()], |row| {
        Ok(TokenState { token: read(hash, row)?, grant: read_grant(row)?, epochs: read_epochs(row)? })
    })
}

/// As [`state`], with what the token stands on, in one round trip.
pub(super) fn with_holder(session: &mut SqlTransaction<'_>, hash: &Digest) -> Result<Option<TokenHolder>, StoreError> {
    let (mut state, mut client, mut consent) = (None, None, FoundConsent::default());
    let mut queries = vec![Query::new(&STATE, [(*hash).into()]), clients::query_of_token(hash)];
    queries.extend(FoundConsent::queries_of_token(hash));
    session.query_together(&queries, |number, row| {
        match number {
            0 => {
                state =
                    Some(TokenState { token: read(hash, row)?, grant: read_grant(row)?, epochs: read_epochs(row)? });
            }
            1 => client = Some(clients::read(row)?),
            _ => consent.take(number.saturating_sub(2), row)?,
        }
        Ok(())
    })?;
    Ok(state.map(|state| TokenHolder { state, client, consent: consent.consent() }))
}

pub(super) fn revoke(session: &mut SqlTransaction<'_>, hash: &Digest, now: Timestamp) -> Result<(), StoreError> {
    let ended = session.all_changed(&REVOKE, &[now.into(), (*hash).into()], |row| row.id::<String>())?;
    for grant in ended {
        session.execute_later(&GRANT_TOUCH, &[(&grant).into()])?;
    }
    Ok(())
}

fn read(hash: &Digest, row: &mut SqlRow<'_>) -> Result<Token, StoreError> {
    Ok(Token {
        hash: *hash,
        grant: row.id()?,
        kind: row.parsed(TokenKind::decode)?,
        scopes: row.parsed(Scopes::parse)?,
        certificate: row.digest()?,
        issued_at: row.instant()?,
        expires_at: row.instant_or_null()?,
        revoked_at: row.instant_or_null()?,
    })
}
