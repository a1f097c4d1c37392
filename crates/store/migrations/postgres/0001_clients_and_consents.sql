-- Instants are microseconds since the Unix epoch, UTC. Rows carry their owner.

CREATE TABLE clients (
    id                 TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    status             TEXT NOT NULL,
    org_id             TEXT COLLATE "C" NOT NULL,
    org_name           TEXT NOT NULL,
    software_id        TEXT COLLATE "C" NOT NULL,
    software_name      TEXT NOT NULL,
    on_behalf_of       TEXT,
    roles              TEXT NOT NULL,
    redirect_uris      TEXT NOT NULL,
    tls_subject_dn     TEXT,
    jwks               TEXT NOT NULL,
    software_statement TEXT NOT NULL,
    headless_psu_id    TEXT COLLATE "C",
    created_at         BIGINT NOT NULL,
    epoch              BIGINT NOT NULL
);

CREATE TABLE consents (
    id               TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    client_id        TEXT COLLATE "C" NOT NULL,
    kind             TEXT COLLATE "C" NOT NULL,
    version          TEXT NOT NULL,
    terms            TEXT NOT NULL,
    submitted        TEXT NOT NULL,
    created_at       BIGINT NOT NULL,
    expires_at       BIGINT,
    state            TEXT NOT NULL,
    state_changed_at BIGINT NOT NULL,
    authorised_at    BIGINT,
    psu_id           TEXT COLLATE "C",
    deleted_at       BIGINT,
    epoch            BIGINT NOT NULL
);
CREATE INDEX consents_by_client ON consents (client_id, created_at);
CREATE INDEX consents_by_psu ON consents (psu_id, created_at) WHERE psu_id IS NOT NULL;

CREATE TABLE consent_accounts (
    consent_id      TEXT COLLATE "C" NOT NULL REFERENCES consents (id),
    bank_account_id TEXT COLLATE "C" NOT NULL,
    alias           TEXT COLLATE "C" NOT NULL,
    position        BIGINT NOT NULL,
    PRIMARY KEY (consent_id, bank_account_id)
);

-- What a TPP calls an account: one name for each account, one account for each name.
CREATE TABLE account_aliases (
    client_id       TEXT COLLATE "C" NOT NULL,
    bank_account_id TEXT COLLATE "C" NOT NULL,
    alias           TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (client_id, bank_account_id),
    UNIQUE (alias, client_id)
);
