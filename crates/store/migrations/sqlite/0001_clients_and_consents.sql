-- Instants are microseconds since the Unix epoch, UTC. Rows carry their owner.

CREATE TABLE clients (
    id                 TEXT    NOT NULL PRIMARY KEY,
    status             TEXT    NOT NULL,
    org_id             TEXT    NOT NULL,
    org_name           TEXT    NOT NULL,
    software_id        TEXT    NOT NULL,
    software_name      TEXT    NOT NULL,
    on_behalf_of       TEXT,
    roles              TEXT    NOT NULL,
    redirect_uris      TEXT    NOT NULL,
    tls_subject_dn     TEXT,
    jwks               TEXT    NOT NULL,
    software_statement TEXT    NOT NULL,
    headless_psu_id    TEXT,
    created_at         INTEGER NOT NULL,
    epoch              INTEGER NOT NULL
) STRICT;

CREATE TABLE consents (
    id               TEXT    NOT NULL PRIMARY KEY,
    client_id        TEXT    NOT NULL,
    kind             TEXT    NOT NULL,
    version          TEXT    NOT NULL,
    terms            TEXT    NOT NULL,
    submitted        TEXT    NOT NULL,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER,
    state            TEXT    NOT NULL,
    state_changed_at INTEGER NOT NULL,
    authorised_at    INTEGER,
    psu_id           TEXT,
    deleted_at       INTEGER,
    epoch            INTEGER NOT NULL
) STRICT;
CREATE INDEX consents_by_client ON consents (client_id, created_at);
CREATE INDEX consents_by_psu ON consents (psu_id, created_at) WHERE psu_id IS NOT NULL;

CREATE TABLE consent_accounts (
    consent_id      TEXT    NOT NULL REFERENCES consents (id),
    bank_account_id TEXT    NOT NULL,
    alias           TEXT    NOT NULL,
    position        INTEGER NOT NULL,
    PRIMARY KEY (consent_id, bank_account_id)
) STRICT;

-- What a TPP calls an account: one name for each account, one account for each name.
CREATE TABLE account_aliases (
    client_id       TEXT NOT NULL,
    bank_account_id TEXT NOT NULL,
    alias           TEXT NOT NULL,
    PRIMARY KEY (client_id, bank_account_id),
    UNIQUE (alias, client_id)
) STRICT;
