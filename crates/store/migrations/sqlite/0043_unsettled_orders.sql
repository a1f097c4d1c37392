-- How far an order has come that waits for the bank, and when it should have ended: what the metric of stalled orders counts. Orders that
-- wait for their day and are in the table already get theirs with their next status update.
ALTER TABLE orders ADD COLUMN unsettled TEXT;
ALTER TABLE orders ADD COLUMN due_at INTEGER;
CREATE INDEX orders_unsettled ON orders (due_at, id) WHERE unsettled IS NOT NULL;
CREATE INDEX orders_by_creation ON orders (created_at, id);

UPDATE orders SET due_at = created_at, unsettled = CASE json_extract(steps, '$[#-1].stage')
    WHEN 'in-process' THEN 'in-process' WHEN 'accepted-with-change' THEN 'in-process' WHEN 'settled' THEN 'settled' ELSE 'pending' END
WHERE json_valid(steps) AND (approval IS NULL OR approval = 'authorised') AND json_extract(steps, '$[#-1].warehoused') IS NULL
  AND json_extract(steps, '$[#-1].stage') IN ('received', 'technically-valid', 'pending', 'customer-accepted', 'funds-checked',
      'in-process', 'accepted-with-change', 'settled');
