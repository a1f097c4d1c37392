-- What the bank knows of a customer as a person.
ALTER TABLE customers ADD COLUMN party TEXT;

-- What account holders have arranged: payees, mandates, standing orders, scheduled payments, offers, parties, products.
-- Lists are read by account, then id; due_at is when an arrangement is carried out next.
CREATE TABLE arrangements (
    kind       TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES bank_accounts (id),
    id         TEXT COLLATE "C" NOT NULL,
    due_at     BIGINT,
    detail     TEXT NOT NULL,
    PRIMARY KEY (kind, account_id, id)
);
CREATE INDEX arrangements_by_due_time ON arrangements (due_at, kind, account_id, id) WHERE due_at IS NOT NULL;

CREATE TABLE statements (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES bank_accounts (id),
    kind       TEXT COLLATE "C" NOT NULL,
    reference  TEXT,
    starts_at  BIGINT NOT NULL,
    ends_at    BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    detail     TEXT NOT NULL
);
CREATE UNIQUE INDEX statements_by_end ON statements (account_id, ends_at);

-- Which statement an entry appears on, and the reference it carries for that.
ALTER TABLE entries ADD COLUMN statement_id TEXT COLLATE "C" REFERENCES statements (id);
ALTER TABLE entries ADD COLUMN statement_reference TEXT;
CREATE INDEX entries_by_statement ON entries (statement_id, booked_at, id) WHERE statement_id IS NOT NULL;
CREATE INDEX entries_on_no_statement ON entries (account_id, booked_at) WHERE statement_id IS NULL AND status = 'booked';
