-- What staff search orders by: the end-to-end id and the payee's account, each the JSON text of a member of the instruction up to its first
-- quotation mark, and the interaction id of the request that made the order. The text is split, because a document that cannot be read must
-- not stop a write, and because parsing or matching a pattern takes ten times as long.
CREATE INDEX CONCURRENTLY orders_by_end_to_end_id ON orders (
    (split_part(split_part(instruction, '"end_to_end":"', 2), '"', 1)), created_at, id);
CREATE INDEX CONCURRENTLY orders_by_creditor ON orders (
    (split_part(split_part(split_part(instruction, '"creditor":{', 2), '"number":"', 2), '"', 1)), created_at, id);
CREATE INDEX CONCURRENTLY orders_by_cause ON orders (cause, created_at, id) WHERE cause IS NOT NULL;
