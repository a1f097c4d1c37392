-- How far an order has come that waits for the bank, and when it should have ended: what the metric of stalled orders counts. Orders that
-- wait for their day and are in the table already get theirs with their next status update.
ALTER TABLE orders ADD COLUMN unsettled TEXT;
ALTER TABLE orders ADD COLUMN due_at BIGINT;
