//! Grants as rows.

use lombard_database::value::SqlRow;
use lombard_domain::grant::{CallerEpochs, Grant, GrantSubject};
use lombard_domain::scope::Scopes;
use lombard_ports::store::StoreError;

/// Reads `id, client_id, psu_id, consent_id, scopes, auth_time, acr, nonce, created_at, revoked_at, epoch`.
pub(super) fn read_grant(row: &mut SqlRow<'_>) -> Result<Grant, StoreError> {
    Ok(Grant {
        id: row.id()?,
        client: row.id()?,
        subject: match (row.id_or_null()?, row.id_or_null()?) {
            (Some(psu), Some(consent)) => GrantSubject::Psu { psu, consent },
            (None, None) => GrantSubject::Client,
            (Some(_), None) | (None, Some(_)) => {
                return Err(row.corrupt("a customer without a consent, or the reverse"));
            }
        },
        scopes: row.parsed(Scopes::parse)?,
        auth_time: row.instant_or_null()?,
        acr: row.id_or_null()?,
        nonce: row.id_or_null()?,
        created_at: row.instant()?,
        revoked_at: row.instant_or_null()?,
        epoch: row.integer()?,
    })
}

/// Reads the epochs of client, grant and consent.
pub(super) fn read_epochs(row: &mut SqlRow<'_>) -> Result<CallerEpochs, StoreError> {
    Ok(CallerEpochs { client: row.integer()?, grant: row.integer()?, consent: row.integer()? })
}
