-- The audit log. A transaction that does something adds a draft. A worker moves drafts to the end of the chain of their node, where each entry
-- has the hash of the one before it. The chain 'joint' names the ends of the others. Times are of the wall clock.
CREATE TABLE audit_drafts (
    number         INTEGER PRIMARY KEY AUTOINCREMENT,
    node           TEXT NOT NULL,
    at             INTEGER NOT NULL,
    actor          TEXT NOT NULL,
    role           TEXT NOT NULL,
    action         TEXT NOT NULL,
    target         TEXT NOT NULL,
    reason         TEXT,
    origin         TEXT NOT NULL,
    interaction_id TEXT,
    before_digest  TEXT,
    after_digest   TEXT
) STRICT;
CREATE TABLE audit_entries (
    number         INTEGER PRIMARY KEY AUTOINCREMENT,
    node           TEXT NOT NULL,
    sequence       INTEGER NOT NULL,
    at             INTEGER NOT NULL,
    actor          TEXT NOT NULL,
    role           TEXT NOT NULL,
    action         TEXT NOT NULL,
    target         TEXT NOT NULL,
    reason         TEXT,
    origin         TEXT NOT NULL,
    interaction_id TEXT,
    before_digest  TEXT,
    after_digest   TEXT,
    previous       TEXT NOT NULL,
    hash           TEXT NOT NULL,
    UNIQUE (node, sequence)
) STRICT;
CREATE INDEX audit_entries_by_target ON audit_entries (target, number);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, number);
CREATE INDEX audit_entries_by_action ON audit_entries (action, number);
CREATE INDEX audit_entries_by_time ON audit_entries (at, number);
-- The end of each chain, and the last of its entries that the chain 'joint' names.
CREATE TABLE audit_chains (
    node     TEXT NOT NULL PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash     TEXT NOT NULL,
    headed   INTEGER NOT NULL,
    last_at  INTEGER NOT NULL
) STRICT;
