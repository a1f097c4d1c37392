-- The orders that are late, and the orders created since a time.
CREATE INDEX CONCURRENTLY orders_unsettled ON orders (due_at, id) WHERE unsettled IS NOT NULL;
CREATE INDEX CONCURRENTLY orders_by_creation ON orders (created_at, id);
