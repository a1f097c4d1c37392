CREATE TABLE idempotency_keys (
    client_id     TEXT    NOT NULL,
    operation     TEXT    NOT NULL,
    key           TEXT    NOT NULL,
    body          BLOB    NOT NULL,
    first_used_at INTEGER NOT NULL,
    resource      TEXT,
    PRIMARY KEY (client_id, operation, key)
) STRICT;
CREATE INDEX idempotency_keys_by_use ON idempotency_keys (first_used_at);

CREATE TABLE events (
    id          TEXT    NOT NULL PRIMARY KEY,
    client_id   TEXT    NOT NULL,
    cause       TEXT    NOT NULL,
    occurred_at INTEGER NOT NULL,
    claims      TEXT    NOT NULL
) STRICT;
CREATE INDEX events_by_client ON events (client_id, occurred_at, id);

-- A job is free when its lease has ended; 0 means it was never leased.
CREATE TABLE jobs (
    id          TEXT    NOT NULL PRIMARY KEY,
    kind        TEXT    NOT NULL,
    subject     TEXT    NOT NULL,
    due_at      INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    attempts    INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_due ON jobs (kind, due_at, id);

-- The server's signing keys; private halves sealed.
CREATE TABLE signing_keys (
    id           TEXT    NOT NULL PRIMARY KEY,
    sealed       BLOB    NOT NULL,
    chain        BLOB    NOT NULL,
    published_at INTEGER NOT NULL,
    active_from  INTEGER NOT NULL,
    retired_at   INTEGER
) STRICT;

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
