-- How many of an account's holders must agree to a payment from it.
ALTER TABLE bank_accounts ADD COLUMN authorisers INTEGER NOT NULL DEFAULT 1;
