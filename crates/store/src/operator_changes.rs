//! The changes that operators made to clients.

use crate::rows::Rows;
use lombard_database::document;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, optional};
use lombard_domain::ids::ClientId;
use lombard_domain::operator_changes::{ChangeReason, OperatorChanges};
use lombard_ports::store::{OperatorChangeStore, StoreError};

statements! { "operator_changes" =>
    BY_CLIENT = both(
        "SELECT status_changed_at, status_reason, roles_changed_at, redirect_uris_changed_at, pending_registration FROM operator_changes \
         WHERE client_id = $1");
    PUT = both(
        "INSERT INTO operator_changes (client_id, status_changed_at, status_reason, roles_changed_at, redirect_uris_changed_at, \
         pending_registration) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id) DO UPDATE SET \
         status_changed_at = excluded.status_changed_at, status_reason = excluded.status_reason, \
         roles_changed_at = excluded.roles_changed_at, redirect_uris_changed_at = excluded.redirect_uris_changed_at, \
         pending_registration = excluded.pending_registration");
}

impl OperatorChangeStore for Rows<'_, '_> {
    fn operator_changes(&mut self, client: &ClientId) -> Result<OperatorChanges, StoreError> {
        Ok(self.one(&BY_CLIENT, &[client.into()], read)?.unwrap_or_default())
    }

    fn operator_changes_put(&mut self, client: &ClientId, changes: &OperatorChanges) -> Result<(), StoreError> {
        let parameters = [
            client.into(),
            optional(changes.status_changed_at),
            optional(changes.status_reason.as_ref().map(ChangeReason::as_str)),
            optional(changes.roles_changed_at),
            optional(changes.redirect_uris_changed_at),
            optional(changes.pending_registration.as_ref().map(document::write)),
        ];
        self.execute(&PUT, &parameters).map(drop)
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<OperatorChanges, StoreError> {
    Ok(OperatorChanges {
        status_changed_at: row.instant_or_null()?,
        status_reason: row.parsed_or_null(|text| {
            ChangeReason::parse(text).ok_or("a reason is longer than it may be, or not one line")
        })?,
        roles_changed_at: row.instant_or_null()?,
        redirect_uris_changed_at: row.instant_or_null()?,
        pending_registration: row.parsed_or_null(document::read)?,
    })
}
