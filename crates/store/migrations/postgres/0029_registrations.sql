-- What clients registered of the protocol, the addresses of revoked keys, and the last good key sets of TPPs and directories.

ALTER TABLE clients ADD COLUMN registration TEXT COLLATE "C";
ALTER TABLE clients ADD COLUMN jwks_revoked_url TEXT COLLATE "C";
CREATE INDEX clients_by_software ON clients (software_id);

-- A row for each software with a registered client; registrations of one software lock it one after another.
CREATE TABLE registered_software (
    software_id TEXT COLLATE "C" NOT NULL PRIMARY KEY
);

-- The last good document of each address.
CREATE TABLE key_sets (
    url         TEXT COLLATE "C" NOT NULL,
    revoked_url TEXT COLLATE "C" NOT NULL,
    document    TEXT COLLATE "C" NOT NULL,
    fetched_at  BIGINT NOT NULL,
    PRIMARY KEY (url, revoked_url)
);
