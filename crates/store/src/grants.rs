//! Grants and codes. Tokens are in `tokens`, one-time values in `replays`.

use crate::grant_rows::{read_epochs, read_grant};
use crate::rows::Rows;
use crate::{purge, replays, tokens};
use jiff::Timestamp;
use lombard_database::statement::both;
use lombard_database::value::optional;
use lombard_database::{locking, statements};
use lombard_domain::client::Client;
use lombard_domain::grant::{AuthorisationCode, CallerEpochs, Digest, Grant, GrantSubject, Token, TokenState};
use lombard_domain::ids::{ClientId, ConsentId, GrantId};
use lombard_ports::store::{GrantStore, ReplayPurpose, StoreError, TokenContext};

macro_rules! code_by_hash {
    () => {
        "SELECT grant_id, client_id, redirect_uri, code_challenge, expires_at, redeemed_at FROM codes WHERE hash = $1"
    };
}

statements! { "grants" =>
    INSERT = both(
        "INSERT INTO grants (id, client_id, psu_id, consent_id, scopes, auth_time, acr, nonce, created_at, \
         revoked_at, epoch) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
    BY_ID = both(
        "SELECT id, client_id, psu_id, consent_id, scopes, auth_time, acr, nonce, created_at, revoked_at, epoch \
         FROM grants WHERE id = $1");
    REVOKE = both("UPDATE grants SET revoked_at = $1, epoch = epoch + 1 WHERE id = $2 AND revoked_at IS NULL");
    LIVE_OF_CONSENT = locking!(
        "SELECT id FROM grants WHERE consent_id = $1 AND id <> $2 AND created_at <= $3 AND revoked_at IS NULL \
         ORDER BY id");
    TOKENS_END = both("UPDATE tokens SET revoked_at = $1 WHERE grant_id = $2 AND revoked_at IS NULL");
    CODES_END = both("UPDATE codes SET redeemed_at = $1 WHERE grant_id = $2 AND redeemed_at IS NULL");
    CODE_INSERT = both(
        "INSERT INTO codes (hash, client_id, redirect_uri, grant_id, code_challenge, expires_at, redeemed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)");
    CODE = both(code_by_hash!());
    CODE_LOCKED = locking!(code_by_hash!());
    CODE_REDEEMED = both("UPDATE codes SET redeemed_at = $1 WHERE hash = $2 AND redeemed_at IS NULL");
    EPOCHS = both(
        "SELECT grants.id, clients.epoch, grants.epoch, COALESCE(consents.epoch, 0) FROM grants \
         JOIN clients ON clients.id = grants.client_id \
         LEFT JOIN consents ON consents.id = grants.consent_id WHERE grants.id = $1");
}

impl GrantStore for Rows<'_, '_> {
    fn grant_insert(&mut self, grant: &Grant) -> Result<(), StoreError> {
        let (psu, consent) = match &grant.subject {
            GrantSubject::Client => (None, None),
            GrantSubject::Psu { psu, consent } => (Some(psu), Some(consent)),
        };
        let parameters = [
            (&grant.id).into(),
            (&grant.client).into(),
            optional(psu),
            optional(consent),
            grant.scopes.to_string().into(),
            optional(grant.auth_time),
            optional(grant.acr.as_ref()),
            optional(grant.nonce.as_ref()),
            grant.created_at.into(),
            optional(grant.revoked_at),
            grant.epoch.into(),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn grant(&mut self, id: &GrantId) -> Result<Option<Grant>, StoreError> {
        self.one(&BY_ID, &[id.into()], read_grant)
    }

    fn grant_revoke(&mut self, id: &GrantId, now: Timestamp) -> Result<(), StoreError> {
        if self.execute(&REVOKE, &[now.into(), id.into()])? > 0 {
            self.execute_later(&TOKENS_END, &[now.into(), id.into()])?;
            self.execute_later(&CODES_END, &[now.into(), id.into()])?;
        }
        Ok(())
    }

    fn grants_of_consent(&mut self, consent: &ConsentId) -> Result<Vec<GrantId>, StoreError> {
        self.all_changed(&LIVE_OF_CONSENT, &[consent.into(), "".into(), Timestamp::MAX.into()], |row| row.id())
    }

    fn grants_revoke_of_consent(
        &mut self,
        consent: &ConsentId,
        successor: Option<&Grant>,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let (except, until) = successor.map_or(("", Timestamp::MAX), |grant| (grant.id.as_str(), grant.created_at));
        let parameters = [consent.into(), except.into(), until.into()];
        let live = self.all_changed(&LIVE_OF_CONSENT, &parameters, |row| row.id::<GrantId>())?;
        for grant in &live {
            self.grant_revoke(grant, now)?;
        }
        Ok(u64::try_from(live.len()).unwrap_or(u64::MAX))
    }

    fn code_insert(&mut self, code: &AuthorisationCode) -> Result<(), StoreError> {
        let parameters = [
            code.hash.into(),
            (&code.client).into(),
            (&code.redirect_uri).into(),
            (&code.grant).into(),
            optional(code.code_challenge.as_ref()),
            code.expires_at.into(),
            optional(code.redeemed_at),
        ];
        self.execute_later(&CODE_INSERT, &parameters)
    }

    fn code_for_update(&mut self, hash: &Digest) -> Result<Option<AuthorisationCode>, StoreError> {
        self.one_locked(&CODE, &CODE_LOCKED, &[(*hash).into()], |row| {
            Ok(AuthorisationCode {
                hash: *hash,
                grant: row.id()?,
                client: row.id()?,
                redirect_uri: row.id()?,
                code_challenge: row.id_or_null()?,
                expires_at: row.instant()?,
                redeemed_at: row.instant_or_null()?,
            })
        })
    }

    fn code_mark_redeemed(&mut self, hash: &Digest, now: Timestamp) -> Result<(), StoreError> {
        self.execute_later(&CODE_REDEEMED, &[now.into(), (*hash).into()])
    }

    fn token_insert(&mut self, token: &Token) -> Result<(), StoreError> {
        tokens::insert(self, token)
    }

    fn token_state(&mut self, hash: &Digest) -> Result<Option<TokenState>, StoreError> {
        tokens::state(self, hash)
    }

    fn token_holder(&mut self, hash: &Digest) -> Result<Option<TokenContext>, StoreError> {
        tokens::with_holder(self, hash)
    }

    fn token_revoke(&mut self, hash: &Digest, now: Timestamp) -> Result<(), StoreError> {
        tokens::revoke(self, hash, now)
    }

    fn epochs(&mut self, grant: &GrantId) -> Result<Option<CallerEpochs>, StoreError> {
        self.one(&EPOCHS, &[grant.into()], |row| {
            row.text()?;
            read_epochs(row)
        })
    }

    fn one_time_value_claim(
        &mut self,
        client: &ClientId,
        purpose: ReplayPurpose,
        value: &str,
        expires_at: Timestamp,
    ) -> Result<bool, StoreError> {
        replays::claim(self, client, purpose, value, expires_at)
    }

    fn one_time_value_claim_or_fail(
        &mut self,
        client: &Client,
        purpose: ReplayPurpose,
        value: &str,
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        replays::spend(self, client, purpose, value, expires_at)
    }

    fn one_time_value_is_claimed(
        &mut self,
        client: &ClientId,
        purpose: ReplayPurpose,
        value: &str,
    ) -> Result<bool, StoreError> {
        replays::is_claimed(self, client, purpose, value)
    }

    fn ended_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        purge::ended(self, before, limit)
    }
}
