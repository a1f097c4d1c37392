-- Orders that wait for the bank already.
UPDATE orders SET due_at = created_at, unsettled = CASE json_extract(steps, '$[#-1].stage')
    WHEN 'in-process' THEN 'in-process' WHEN 'accepted-with-change' THEN 'in-process' WHEN 'settled' THEN 'settled' ELSE 'pending' END
WHERE json_valid(steps) AND (approval IS NULL OR approval = 'authorised') AND json_extract(steps, '$[#-1].warehoused') IS NULL
  AND json_extract(steps, '$[#-1].stage') IN ('received', 'technically-valid', 'pending', 'customer-accepted', 'funds-checked',
      'in-process', 'accepted-with-change', 'settled');
