-- How a client learns the results of backchannel authentication (CIBA): 'poll', or 'ping' and the address that is notified. NULL for a
-- client that may not use it.
ALTER TABLE clients ADD COLUMN backchannel TEXT;
-- Backchannel authentication requests, by the SHA-256 of the auth_req_id. A consent has at most one that is pending, which the
-- transaction that adds one ensures with the consent locked.
CREATE TABLE backchannel_requests (
    hash            BLOB    NOT NULL PRIMARY KEY,
    id              TEXT    NOT NULL UNIQUE,
    client_id       TEXT    NOT NULL REFERENCES clients (id),
    consent_id      TEXT    NOT NULL REFERENCES consents (id),
    psu_id          TEXT,
    state           TEXT    NOT NULL,
    request         TEXT    NOT NULL,
    binding_message TEXT,
    grant_id        TEXT,
    interval_secs   INTEGER NOT NULL,
    next_poll_at    INTEGER NOT NULL,
    notification    TEXT,
    provider_login  TEXT,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX backchannel_requests_by_consent ON backchannel_requests (consent_id);
CREATE INDEX backchannel_requests_by_client ON backchannel_requests (client_id) WHERE state = 'pending';
CREATE INDEX backchannel_requests_by_psu ON backchannel_requests (psu_id) WHERE state = 'pending';
CREATE INDEX backchannel_requests_by_end ON backchannel_requests (expires_at);
