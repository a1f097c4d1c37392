-- When the personal data of an order were erased. Such a row is not found by its id any more; it stays for the ledger and for statistics.
ALTER TABLE orders ADD COLUMN erased_at INTEGER;
