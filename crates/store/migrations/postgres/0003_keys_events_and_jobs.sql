CREATE TABLE idempotency_keys (
    client_id     TEXT COLLATE "C" NOT NULL,
    operation     TEXT COLLATE "C" NOT NULL,
    key           TEXT COLLATE "C" NOT NULL,
    body          BYTEA NOT NULL,
    first_used_at BIGINT NOT NULL,
    resource      TEXT,
    PRIMARY KEY (client_id, operation, key)
);
CREATE INDEX idempotency_keys_by_use ON idempotency_keys (first_used_at);

CREATE TABLE events (
    id          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    client_id   TEXT COLLATE "C" NOT NULL,
    cause       TEXT COLLATE "C" NOT NULL,
    occurred_at BIGINT NOT NULL,
    claims      TEXT NOT NULL
);
CREATE INDEX events_by_client ON events (client_id, occurred_at, id);

-- A job is free when its lease has ended; 0 means it was never leased.
CREATE TABLE jobs (
    id          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    kind        TEXT COLLATE "C" NOT NULL,
    subject     TEXT NOT NULL,
    due_at      BIGINT NOT NULL,
    lease_until BIGINT NOT NULL,
    attempts    BIGINT NOT NULL
);
CREATE INDEX jobs_by_due ON jobs (kind, due_at, id);

-- The server's signing keys; private halves sealed.
CREATE TABLE signing_keys (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    sealed       BYTEA NOT NULL,
    chain        BYTEA NOT NULL,
    published_at BIGINT NOT NULL,
    active_from  BIGINT NOT NULL,
    retired_at   BIGINT
);

CREATE TABLE settings (
    name  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);
