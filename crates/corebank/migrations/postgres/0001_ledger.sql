-- The built-in bank. Money is whole minor units of the currency beside it.

CREATE TABLE customers (
    psu_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name   TEXT COLLATE "C" NOT NULL,
    about  TEXT NOT NULL
);

CREATE TABLE ledger_accounts (
    id       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    currency TEXT NOT NULL,
    booked   BIGINT NOT NULL,
    pending  BIGINT NOT NULL
);

CREATE TABLE bank_accounts (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES ledger_accounts (id),
    currency     TEXT NOT NULL,
    status       TEXT NOT NULL,
    sub_type     TEXT NOT NULL,
    eligible     BIGINT NOT NULL,
    credit_limit BIGINT NOT NULL,
    holders      TEXT NOT NULL,
    detail       TEXT NOT NULL
);

CREATE TABLE bank_account_holders (
    psu_id          TEXT COLLATE "C" NOT NULL,
    bank_account_id TEXT COLLATE "C" NOT NULL REFERENCES bank_accounts (id),
    PRIMARY KEY (psu_id, bank_account_id)
);
CREATE INDEX bank_account_holders_by_account ON bank_account_holders (bank_account_id);

CREATE TABLE journals (
    id        TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    cause     TEXT COLLATE "C" NOT NULL UNIQUE,
    booked_at BIGINT NOT NULL
);

CREATE TABLE postings (
    journal_id TEXT COLLATE "C" NOT NULL REFERENCES journals (id),
    line       BIGINT NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES ledger_accounts (id),
    currency   TEXT NOT NULL,
    layer      TEXT NOT NULL,
    minor      BIGINT NOT NULL,
    entry_id   TEXT COLLATE "C",
    PRIMARY KEY (journal_id, line)
);

CREATE FUNCTION refuse_change_of_postings() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'postings cannot be edited or removed' USING ERRCODE = 'integrity_constraint_violation'; END $$;
CREATE TRIGGER postings_stay_as_they_are BEFORE UPDATE OR DELETE ON postings
FOR EACH ROW EXECUTE FUNCTION refuse_change_of_postings();

-- What customers see of the postings. seq counts entries in the order they became known.
CREATE TABLE entries (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES bank_accounts (id),
    booked_at  BIGINT NOT NULL,
    seq        BIGINT NOT NULL,
    minor      BIGINT NOT NULL,
    currency   TEXT NOT NULL,
    status     TEXT NOT NULL,
    detail     TEXT NOT NULL
);
CREATE INDEX entries_by_time ON entries (account_id, booked_at, id);
CREATE INDEX entries_credits_by_time ON entries (account_id, booked_at, id) WHERE minor >= 0;
CREATE INDEX entries_debits_by_time ON entries (account_id, booked_at, id) WHERE minor < 0;

-- A counter is moved inside the transaction that uses its numbers, so numbers become visible in their order.
CREATE TABLE counters (
    name  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO counters (name, value) VALUES ('entries', 0);
