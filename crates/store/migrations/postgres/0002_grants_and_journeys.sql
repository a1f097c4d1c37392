-- Secrets are kept as SHA-256 digests only.

CREATE TABLE grants (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    client_id  TEXT COLLATE "C" NOT NULL,
    psu_id     TEXT COLLATE "C",
    consent_id TEXT COLLATE "C",
    scopes     TEXT NOT NULL,
    auth_time  BIGINT,
    acr        TEXT,
    nonce      TEXT,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT,
    epoch      BIGINT NOT NULL
);
CREATE INDEX grants_by_consent ON grants (consent_id) WHERE consent_id IS NOT NULL;

CREATE TABLE codes (
    hash           BYTEA NOT NULL PRIMARY KEY,
    client_id      TEXT COLLATE "C" NOT NULL,
    redirect_uri   TEXT NOT NULL,
    grant_id       TEXT COLLATE "C" NOT NULL REFERENCES grants (id),
    code_challenge TEXT,
    expires_at     BIGINT NOT NULL,
    redeemed_at    BIGINT
);
CREATE INDEX codes_by_grant ON codes (grant_id);
CREATE INDEX codes_by_end ON codes (expires_at);

CREATE TABLE tokens (
    hash        BYTEA NOT NULL PRIMARY KEY,
    kind        TEXT COLLATE "C" NOT NULL,
    grant_id    TEXT COLLATE "C" NOT NULL REFERENCES grants (id),
    scopes      TEXT NOT NULL,
    certificate BYTEA NOT NULL,
    issued_at   BIGINT NOT NULL,
    expires_at  BIGINT,
    revoked_at  BIGINT
);
CREATE INDEX tokens_by_grant ON tokens (grant_id);
CREATE INDEX tokens_by_end ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_by_revocation ON tokens (revoked_at) WHERE revoked_at IS NOT NULL;

-- Values that may be used once: claimed until they expire by themselves.
CREATE TABLE replays (
    client_id  TEXT COLLATE "C" NOT NULL,
    purpose    TEXT COLLATE "C" NOT NULL,
    value      TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (client_id, purpose, value)
);
CREATE INDEX replays_by_end ON replays (expires_at);

CREATE TABLE interactions (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    client_id  TEXT COLLATE "C" NOT NULL,
    consent_id TEXT COLLATE "C" NOT NULL,
    request    TEXT NOT NULL,
    stage      TEXT NOT NULL,
    browser    BYTEA NOT NULL,
    psu_id     TEXT COLLATE "C",
    auth_time  BIGINT,
    form_token BYTEA NOT NULL,
    failures   BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX interactions_by_consent ON interactions (consent_id);
CREATE INDEX interactions_by_end ON interactions (expires_at);
