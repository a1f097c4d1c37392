-- Failed attempts to log in, by the digest of a user's name or of an address. made_at is a JSON array of instants.
CREATE TABLE attempts (
    subject    BLOB    NOT NULL PRIMARY KEY,
    made_at    TEXT    NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_by_end ON attempts (expires_at);

-- PSUs' sessions at the bank. The secret of the browser is kept as its SHA-256 digest only.
CREATE TABLE sessions (
    browser    BLOB    NOT NULL PRIMARY KEY,
    login      TEXT    NOT NULL,
    psu_id     TEXT    NOT NULL,
    stage      TEXT    NOT NULL,
    form_token BLOB    NOT NULL,
    idle_at    INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_end ON sessions (ends_at);

-- When tokens were last issued on a consent.
CREATE TABLE consent_uses (
    consent_id TEXT    NOT NULL PRIMARY KEY,
    used_at    INTEGER NOT NULL
) STRICT;
