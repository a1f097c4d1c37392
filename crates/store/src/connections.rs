//! Consents as the PSU sees them.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::readable::first_readable;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::ids::{ConsentId, PsuId};
use lombard_ports::store::{ConnectedConsent, ConnectedConsentStore, ConsentStore, StoreError};

statements! { "consent_uses" =>
    OF_PSU = both(
        // Single-use consents are omitted, because they would fill the page and hide the long-lived ones. Ended consents, of
        // which a TPP can have any number, are omitted so that they do not hide the active ones.
        "SELECT id FROM consents WHERE psu_id = $1 AND deleted_at IS NULL \
         AND state = 'authorised' AND (expires_at IS NULL OR expires_at > $2) AND kind IN ('account-access', 'funds-confirmation', 'domestic-vrp-consents') \
         ORDER BY created_at DESC, id DESC LIMIT $3");
    USED_AT = both("SELECT used_at FROM consent_uses WHERE consent_id = $1");
    USED = both(
        "INSERT INTO consent_uses (consent_id, used_at) VALUES ($1, $2) \
         ON CONFLICT (consent_id) DO UPDATE SET used_at = excluded.used_at \
         WHERE consent_uses.used_at < excluded.used_at");
}

/// Separates corrupt rows, which a list omits, from any other error, which fails the whole list.
fn readable_or_failed<T>(found: Result<T, StoreError>) -> Result<Result<T, StoreError>, StoreError> {
    match found {
        Err(unreadable @ StoreError::Corrupt { .. }) => Ok(Err(unreadable)),
        Err(error) => Err(error),
        Ok(row) => Ok(Ok(row)),
    }
}

impl ConnectedConsentStore for Rows<'_, '_> {
    fn connected_consents(
        &mut self,
        psu: &PsuId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<ConnectedConsent>, StoreError> {
        let parameters = |limit: i64| [psu.into(), now.into(), limit.into()];
        let found = first_readable(limit, |limit| {
            let ids = self.all(&OF_PSU, &parameters(limit), |row| row.id::<ConsentId>())?;
            ids.iter().map(|id| readable_or_failed(self.connected_consent(psu, id))).collect()
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    fn connected_consent(&mut self, psu: &PsuId, id: &ConsentId) -> Result<Option<ConnectedConsent>, StoreError> {
        let found = self.consent_any_owner(id)?;
        let Some(consent) = found.filter(|it| it.psu.as_ref() == Some(psu) && it.deleted_at.is_none()) else {
            return Ok(None);
        };
        let last_used_at = self.one(&USED_AT, &[id.into()], |row| row.instant())?;
        Ok(Some(ConnectedConsent { consent, last_used_at }))
    }

    fn consent_use_record(&mut self, id: &ConsentId, now: Timestamp) -> Result<(), StoreError> {
        self.execute_later(&USED, &[id.into(), now.into()])
    }
}
