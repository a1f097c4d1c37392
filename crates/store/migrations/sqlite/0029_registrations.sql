-- What clients registered of the protocol, the addresses of revoked keys, and the last good key sets of TPPs and directories.

ALTER TABLE clients ADD COLUMN registration TEXT;
ALTER TABLE clients ADD COLUMN jwks_revoked_url TEXT;
CREATE INDEX clients_by_software ON clients (software_id);

-- A row for each software with a registered client; registrations of one software lock it one after another.
CREATE TABLE registered_software (
    software_id TEXT NOT NULL PRIMARY KEY
) STRICT;

-- The last good document of each address.
CREATE TABLE key_sets (
    url         TEXT NOT NULL,
    revoked_url TEXT NOT NULL,
    document    TEXT NOT NULL,
    fetched_at  INTEGER NOT NULL,
    PRIMARY KEY (url, revoked_url)
) STRICT;
