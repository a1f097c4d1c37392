-- The orders that the bank has received since a time.
CREATE INDEX bank_orders_received ON bank_orders (received_at, id) WHERE received_at IS NOT NULL;
