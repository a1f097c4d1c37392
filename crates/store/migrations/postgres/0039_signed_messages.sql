-- What is signed for each client beyond what its profile demands, by name; a client of an earlier release has none.

ALTER TABLE clients ADD COLUMN signed_messages TEXT COLLATE "C";
