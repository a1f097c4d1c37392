-- The orders from an account, which an erasure removes.
CREATE INDEX bank_orders_by_debtor ON bank_orders (debtor_id, id);
