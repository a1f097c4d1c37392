-- Clients whose keys are fetched from the address of their software statement; `jwks` is empty for them.

ALTER TABLE clients ADD COLUMN jwks_url TEXT;
