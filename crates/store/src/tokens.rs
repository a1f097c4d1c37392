//! The rows of tokens, and the query that finds a caller by its token.

use crate::clients::{self, client_columns};
use crate::consents::{self, joined_consent_columns};
use crate::grant_rows::{read_epochs, read_grant};
use jiff::Timestamp;
use lombard_database::SqlTransaction;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::grant::{Digest, Token, TokenKind, TokenState};
use lombard_domain::scope::Scopes;
use lombard_ports::store::{StoreError, TokenContext};

macro_rules! state_columns {
    () => {
        "tokens.grant_id, tokens.kind, tokens.scopes, tokens.certificate, tokens.issued_at, \
         tokens.expires_at, tokens.revoked_at, \
         grants.id, grants.client_id, grants.psu_id, grants.consent_id, grants.scopes, grants.auth_time, grants.acr, \
         grants.nonce, grants.created_at, grants.revoked_at, grants.epoch, \
         clients.epoch, grants.epoch, COALESCE(consents.epoch, 0)"
    };
}

/// The `FROM` clause of a token with all rows on which it depends.
macro_rules! from_token {
    () => {
        "FROM tokens JOIN grants ON grants.id = tokens.grant_id \
         JOIN clients ON clients.id = grants.client_id \
         LEFT JOIN consents ON consents.id = grants.consent_id WHERE tokens.hash = $1"
    };
}

/// The state of a token, the client and the consent.
macro_rules! holder_query {
    ($engine:ident) => {
        concat!(
            "SELECT ",
            state_columns!(),
            ", ",
            client_columns!("clients."),
            ", ",
            joined_consent_columns!($engine),
            " ",
            from_token!()
        )
    };
}

statements! { "tokens" =>
    INSERT = both(
        "INSERT INTO tokens (hash, kind, grant_id, scopes, certificate, issued_at, expires_at, revoked_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");
    STATE = both(concat!("SELECT ", state_columns!(), " ", from_token!()));
    HOLDER = SqlText {
        sqlite: holder_query!(sqlite),
        postgres: holder_query!(postgres),
    };
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
    session.one(&STATE, &[(*hash).into()], |row| read_state(hash, row))
}

fn read_state(hash: &Digest, row: &mut SqlRow<'_>) -> Result<TokenState, StoreError> {
    Ok(TokenState { token: read(hash, row)?, grant: read_grant(row)?, epochs: read_epochs(row)? })
}

/// Like [`state`], with the client and the consent, read by one query and so from one snapshot.
pub(super) fn with_holder(session: &mut SqlTransaction<'_>, hash: &Digest) -> Result<Option<TokenContext>, StoreError> {
    session.one(&HOLDER, &[(*hash).into()], |row| {
        let state = read_state(hash, row)?;
        row.enter_table("clients");
        let client = clients::read(row)?;
        row.enter_table("consents");
        let consent = consents::read_joined(row)?;
        Ok(TokenContext { state, client, consent })
    })
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
