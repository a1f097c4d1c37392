//! The last valid key sets of TPPs and directories.

use crate::rows::Rows;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::client::KeySetAddress;
use lombard_ports::store::{FetchedKeySet, KeySetStore, StoreError};

statements! { "key_sets" =>
    BY_ADDRESS = both("SELECT document, fetched_at FROM key_sets WHERE url = $1 AND revoked_url = $2");
    PUT = both(
        "INSERT INTO key_sets (url, revoked_url, document, fetched_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (url, revoked_url) DO UPDATE SET document = excluded.document, fetched_at = excluded.fetched_at \
         WHERE key_sets.fetched_at < excluded.fetched_at");
}

impl KeySetStore for Rows<'_, '_> {
    fn key_set(&mut self, address: &KeySetAddress) -> Result<Option<FetchedKeySet>, StoreError> {
        self.one(&BY_ADDRESS, &[address.url.as_str().into(), revoked_url(address).into()], |row| {
            Ok(FetchedKeySet { document: row.id()?, fetched_at: row.instant()? })
        })
    }

    fn key_set_put(&mut self, address: &KeySetAddress, fetched: &FetchedKeySet) -> Result<(), StoreError> {
        let parameters = [
            address.url.as_str().into(),
            revoked_url(address).into(),
            fetched.document.as_str().into(),
            fetched.fetched_at.into(),
        ];
        self.execute(&PUT, &parameters).map(drop)
    }
}

fn revoked_url(address: &KeySetAddress) -> &str {
    address.revoked_url.as_deref().unwrap_or_default()
}
