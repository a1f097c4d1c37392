-- What the server kept for the bank before the bank had tables of its own. The clock's offset stays there too: the server's
-- own clock follows it.
INSERT INTO bank_settings (name, value)
SELECT name, value FROM settings
WHERE name IN ('bank.diary_turned_at', 'sandbox.clock_moved_at', 'sandbox.clock_offset_micros', 'sandbox.seed');
DELETE FROM settings WHERE name IN ('bank.diary_turned_at', 'sandbox.clock_moved_at', 'sandbox.seed');

INSERT INTO bank_quarantine (kind, subject, cause, since)
SELECT kind, subject, cause, since FROM quarantined_work
WHERE kind IN ('arrangement', 'bank-order', 'pending-entry', 'status-update') ORDER BY number;
DELETE FROM quarantined_work WHERE kind IN ('arrangement', 'bank-order', 'pending-entry', 'status-update');
