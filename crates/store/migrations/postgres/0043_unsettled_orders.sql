-- How far an order has come that waits for the bank, and when it should have ended: what the metric of stalled orders counts. Orders that
-- wait for their day and are in the table already get theirs with their next status update.
ALTER TABLE orders ADD COLUMN unsettled TEXT;
ALTER TABLE orders ADD COLUMN due_at BIGINT;
CREATE INDEX orders_unsettled ON orders (due_at, id) WHERE unsettled IS NOT NULL;
CREATE INDEX orders_by_creation ON orders (created_at, id);

-- The last stage of the history is found in its text, because a row whose history cannot be read must not stop the migration.
UPDATE orders SET due_at = created_at, unsettled = CASE substring(steps FROM '.*"stage":"([a-z-]+)"')
    WHEN 'in-process' THEN 'in-process' WHEN 'accepted-with-change' THEN 'in-process' WHEN 'settled' THEN 'settled' ELSE 'pending' END
WHERE (approval IS NULL OR approval = 'authorised') AND substring(steps FROM '.*"stage":"[a-z-]+"(.*)$') NOT LIKE '%"warehoused":true%'
  AND substring(steps FROM '.*"stage":"([a-z-]+)"') IN ('received', 'technically-valid', 'pending', 'customer-accepted', 'funds-checked',
      'in-process', 'accepted-with-change', 'settled');
