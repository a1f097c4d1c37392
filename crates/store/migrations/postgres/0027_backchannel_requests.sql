-- How a client learns the results of backchannel authentication (CIBA): 'poll', or 'ping' and the address that is notified. NULL for a
-- client that may not use it.
ALTER TABLE clients ADD COLUMN backchannel TEXT;
-- Backchannel authentication requests, by the SHA-256 of the auth_req_id. A consent has at most one that is pending, which the
-- transaction that adds one ensures with the consent locked.
CREATE TABLE backchannel_requests (
    hash            BYTEA  NOT NULL PRIMARY KEY,
    id              TEXT COLLATE "C" NOT NULL UNIQUE,
    client_id       TEXT COLLATE "C" NOT NULL REFERENCES clients (id),
    consent_id      TEXT COLLATE "C" NOT NULL REFERENCES consents (id),
    psu_id          TEXT COLLATE "C",
    state           TEXT COLLATE "C" NOT NULL,
    request         TEXT COLLATE "C" NOT NULL,
    binding_message TEXT COLLATE "C",
    grant_id        TEXT COLLATE "C",
    interval_secs   BIGINT NOT NULL,
    next_poll_at    BIGINT NOT NULL,
    notification    TEXT COLLATE "C",
    provider_login  TEXT COLLATE "C",
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);
CREATE INDEX backchannel_requests_by_consent ON backchannel_requests (consent_id);
CREATE INDEX backchannel_requests_by_client ON backchannel_requests (client_id) WHERE state = 'pending';
CREATE INDEX backchannel_requests_by_psu ON backchannel_requests (psu_id) WHERE state = 'pending';
CREATE INDEX backchannel_requests_by_end ON backchannel_requests (expires_at);
