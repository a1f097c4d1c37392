-- What a TPP submitted for an order beyond its consent, and how far the payments of a file have come.
ALTER TABLE orders ADD COLUMN submitted TEXT;
ALTER TABLE orders ADD COLUMN progress TEXT;

-- The last news of a payment that is an order of its own at the bank.
ALTER TABLE order_payments ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;

-- Files as they came, piece by piece; kept is 1 once a consent took the file.
CREATE TABLE uploads (
    id       TEXT NOT NULL PRIMARY KEY,
    begun_at INTEGER NOT NULL,
    kept     INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_abandoned ON uploads (begun_at, id) WHERE kept = 0;

CREATE TABLE upload_pieces (
    upload_id TEXT NOT NULL REFERENCES uploads (id),
    piece     INTEGER NOT NULL,
    bytes     BLOB NOT NULL,
    PRIMARY KEY (upload_id, piece)
) STRICT;

-- The payments read from a file.
CREATE TABLE file_lines (
    upload_id TEXT NOT NULL REFERENCES uploads (id),
    number    INTEGER NOT NULL,
    line      TEXT NOT NULL,
    PRIMARY KEY (upload_id, number)
) STRICT, WITHOUT ROWID;

-- What was paid under a consent in a period, in minor units of the currency of its limits.
CREATE TABLE vrp_usage (
    consent_id TEXT NOT NULL REFERENCES consents (id),
    cycle      TEXT NOT NULL,
    from_on    TEXT NOT NULL,
    used_minor INTEGER NOT NULL CHECK (used_minor >= 0),
    PRIMARY KEY (consent_id, cycle, from_on)
) STRICT, WITHOUT ROWID;

-- Payment consents that nobody has decided on; those to files wait for their file first.
DROP INDEX consents_undecided;
CREATE INDEX consents_undecided ON consents (created_at, id)
WHERE state IN ('awaiting-upload', 'awaiting-authorisation') AND kind IN ('domestic-payment-consent', 'domestic-scheduled-payment-consent', 'domestic-standing-order-consent',
    'international-payment-consent', 'international-scheduled-payment-consent', 'international-standing-order-consent',
    'file-payment-consent', 'domestic-vrp-consents') AND deleted_at IS NULL;
