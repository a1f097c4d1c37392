-- The interaction id of the call that made an order: what the bank does to it later was caused by that call. Source: SET-016.
ALTER TABLE orders ADD COLUMN cause TEXT;
