-- The directory that names the software of a client: ids of software are unique in one directory only. NULL for clients from before.
ALTER TABLE clients ADD COLUMN directory TEXT;
