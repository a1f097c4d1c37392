INSERT INTO arrangements (kind, account_id, id, due_at, detail) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (kind, account_id, id) DO UPDATE SET due_at = excluded.due_at, detail = excluded.detail
DELETE FROM arrangements WHERE kind = $1 AND account_id = $2 AND id = $3
SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2 AND id = $3
SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2 ORDER BY id ASC LIMIT $3
SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2 AND id > $3 ORDER BY id ASC LIMIT $4
SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2 ORDER BY id DESC LIMIT $3
SELECT id, account_id, due_at, detail FROM arrangements WHERE kind = $1 AND account_id = $2 AND id < $3 ORDER BY id DESC LIMIT $4
SELECT kind || '/' || account_id || '/' || id, id, account_id, due_at, detail, kind FROM arrangements WHERE due_at <= $1 AND NOT EXISTS (SELECT 1 FROM bank_quarantine WHERE bank_quarantine.kind = 'arrangement' AND bank_quarantine.subject IN (arrangements.kind || '/' || arrangements.account_id || '/' || arrangements.id)) ORDER BY due_at, arrangements.kind, account_id, id LIMIT $2
INSERT INTO statements (id, account_id, kind, reference, starts_at, ends_at, created_at, detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
UPDATE entries SET statement_id = $1, statement_reference = $2 WHERE account_id = $3 AND statement_id IS NULL AND status = 'booked' AND booked_at <= $4
SELECT id, account_id, kind, reference, starts_at, ends_at, created_at, detail FROM statements WHERE account_id = $1 AND starts_at >= $2 AND ends_at >= $2 AND ends_at <= $3 ORDER BY ends_at DESC, id DESC LIMIT $4
SELECT id, account_id, kind, reference, starts_at, ends_at, created_at, detail FROM statements WHERE account_id = $1 AND starts_at >= $2 AND ends_at >= $2 AND ends_at <= $3 AND (ends_at, id) < ($4, $5) ORDER BY ends_at DESC, id DESC LIMIT $6
SELECT id, account_id, kind, reference, starts_at, ends_at, created_at, detail FROM statements WHERE account_id = $1 AND starts_at >= $2 AND ends_at >= $2 AND ends_at <= $3 AND (ends_at, id) > ($4, $5) ORDER BY ends_at ASC, id ASC LIMIT $6
SELECT id, account_id, kind, reference, starts_at, ends_at, created_at, detail FROM statements WHERE id = $1 AND account_id = $2
SELECT id FROM statements WHERE id = ANY ($1)
SELECT starts_at FROM (SELECT starts_at FROM statements WHERE account_id = $1 AND starts_at >= $2 AND ends_at >= $2 AND ends_at <= $3 ORDER BY ends_at LIMIT 1) AS earliest UNION ALL SELECT ends_at FROM (SELECT ends_at FROM statements WHERE account_id = $1 AND starts_at >= $2 AND ends_at >= $2 AND ends_at <= $3 ORDER BY ends_at DESC LIMIT 1) AS latest
INSERT INTO bank_news (order_id, number, happened_at, what, turn) SELECT order_id, number, happened_at, what, GREATEST((SELECT MAX(turn) FROM bank_news WHERE bank_news.order_id = added.order_id), MAX(happened_at) OVER (PARTITION BY order_id ORDER BY number)) FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS added (order_id, number, happened_at, what)
SELECT order_id, order_id, number, happened_at, what FROM bank_news WHERE NOT EXISTS (SELECT 1 FROM bank_quarantine WHERE bank_quarantine.kind = 'status-update' AND bank_quarantine.subject IN (bank_news.order_id, split_part(bank_news.order_id, '/', 1))) ORDER BY turn, order_id, number LIMIT $1
SELECT order_id, MIN(number) FROM bank_news WHERE order_id = ANY ($1) GROUP BY order_id
DELETE FROM bank_news USING unnest($1::text[], $2::bigint[]) AS dropped (order_id, number) WHERE bank_news.order_id = dropped.order_id AND bank_news.number <= dropped.number
INSERT INTO bank_orders (id, debtor_id, due_at, told, plan, received_at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[]) ORDER BY 1 ON CONFLICT (id) DO NOTHING RETURNING id
SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE id = $1
SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE id = $1 FOR UPDATE
SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE id = ANY ($1)
SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE received_at >= $1 AND (received_at, id) > ($1, $2) ORDER BY received_at, id LIMIT $3
WITH changed AS (UPDATE bank_orders SET due_at = latest.due_at, told = latest.told, plan = latest.plan FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS latest (due_at, told, plan, id) WHERE bank_orders.id = latest.id RETURNING 1) SELECT 1 / CASE WHEN COUNT(*) = cardinality($4) THEN 1 ELSE 0 END FROM changed
SELECT id, debtor_id, due_at, told, plan, received_at FROM bank_orders WHERE due_at <= $1 AND NOT EXISTS (SELECT 1 FROM bank_quarantine WHERE bank_quarantine.kind = 'bank-order' AND bank_quarantine.subject IN (bank_orders.id)) ORDER BY due_at, id LIMIT $2
INSERT INTO order_plans (consent_id, outcome, wait_secs) VALUES ($1, $2, $3) ON CONFLICT (consent_id) DO UPDATE SET outcome = excluded.outcome, wait_secs = excluded.wait_secs
DELETE FROM order_plans WHERE consent_id = $1
SELECT consent_id, outcome, wait_secs FROM order_plans WHERE consent_id = ANY ($1)
INSERT INTO bank_accounts (status, sub_type, eligible, credit_limit, authorisers, holders, detail, id, currency) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
UPDATE bank_accounts SET status = $1, sub_type = $2, eligible = $3, credit_limit = $4, authorisers = $5, holders = $6, detail = $7 WHERE id = $8 AND currency = $9
DELETE FROM bank_account_holders WHERE bank_account_id = $1
INSERT INTO bank_account_holders (psu_id, bank_account_id) VALUES ($1, $2)
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.sub_type, bank_accounts.currency, bank_accounts.detail, bank_accounts.holders, bank_accounts.eligible, bank_accounts.credit_limit, bank_accounts.authorisers FROM bank_accounts WHERE bank_accounts.id = $1
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.sub_type, bank_accounts.currency, bank_accounts.detail, bank_accounts.holders, bank_accounts.eligible, bank_accounts.credit_limit, bank_accounts.authorisers FROM bank_accounts WHERE bank_accounts.id = $1 FOR NO KEY UPDATE
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.sub_type, bank_accounts.currency, bank_accounts.detail, bank_accounts.holders, bank_accounts.eligible, bank_accounts.credit_limit, bank_accounts.authorisers FROM bank_accounts WHERE bank_accounts.id = ANY ($1)
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.eligible FROM bank_accounts WHERE bank_accounts.id = $1
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.eligible FROM bank_accounts WHERE bank_accounts.id = ANY ($1)
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.eligible, ledger_accounts.entries_version FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id WHERE bank_accounts.id = $1
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.eligible, ledger_accounts.entries_version FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id WHERE bank_accounts.id = ANY ($1)
SELECT bank_accounts.id, bank_accounts.currency, bank_accounts.status, bank_accounts.sub_type, bank_accounts.eligible, bank_accounts.credit_limit, ledger_accounts.booked, ledger_accounts.pending FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id WHERE bank_accounts.id = $1
SELECT bank_accounts.id, bank_accounts.currency, bank_accounts.status, bank_accounts.sub_type, bank_accounts.eligible, bank_accounts.credit_limit, ledger_accounts.booked, ledger_accounts.pending FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id WHERE bank_accounts.id = ANY ($1)
SELECT bank_accounts.id, bank_accounts.currency, bank_accounts.status, bank_accounts.sub_type, bank_accounts.eligible, bank_accounts.credit_limit, ledger_accounts.booked, ledger_accounts.pending FROM bank_accounts JOIN ledger_accounts ON ledger_accounts.id = bank_accounts.id WHERE bank_accounts.id = $1 FOR UPDATE OF ledger_accounts
DELETE FROM bank_account_numbers WHERE account_id = $1
INSERT INTO bank_account_numbers (scheme, number, account_id) VALUES ($1, $2, $3) ON CONFLICT (scheme, number) DO NOTHING
SELECT account_id FROM bank_account_numbers WHERE scheme = $1 AND number = $2
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.sub_type, bank_accounts.currency, bank_accounts.detail, bank_accounts.holders, bank_accounts.eligible, bank_accounts.credit_limit, bank_accounts.authorisers FROM bank_account_holders JOIN bank_accounts ON bank_accounts.id = bank_account_holders.bank_account_id WHERE bank_account_holders.psu_id = $1 ORDER BY bank_accounts.id
SELECT bank_accounts.id, bank_accounts.status, bank_accounts.sub_type, bank_accounts.currency, bank_accounts.detail, bank_accounts.holders, bank_accounts.eligible, bank_accounts.credit_limit, bank_accounts.authorisers FROM bank_accounts WHERE bank_accounts.id IN (SELECT bank_account_id FROM bank_account_holders WHERE psu_id = ANY ($1)) ORDER BY bank_accounts.id
SELECT (SELECT COUNT(*) FROM customers), (SELECT COUNT(*) FROM bank_accounts)
INSERT INTO customers (psu_id, name, about, party) VALUES ($1, $2, $3, $4)
UPDATE customers SET name = $1, about = $2, party = $3 WHERE psu_id = $4
SELECT psu_id, name, about, party FROM customers ORDER BY psu_id
SELECT psu_id, name, about, party FROM customers WHERE psu_id = $1
SELECT psu_id, name, about, party FROM customers WHERE psu_id = $1 FOR NO KEY UPDATE
SELECT id FROM entries WHERE account_id = $1 ORDER BY booked_at, id LIMIT 1 OFFSET $2
UPDATE counters SET value = value + $1 WHERE name = 'entries' RETURNING value
SELECT value FROM counters WHERE name = 'entries'
INSERT INTO entries (id, account_id, booked_at, seq, minor, currency, status, detail) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[])
SELECT id FROM entries WHERE id = ANY ($1)
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE status = 'pending' AND booked_at <= $1 AND NOT EXISTS (SELECT 1 FROM bank_quarantine WHERE bank_quarantine.kind = 'pending-entry' AND bank_quarantine.subject IN (entries.id)) ORDER BY booked_at, id LIMIT $2
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND statement_id IS NULL AND status = 'booked' AND booked_at <= $2 ORDER BY booked_at
SELECT booked_at FROM entries WHERE account_id = $1 AND status = 'booked' AND seq >= 0 ORDER BY booked_at DESC LIMIT 1
WITH changed AS (UPDATE entries SET status = settled.status, detail = settled.detail, booked_at = settled.booked_at FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[]) AS settled (status, detail, booked_at, id, account_id, minor) WHERE entries.id = settled.id AND entries.account_id = settled.account_id AND entries.minor = settled.minor AND entries.status = 'pending' RETURNING 1) SELECT 1 / CASE WHEN COUNT(*) = cardinality($4) THEN 1 ELSE 0 END FROM changed
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 ORDER BY booked_at DESC, id DESC LIMIT $5
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor >= 0 ORDER BY booked_at DESC, id DESC LIMIT $5
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor < 0 ORDER BY booked_at DESC, id DESC LIMIT $5
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND (booked_at, id) < ($5, $6) ORDER BY booked_at DESC, id DESC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor >= 0 AND (booked_at, id) < ($5, $6) ORDER BY booked_at DESC, id DESC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor < 0 AND (booked_at, id) < ($5, $6) ORDER BY booked_at DESC, id DESC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND (booked_at, id) > ($5, $6) ORDER BY booked_at ASC, id ASC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor >= 0 AND (booked_at, id) > ($5, $6) ORDER BY booked_at ASC, id ASC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor < 0 AND (booked_at, id) > ($5, $6) ORDER BY booked_at ASC, id ASC LIMIT $7
SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 ORDER BY booked_at, id LIMIT 1) AS earliest UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest
SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor >= 0 ORDER BY booked_at, id LIMIT 1) AS earliest UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor >= 0 ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest
SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor < 0 ORDER BY booked_at, id LIMIT 1) AS earliest UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE account_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor < 0 ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 ORDER BY booked_at DESC, id DESC LIMIT $5
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor >= 0 ORDER BY booked_at DESC, id DESC LIMIT $5
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor < 0 ORDER BY booked_at DESC, id DESC LIMIT $5
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND (booked_at, id) < ($5, $6) ORDER BY booked_at DESC, id DESC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor >= 0 AND (booked_at, id) < ($5, $6) ORDER BY booked_at DESC, id DESC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor < 0 AND (booked_at, id) < ($5, $6) ORDER BY booked_at DESC, id DESC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND (booked_at, id) > ($5, $6) ORDER BY booked_at ASC, id ASC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor >= 0 AND (booked_at, id) > ($5, $6) ORDER BY booked_at ASC, id ASC LIMIT $7
SELECT id, account_id, booked_at, minor, currency, status, statement_reference, detail FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND seq <= $4 AND minor < 0 AND (booked_at, id) > ($5, $6) ORDER BY booked_at ASC, id ASC LIMIT $7
SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 ORDER BY booked_at, id LIMIT 1) AS earliest UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest
SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor >= 0 ORDER BY booked_at, id LIMIT 1) AS earliest UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor >= 0 ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest
SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor < 0 ORDER BY booked_at, id LIMIT 1) AS earliest UNION ALL SELECT account_id, booked_at FROM (SELECT account_id, booked_at FROM entries WHERE statement_id = $1 AND booked_at >= $2 AND booked_at <= $3 AND minor < 0 ORDER BY booked_at DESC, id DESC LIMIT 1) AS latest
INSERT INTO ledger_accounts (id, currency, booked, pending) SELECT id, currency, 0, 0 FROM unnest($1::text[], $2::text[]) AS opened (id, currency) ORDER BY id ON CONFLICT (id) DO NOTHING
INSERT INTO journals (id, cause, booked_at) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) ON CONFLICT (cause) DO NOTHING RETURNING cause
WITH changed AS (UPDATE ledger_accounts SET booked = ledger_accounts.booked + moved.booked, pending = ledger_accounts.pending + moved.pending FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS moved (booked, pending, id, currency) JOIN (SELECT id FROM ledger_accounts WHERE id = ANY ($3) ORDER BY id FOR UPDATE) AS locked ON locked.id = moved.id WHERE ledger_accounts.id = locked.id AND ledger_accounts.currency = moved.currency RETURNING 1) SELECT 1 / CASE WHEN COUNT(*) = cardinality($3) THEN 1 ELSE 0 END FROM changed
INSERT INTO postings (journal_id, line, account_id, currency, layer, minor, entry_id) SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
SELECT id, booked, pending FROM ledger_accounts WHERE id = ANY ($1)
SELECT account_id, minor, currency, layer, entry_id FROM postings WHERE journal_id = (SELECT journal_id FROM postings WHERE entry_id = $1 AND layer = 'pending' LIMIT 1) ORDER BY line
SELECT cause FROM journals WHERE id = (SELECT journal_id FROM postings WHERE entry_id = $1 AND layer = 'pending' LIMIT 1)
SELECT currency, CAST(SUM(CASE WHEN layer = 'booked' THEN minor ELSE 0 END) AS BIGINT), CAST(SUM(CASE WHEN layer = 'pending' THEN minor ELSE 0 END) AS BIGINT) FROM postings GROUP BY currency ORDER BY currency
INSERT INTO bank_quarantine (kind, subject, cause, since) VALUES ($1, $2, $3, $4) ON CONFLICT (kind, subject) DO NOTHING
SELECT number, kind, subject, cause, since FROM bank_quarantine WHERE number > $1 ORDER BY number LIMIT $2
SELECT kind, COUNT(*) FROM bank_quarantine GROUP BY kind ORDER BY kind
DELETE FROM bank_quarantine WHERE number = $1
DELETE FROM bank_quarantine
DO $$ BEGIN LOCK TABLE bank_quarantine IN EXCLUSIVE MODE; LOCK TABLE account_changes IN EXCLUSIVE MODE; LOCK TABLE order_plans IN EXCLUSIVE MODE; LOCK TABLE bank_news IN EXCLUSIVE MODE; LOCK TABLE bank_orders IN EXCLUSIVE MODE; LOCK TABLE entries IN EXCLUSIVE MODE; LOCK TABLE statements IN EXCLUSIVE MODE; LOCK TABLE arrangements IN EXCLUSIVE MODE; LOCK TABLE postings IN EXCLUSIVE MODE; LOCK TABLE journals IN EXCLUSIVE MODE; LOCK TABLE bank_account_numbers IN EXCLUSIVE MODE; LOCK TABLE bank_account_holders IN EXCLUSIVE MODE; LOCK TABLE bank_accounts IN EXCLUSIVE MODE; LOCK TABLE ledger_accounts IN EXCLUSIVE MODE; LOCK TABLE customers IN EXCLUSIVE MODE; END $$
DO $$ BEGIN LOCK TABLE bank_quarantine IN EXCLUSIVE MODE; LOCK TABLE account_changes IN EXCLUSIVE MODE; LOCK TABLE order_plans IN EXCLUSIVE MODE; LOCK TABLE bank_news IN EXCLUSIVE MODE; LOCK TABLE bank_orders IN EXCLUSIVE MODE; LOCK TABLE entries IN EXCLUSIVE MODE; LOCK TABLE statements IN EXCLUSIVE MODE; LOCK TABLE arrangements IN EXCLUSIVE MODE; LOCK TABLE postings IN EXCLUSIVE MODE; LOCK TABLE journals IN EXCLUSIVE MODE; LOCK TABLE bank_account_numbers IN EXCLUSIVE MODE; LOCK TABLE bank_account_holders IN EXCLUSIVE MODE; LOCK TABLE bank_accounts IN EXCLUSIVE MODE; LOCK TABLE ledger_accounts IN EXCLUSIVE MODE; LOCK TABLE customers IN EXCLUSIVE MODE; ALTER TABLE postings DISABLE TRIGGER postings_stay_as_they_are; END $$
DELETE FROM bank_quarantine
DELETE FROM account_changes
DELETE FROM order_plans
DELETE FROM bank_news
DELETE FROM bank_orders
DELETE FROM entries
DELETE FROM statements
DELETE FROM arrangements
DELETE FROM postings
DELETE FROM journals
DELETE FROM bank_account_numbers
DELETE FROM bank_account_holders
DELETE FROM bank_accounts
DELETE FROM ledger_accounts
DELETE FROM customers
ALTER TABLE postings ENABLE TRIGGER postings_stay_as_they_are
SELECT value FROM bank_settings WHERE name = $1
INSERT INTO bank_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
