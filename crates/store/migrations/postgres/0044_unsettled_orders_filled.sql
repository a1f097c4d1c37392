-- Orders that wait for the bank already. The last stage of the history is found in its text, because a row whose history cannot be read must
-- not stop the migration.
UPDATE orders SET due_at = created_at, unsettled = CASE substring(steps FROM '.*"stage":"([a-z-]+)"')
    WHEN 'in-process' THEN 'in-process' WHEN 'accepted-with-change' THEN 'in-process' WHEN 'settled' THEN 'settled' ELSE 'pending' END
WHERE (approval IS NULL OR approval = 'authorised') AND substring(steps FROM '.*"stage":"[a-z-]+"(.*)$') NOT LIKE '%"warehoused":true%'
  AND substring(steps FROM '.*"stage":"([a-z-]+)"') IN ('received', 'technically-valid', 'pending', 'customer-accepted', 'funds-checked',
      'in-process', 'accepted-with-change', 'settled');
