//! Pushed authorisation requests.

use crate::rows::Rows;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::grant::{Digest, PushedRequest};
use lombard_ports::store::{PushedRequestStore, StoreError};

statements! { "pushed_requests" =>
    INSERT = both(
        "INSERT INTO pushed_requests (hash, client_id, request, pushed_at, expires_at) VALUES ($1, $2, $3, $4, $5)");
    BY_HASH = both("SELECT client_id, request, pushed_at, expires_at FROM pushed_requests WHERE hash = $1");
}

impl PushedRequestStore for Rows<'_, '_> {
    fn pushed_request_insert(&mut self, pushed: &PushedRequest) -> Result<(), StoreError> {
        let parameters = [
            pushed.reference.into(),
            (&pushed.client).into(),
            (&pushed.request).into(),
            pushed.pushed_at.into(),
            pushed.expires_at.into(),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn pushed_request(&mut self, reference: &Digest) -> Result<Option<PushedRequest>, StoreError> {
        let reference = *reference;
        self.one(&BY_HASH, &[reference.into()], |row| {
            Ok(PushedRequest {
                reference,
                client: row.id()?,
                request: row.id()?,
                pushed_at: row.instant()?,
                expires_at: row.instant()?,
            })
        })
    }
}
