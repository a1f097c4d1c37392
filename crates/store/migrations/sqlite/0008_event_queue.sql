-- The queues of events. Nothing was ever written to the table this replaces.
DROP TABLE events;

-- Rows are numbered as they come, which orders a queue and lets the oldest be found without an index on time.
CREATE TABLE events (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    client_id   TEXT    NOT NULL,
    scope       TEXT    NOT NULL,
    cause       TEXT    NOT NULL,
    occurred_at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    claims      TEXT    NOT NULL,
    deliveries  INTEGER NOT NULL,
    reports     INTEGER NOT NULL,
    parked_at   INTEGER,
    err         TEXT,
    description TEXT,
    key_id      TEXT,
    signature   TEXT
) STRICT;
-- A page is read from the beginning of a client's part of this index, however much waits.
CREATE INDEX events_by_turn ON events (client_id, deliveries, number) WHERE parked_at IS NULL;
CREATE INDEX events_parked ON events (parked_at, id) WHERE parked_at IS NOT NULL;

-- Ids of acknowledged events, kept for the log.
CREATE TABLE event_tombstones (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT    NOT NULL UNIQUE,
    client_id TEXT    NOT NULL,
    ended_at  INTEGER NOT NULL
) STRICT;

-- Which consents share an account.
CREATE INDEX consent_accounts_by_account ON consent_accounts (bank_account_id);
