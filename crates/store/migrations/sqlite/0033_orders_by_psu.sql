-- What a customer's page of applications lists: the newest orders that a customer has agreed to.
CREATE INDEX orders_by_psu ON orders (psu_id, created_at, id);
