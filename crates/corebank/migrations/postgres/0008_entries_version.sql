-- A random number that every statement which adds or changes an entry of the account replaces. Whoever keeps an answer about the
-- entries compares the number instead of reading the entries again. Random, so that two states of a database practically never
-- have the same one, even after a reset or after a restore from a backup. Triggers do it, so that a node of an earlier release that
-- still runs does it too.
ALTER TABLE ledger_accounts ADD COLUMN entries_version BIGINT NOT NULL DEFAULT 0;

CREATE FUNCTION replace_entries_version() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    UPDATE ledger_accounts SET entries_version = CAST(floor((random() - 0.5) * 18014398509481984) AS BIGINT)
    FROM (SELECT id FROM ledger_accounts WHERE id IN (SELECT account_id FROM changed) ORDER BY id FOR UPDATE) AS locked
    WHERE ledger_accounts.id = locked.id;
    RETURN NULL;
END $$;
CREATE TRIGGER entries_inserted AFTER INSERT ON entries REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION replace_entries_version();
CREATE TRIGGER entries_updated AFTER UPDATE ON entries REFERENCING NEW TABLE AS changed
FOR EACH STATEMENT EXECUTE FUNCTION replace_entries_version();
