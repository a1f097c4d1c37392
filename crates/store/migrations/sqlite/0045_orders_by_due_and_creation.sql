-- The orders that are late, and the orders created since a time.
CREATE INDEX orders_unsettled ON orders (due_at, id) WHERE unsettled IS NOT NULL;
CREATE INDEX orders_by_creation ON orders (created_at, id);
