-- A number that is drawn again whenever an entry of the account is added or changed. A node that answered from the entries
-- before knows by it, without reading them, whether its answer still holds. It stands with the account's sums, which whoever
-- books on the account has locked.
ALTER TABLE ledger_accounts ADD COLUMN entries_version BIGINT NOT NULL DEFAULT 0;
