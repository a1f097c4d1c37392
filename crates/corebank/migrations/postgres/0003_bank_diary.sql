-- Accounts by the numbers other banks know them by, so that a payment to one of them stays in the bank.
CREATE TABLE bank_account_numbers (
    scheme     TEXT COLLATE "C" NOT NULL,
    number     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES bank_accounts (id),
    PRIMARY KEY (scheme, number)
);
CREATE INDEX bank_account_numbers_by_account ON bank_account_numbers (account_id);
INSERT INTO bank_account_numbers (scheme, number, account_id)
SELECT known.value ->> 'scheme', known.value ->> 'number', bank_accounts.id
FROM bank_accounts, jsonb_array_elements(bank_accounts.detail::jsonb -> 'identifications') AS known
ON CONFLICT (scheme, number) DO NOTHING;

-- What waits for its booking, oldest first, and the postings that keep its money aside.
CREATE INDEX entries_pending ON entries (booked_at, id) WHERE status = 'pending';
CREATE INDEX postings_pending_by_entry ON postings (entry_id) WHERE layer = 'pending';
