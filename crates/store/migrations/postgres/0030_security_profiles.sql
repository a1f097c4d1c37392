-- The security profile of each client; a client of an earlier release has none and uses the default one.

ALTER TABLE clients ADD COLUMN profile TEXT COLLATE "C";
