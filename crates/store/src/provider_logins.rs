//! Logins in progress at the bank's identity provider.

use crate::rows::Rows;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_domain::grant::Digest;
use lombard_domain::provider_login::ProviderLogin;
use lombard_ports::store::{ProviderLoginStore, StoreError};

statements! { "provider_logins" =>
    INSERT = both(
        "INSERT INTO provider_logins (state, subject, browser, request, expires_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (subject) DO UPDATE SET state = excluded.state, browser = excluded.browser, \
         request = excluded.request, expires_at = excluded.expires_at");
    BY_STATE = both("SELECT subject, browser, request, expires_at FROM provider_logins WHERE state = $1");
    REMOVE = both("DELETE FROM provider_logins WHERE state = $1");
}

impl ProviderLoginStore for Rows<'_, '_> {
    fn provider_login_insert(&mut self, login: &ProviderLogin) -> Result<(), StoreError> {
        let parameters = [
            login.state.into(),
            login.subject.as_str().into(),
            login.browser.into(),
            login.request.as_str().into(),
            login.expires_at.into(),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn provider_login(&mut self, state: &Digest) -> Result<Option<ProviderLogin>, StoreError> {
        let state = *state;
        self.one(&BY_STATE, &[state.into()], |row| {
            Ok(ProviderLogin {
                state,
                subject: row.id()?,
                browser: row.digest()?,
                request: row.id()?,
                expires_at: row.instant()?,
            })
        })
    }

    fn provider_login_remove(&mut self, state: &Digest) -> Result<bool, StoreError> {
        Ok(self.execute(&REMOVE, &[(*state).into()])? == 1)
    }
}
