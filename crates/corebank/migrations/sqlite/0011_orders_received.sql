-- When the bank received an order, by which the list of orders is read. Orders of earlier releases have none and are not in the list.
ALTER TABLE bank_orders ADD COLUMN received_at INTEGER;
