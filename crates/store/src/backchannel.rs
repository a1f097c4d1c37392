//! Backchannel authentication requests.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::readable::first_readable;
use lombard_database::statement::both;
use lombard_database::value::{SqlRow, optional};
use lombard_database::{locking, statements};
use lombard_domain::backchannel::{BackchannelRequest, BackchannelState};
use lombard_domain::code::StoredCode;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{BackchannelRequestId, ClientId, ConsentId, PsuId};
use lombard_ports::store::{BackchannelStore, StoreError};

macro_rules! columns {
    () => {
        "hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, \
         notification, provider_login, created_at, expires_at"
    };
}

statements! { "backchannel_requests" =>
    INSERT = both(concat!("INSERT INTO backchannel_requests (", columns!(),
        ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"));
    BY_HASH = both(concat!("SELECT ", columns!(), " FROM backchannel_requests WHERE hash = $1"));
    BY_HASH_LOCKED = locking!("SELECT ", columns!(), " FROM backchannel_requests WHERE hash = $1");
    BY_ID = both(concat!("SELECT ", columns!(), " FROM backchannel_requests WHERE id = $1"));
    LIVE_OF_CONSENT = both(concat!("SELECT ", columns!(),
        " FROM backchannel_requests WHERE consent_id = $1 AND state = 'pending' AND expires_at > $2 LIMIT 1"));
    COUNT_OF_CLIENT = both(
        "SELECT COUNT(*), COUNT(CASE WHEN psu_id = $1 THEN 1 END) FROM backchannel_requests \
         WHERE client_id = $2 AND state = 'pending' AND expires_at > $3");
    LIVE_OF_PSU = both(concat!("SELECT ", columns!(),
        " FROM backchannel_requests WHERE psu_id = $1 AND state = 'pending' AND expires_at > $2 \
         ORDER BY created_at DESC, id DESC LIMIT $3"));
    UPDATE = both(
        "UPDATE backchannel_requests SET psu_id = $1, state = $2, grant_id = $3, interval_secs = $4, next_poll_at = $5, \
         expires_at = $6, provider_login = $7 WHERE hash = $8");
}

impl BackchannelStore for Rows<'_, '_> {
    fn backchannel_insert(&mut self, request: &BackchannelRequest) -> Result<(), StoreError> {
        let parameters = [
            request.hash.into(),
            (&request.id).into(),
            (&request.client).into(),
            (&request.consent).into(),
            optional(request.psu.as_ref()),
            request.state.code().into(),
            (&request.request).into(),
            optional(request.binding_message.as_deref()),
            optional(request.grant.as_ref()),
            request.interval_secs.into(),
            request.next_poll_at.into(),
            optional(request.notification.as_deref()),
            optional(request.provider_login.as_deref()),
            request.created_at.into(),
            request.expires_at.into(),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn backchannel_for_update(&mut self, hash: &Digest) -> Result<Option<BackchannelRequest>, StoreError> {
        self.one_locked(&BY_HASH, &BY_HASH_LOCKED, &[(*hash).into()], read)
    }

    fn backchannel_request(&mut self, id: &BackchannelRequestId) -> Result<Option<BackchannelRequest>, StoreError> {
        self.one(&BY_ID, &[id.into()], read)
    }

    fn backchannel_live_of_consent(
        &mut self,
        consent: &ConsentId,
        now: Timestamp,
    ) -> Result<Option<BackchannelRequest>, StoreError> {
        self.one(&LIVE_OF_CONSENT, &[consent.into(), now.into()], read)
    }

    fn backchannel_live_counts(
        &mut self,
        client: &ClientId,
        psu: Option<&PsuId>,
        now: Timestamp,
    ) -> Result<(i64, i64), StoreError> {
        let counted =
            self.one(&COUNT_OF_CLIENT, &[psu.map_or("", PsuId::as_str).into(), client.into(), now.into()], |row| {
                Ok((row.integer()?, row.integer()?))
            })?;
        Ok(counted.unwrap_or_default())
    }

    fn backchannel_live_of_psu(
        &mut self,
        psu: &PsuId,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<BackchannelRequest>, StoreError> {
        first_readable(limit, |limit| {
            self.all(&LIVE_OF_PSU, &[psu.into(), now.into(), limit.into()], |row| Ok(read(row)))
        })
    }

    fn backchannel_update(&mut self, request: &BackchannelRequest) -> Result<(), StoreError> {
        let parameters = [
            optional(request.psu.as_ref()),
            request.state.code().into(),
            optional(request.grant.as_ref()),
            request.interval_secs.into(),
            request.next_poll_at.into(),
            request.expires_at.into(),
            optional(request.provider_login.as_deref()),
            request.hash.into(),
        ];
        self.execute_on(&UPDATE, &parameters, request.id.as_str())
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<BackchannelRequest, StoreError> {
    Ok(BackchannelRequest {
        hash: row.digest()?,
        id: row.id()?,
        client: row.id()?,
        consent: row.id()?,
        psu: row.id_or_null()?,
        state: row.parsed(BackchannelState::decode)?,
        request: row.id()?,
        binding_message: row.id_or_null()?,
        grant: row.id_or_null()?,
        interval_secs: row.integer()?,
        next_poll_at: row.instant()?,
        notification: row.id_or_null()?,
        provider_login: row.id_or_null()?,
        created_at: row.instant()?,
        expires_at: row.instant()?,
    })
}
