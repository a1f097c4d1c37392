-- Secrets are kept as SHA-256 digests only.

CREATE TABLE grants (
    id         TEXT    NOT NULL PRIMARY KEY,
    client_id  TEXT    NOT NULL,
    psu_id     TEXT,
    consent_id TEXT,
    scopes     TEXT    NOT NULL,
    auth_time  INTEGER,
    acr        TEXT,
    nonce      TEXT,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    epoch      INTEGER NOT NULL
) STRICT;
CREATE INDEX grants_by_consent ON grants (consent_id) WHERE consent_id IS NOT NULL;

CREATE TABLE codes (
    hash           BLOB    NOT NULL PRIMARY KEY,
    client_id      TEXT    NOT NULL,
    redirect_uri   TEXT    NOT NULL,
    grant_id       TEXT    NOT NULL REFERENCES grants (id),
    code_challenge TEXT,
    expires_at     INTEGER NOT NULL,
    redeemed_at    INTEGER
) STRICT;
CREATE INDEX codes_by_grant ON codes (grant_id);
CREATE INDEX codes_by_end ON codes (expires_at);

CREATE TABLE tokens (
    hash        BLOB    NOT NULL PRIMARY KEY,
    kind        TEXT    NOT NULL,
    grant_id    TEXT    NOT NULL REFERENCES grants (id),
    scopes      TEXT    NOT NULL,
    certificate BLOB    NOT NULL,
    issued_at   INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER
) STRICT;
CREATE INDEX tokens_by_grant ON tokens (grant_id);
CREATE INDEX tokens_by_end ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_by_revocation ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;

-- Values that may be used once: claimed until they expire by themselves.
CREATE TABLE replays (
    client_id  TEXT    NOT NULL,
    purpose    TEXT    NOT NULL,
    value      TEXT    NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (client_id, purpose, value)
) STRICT;
CREATE INDEX replays_by_end ON replays (expires_at);

CREATE TABLE interactions (
    id         TEXT    NOT NULL PRIMARY KEY,
    client_id  TEXT    NOT NULL,
    consent_id TEXT    NOT NULL,
    request    TEXT    NOT NULL,
    stage      TEXT    NOT NULL,
    browser    BLOB    NOT NULL,
    psu_id     TEXT,
    auth_time  INTEGER,
    form_token BLOB    NOT NULL,
    failures   INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX interactions_by_consent ON interactions (consent_id);
CREATE INDEX interactions_by_end ON interactions (expires_at);
