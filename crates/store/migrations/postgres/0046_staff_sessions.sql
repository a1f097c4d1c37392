-- Sessions of the bank's staff at the ops listener. The secret of the browser is kept as its SHA-256 digest only.
CREATE TABLE staff_sessions (
    browser    BYTEA NOT NULL PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL,
    role       TEXT COLLATE "C" NOT NULL,
    form_token BYTEA NOT NULL,
    idle_at    BIGINT NOT NULL,
    ends_at    BIGINT NOT NULL
);
CREATE INDEX staff_sessions_by_end ON staff_sessions (ends_at);
