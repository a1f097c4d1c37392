-- Accounts by the numbers other banks know them by, so that a payment to one of them stays in the bank.
CREATE TABLE bank_account_numbers (
    scheme     TEXT NOT NULL,
    number     TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES bank_accounts (id),
    PRIMARY KEY (scheme, number)
) STRICT;
CREATE INDEX bank_account_numbers_by_account ON bank_account_numbers (account_id);
INSERT INTO bank_account_numbers (scheme, number, account_id)
SELECT json_extract(known.value, '$.scheme'), json_extract(known.value, '$.number'), bank_accounts.id
FROM bank_accounts, json_each(bank_accounts.detail, '$.identifications') AS known WHERE true
ON CONFLICT (scheme, number) DO NOTHING;

-- What waits for its booking, oldest first, and the postings that keep its money aside.
CREATE INDEX entries_pending ON entries (booked_at, id) WHERE status = 'pending';
CREATE INDEX postings_pending_by_entry ON postings (entry_id) WHERE layer = 'pending';
