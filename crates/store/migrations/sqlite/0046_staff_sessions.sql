-- Sessions of the bank's staff at the ops listener. The secret of the browser is kept as its SHA-256 digest only.
CREATE TABLE staff_sessions (
    browser    BLOB NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL,
    role       TEXT NOT NULL,
    form_token BLOB NOT NULL,
    idle_at    INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX staff_sessions_by_end ON staff_sessions (ends_at);
