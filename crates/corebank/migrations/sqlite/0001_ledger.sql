-- The built-in bank. Money is whole minor units of the currency beside it.

CREATE TABLE customers (
    psu_id TEXT NOT NULL PRIMARY KEY,
    name   TEXT NOT NULL,
    about  TEXT NOT NULL
) STRICT;

CREATE TABLE ledger_accounts (
    id       TEXT    NOT NULL PRIMARY KEY,
    currency TEXT    NOT NULL,
    booked   INTEGER NOT NULL,
    pending  INTEGER NOT NULL
) STRICT;

CREATE TABLE bank_accounts (
    id           TEXT    NOT NULL PRIMARY KEY REFERENCES ledger_accounts (id),
    currency     TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    sub_type     TEXT    NOT NULL,
    eligible     INTEGER NOT NULL,
    credit_limit INTEGER NOT NULL,
    holders      TEXT    NOT NULL,
    detail       TEXT    NOT NULL
) STRICT;

CREATE TABLE bank_account_holders (
    psu_id          TEXT NOT NULL,
    bank_account_id TEXT NOT NULL REFERENCES bank_accounts (id),
    PRIMARY KEY (psu_id, bank_account_id)
) STRICT;
CREATE INDEX bank_account_holders_by_account ON bank_account_holders (bank_account_id);

CREATE TABLE journals (
    id        TEXT    NOT NULL PRIMARY KEY,
    cause     TEXT    NOT NULL UNIQUE,
    booked_at INTEGER NOT NULL
) STRICT;

CREATE TABLE postings (
    journal_id TEXT    NOT NULL REFERENCES journals (id),
    line       INTEGER NOT NULL,
    account_id TEXT    NOT NULL REFERENCES ledger_accounts (id),
    currency   TEXT    NOT NULL,
    layer      TEXT    NOT NULL,
    minor      INTEGER NOT NULL,
    entry_id   TEXT,
    PRIMARY KEY (journal_id, line)
) STRICT;

CREATE TRIGGER postings_stay_as_they_are BEFORE UPDATE ON postings
BEGIN SELECT RAISE(ABORT, 'postings cannot be edited'); END;
CREATE TRIGGER postings_stay_for_ever BEFORE DELETE ON postings
BEGIN SELECT RAISE(ABORT, 'postings cannot be removed'); END;

-- What customers see of the postings. seq counts entries in the order they became known.
CREATE TABLE entries (
    id         TEXT    NOT NULL PRIMARY KEY,
    account_id TEXT    NOT NULL REFERENCES bank_accounts (id),
    booked_at  INTEGER NOT NULL,
    seq        INTEGER NOT NULL,
    minor      INTEGER NOT NULL,
    currency   TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    detail     TEXT    NOT NULL
) STRICT;
CREATE INDEX entries_by_time ON entries (account_id, booked_at, id);
CREATE INDEX entries_credits_by_time ON entries (account_id, booked_at, id) WHERE minor >= 0;
CREATE INDEX entries_debits_by_time ON entries (account_id, booked_at, id) WHERE minor < 0;

-- A counter is moved inside the transaction that uses its numbers, so numbers become visible in their order.
CREATE TABLE counters (
    name  TEXT    NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT;
INSERT INTO counters (name, value) VALUES ('entries', 0);
