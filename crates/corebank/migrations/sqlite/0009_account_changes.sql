-- Accounts that were closed, switched or blocked, until the server has taken the change. The number counts over the whole bank. The
-- checks leave no row that cannot be read.
CREATE TABLE account_changes (
    number      INTEGER NOT NULL PRIMARY KEY CHECK (number > 0),
    account_id  TEXT NOT NULL REFERENCES bank_accounts (id),
    happened_at INTEGER NOT NULL CHECK (happened_at BETWEEN 0 AND 253402207200999999),
    reason      TEXT CHECK (reason IN ('closed', 'switched')),
    cause       TEXT
) STRICT;
INSERT INTO counters (name, value) VALUES ('account-changes', 0);
