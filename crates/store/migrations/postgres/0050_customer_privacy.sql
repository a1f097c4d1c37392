-- Customers whose records are neither purged nor erased, until an operator releases them.
CREATE TABLE customer_holds (
    psu_id  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    held_at BIGINT NOT NULL,
    held_by TEXT   NOT NULL,
    reason  TEXT   NOT NULL
);

-- When the personal data of a consent were erased. Such a row is not found by its id any more; it stays for statistics.
ALTER TABLE consents ADD COLUMN erased_at BIGINT;
