-- Failed attempts to log in, by the digest of a user's name or of an address. made_at is a JSON array of instants.
CREATE TABLE attempts (
    subject    BYTEA NOT NULL PRIMARY KEY,
    made_at    TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX attempts_by_end ON attempts (expires_at);

-- PSUs' sessions at the bank. The secret of the browser is kept as its SHA-256 digest only.
CREATE TABLE sessions (
    browser    BYTEA NOT NULL PRIMARY KEY,
    login      TEXT COLLATE "C" NOT NULL,
    psu_id     TEXT COLLATE "C" NOT NULL,
    stage      TEXT COLLATE "C" NOT NULL,
    form_token BYTEA NOT NULL,
    idle_at    BIGINT NOT NULL,
    ends_at    BIGINT NOT NULL
);
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- When tokens were last issued on a consent.
CREATE TABLE consent_uses (
    consent_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    used_at    BIGINT NOT NULL
);
