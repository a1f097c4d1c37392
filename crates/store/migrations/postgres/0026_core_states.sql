-- What the bank's core sets on a consent, on its accounts and on an order, and gets back unchanged.
ALTER TABLE consents ADD COLUMN core_state TEXT;
ALTER TABLE consent_accounts ADD COLUMN core_state TEXT;
ALTER TABLE orders ADD COLUMN core_state TEXT;
