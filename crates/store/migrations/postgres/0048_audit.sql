-- The audit log. A transaction that does something adds a draft. A worker moves drafts to the end of the chain of their node, where each entry
-- has the hash of the one before it. The chain 'joint' names the ends of the others. Times are of the wall clock.
CREATE TABLE audit_drafts (
    number         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node           TEXT COLLATE "C" NOT NULL,
    at             BIGINT NOT NULL,
    actor          TEXT COLLATE "C" NOT NULL,
    role           TEXT NOT NULL,
    action         TEXT COLLATE "C" NOT NULL,
    target         TEXT COLLATE "C" NOT NULL,
    reason         TEXT,
    origin         TEXT NOT NULL,
    interaction_id TEXT,
    before_digest  TEXT,
    after_digest   TEXT
);
CREATE TABLE audit_entries (
    number         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node           TEXT COLLATE "C" NOT NULL,
    sequence       BIGINT NOT NULL,
    at             BIGINT NOT NULL,
    actor          TEXT COLLATE "C" NOT NULL,
    role           TEXT NOT NULL,
    action         TEXT COLLATE "C" NOT NULL,
    target         TEXT COLLATE "C" NOT NULL,
    reason         TEXT,
    origin         TEXT NOT NULL,
    interaction_id TEXT,
    before_digest  TEXT,
    after_digest   TEXT,
    previous       TEXT NOT NULL,
    hash           TEXT NOT NULL,
    UNIQUE (node, sequence)
);
CREATE INDEX audit_entries_by_target ON audit_entries (target, number);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, number);
CREATE INDEX audit_entries_by_action ON audit_entries (action, number);
CREATE INDEX audit_entries_by_time ON audit_entries (at, number);
-- The end of each chain, and the last of its entries that the chain 'joint' names.
CREATE TABLE audit_chains (
    node     TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    hash     TEXT NOT NULL,
    headed   BIGINT NOT NULL,
    last_at  BIGINT NOT NULL
);
