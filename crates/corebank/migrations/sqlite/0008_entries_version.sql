-- A random number that every statement which adds or changes an entry of the account replaces. Whoever keeps an answer about the
-- entries compares the number instead of reading the entries again. Random, so that two states of a database practically never
-- have the same one, even after a reset or after a restore from a backup. Triggers do it, so that a node of an earlier release that
-- still runs does it too.
ALTER TABLE ledger_accounts ADD COLUMN entries_version INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER entries_inserted AFTER INSERT ON entries
BEGIN UPDATE ledger_accounts SET entries_version = random() WHERE id = NEW.account_id; END;
CREATE TRIGGER entries_updated AFTER UPDATE ON entries
BEGIN UPDATE ledger_accounts SET entries_version = random() WHERE id = NEW.account_id; END;
