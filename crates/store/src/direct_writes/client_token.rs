//! The issue of tokens to clients that act on their own behalf, for several callers at once.

use super::parts::postgres_alone;
use lombard_database::statement::SqlStatement;
use lombard_database::value::{SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::grant::TokenKind;
use lombard_ports::store::{ClientTokenIssue, ReplayPurpose};

/// Each parameter is a column of a set of rows. Of two rows with the same assertion the first is stored. The rows are ordered by
/// client and assertion, so that two statements with the same assertions cannot deadlock.
pub(super) static ISSUE: SqlStatement = postgres_alone(
    "tokens",
    "WITH asked AS (\
       SELECT DISTINCT ON (given.client_id, COALESCE(given.jti, given.grant_id)) given.* \
       FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bytea[], $9::text[], \
         $10::bytea[], $11::bigint[], $12::bigint[]) \
       WITH ORDINALITY AS given (client_id, client_epoch, purpose, jti, remembered_until, grant_id, scopes, token, kind, certificate, \
         issued_at, expires_at, number) \
       JOIN clients ON clients.id = given.client_id AND clients.epoch = given.client_epoch \
       ORDER BY given.client_id, COALESCE(given.jti, given.grant_id), given.number), \
     used AS (\
       INSERT INTO replays (client_id, purpose, value, expires_at) \
       SELECT client_id, purpose, jti, remembered_until FROM asked WHERE jti IS NOT NULL \
       ON CONFLICT (client_id, purpose, value) DO NOTHING \
       RETURNING client_id, value), \
     issued AS (\
       SELECT asked.* FROM asked \
       WHERE jti IS NULL OR EXISTS (SELECT 1 FROM used WHERE used.client_id = asked.client_id AND used.value = asked.jti)), \
     new_grants AS (\
       INSERT INTO grants (id, client_id, scopes, created_at, epoch) \
       SELECT grant_id, client_id, scopes, issued_at, 0 FROM issued), \
     new_tokens AS (\
       INSERT INTO tokens (hash, kind, grant_id, scopes, certificate, issued_at, expires_at) \
       SELECT token, kind, grant_id, scopes, certificate, issued_at, expires_at FROM issued) \
     SELECT number FROM issued",
);

/// A row of [`ISSUE`].
pub(super) fn row(issue: &ClientTokenIssue) -> Vec<SqlValue<'static>> {
    let ClientTokenIssue { client, client_epoch, assertion, grant, scopes, token, certificate, issued_at, expires_at } =
        issue;
    vec![
        client.to_string().into(),
        (*client_epoch).into(),
        ReplayPurpose::ClientAssertion.code().to_owned().into(),
        optional(assertion.as_ref().map(|used| used.jti.clone())),
        optional(assertion.as_ref().map(|used| used.remembered_until)),
        grant.to_string().into(),
        scopes.to_string().into(),
        (*token).into(),
        TokenKind::Access.code().to_owned().into(),
        (*certificate).into(),
        (*issued_at).into(),
        (*expires_at).into(),
    ]
}
