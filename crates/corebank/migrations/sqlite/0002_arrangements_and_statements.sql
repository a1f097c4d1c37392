-- What the bank knows of a customer as a person.
ALTER TABLE customers ADD COLUMN party TEXT;

-- What account holders have arranged: payees, mandates, standing orders, scheduled payments, offers, parties, products.
-- Lists are read by account, then id; due_at is when an arrangement is carried out next.
CREATE TABLE arrangements (
    kind       TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES bank_accounts (id),
    id         TEXT NOT NULL,
    due_at     INTEGER,
    detail     TEXT NOT NULL,
    PRIMARY KEY (kind, account_id, id)
) STRICT;
CREATE INDEX arrangements_by_due_time ON arrangements (due_at, kind, account_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE statements (
    id         TEXT    NOT NULL PRIMARY KEY,
    account_id TEXT    NOT NULL REFERENCES bank_accounts (id),
    kind       TEXT    NOT NULL,
    reference  TEXT,
    starts_at  INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    detail     TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX statements_by_end ON statements (account_id, ends_at);

-- Which statement an entry appears on, and the reference it carries for that.
ALTER TABLE entries ADD COLUMN statement_id TEXT REFERENCES statements (id);
ALTER TABLE entries ADD COLUMN statement_reference TEXT;
CREATE INDEX entries_by_statement ON entries (statement_id, booked_at, id) WHERE statement_id IS NOT NULL;
CREATE INDEX entries_on_no_statement ON entries (account_id, booked_at) WHERE statement_id IS NULL AND status = 'booked';
