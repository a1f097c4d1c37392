-- One-time links by which a TPP's developers log in to the portal, by the SHA-256 of the secret in the link.
CREATE TABLE portal_links (
    secret     BLOB    NOT NULL PRIMARY KEY,
    client_id  TEXT    NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX portal_links_by_end ON portal_links (expires_at);

-- Sessions of a TPP's developers at the portal. The secret of the browser is kept as its SHA-256 digest only.
CREATE TABLE portal_sessions (
    browser    BLOB    NOT NULL PRIMARY KEY,
    client_id  TEXT    NOT NULL,
    form_token BLOB    NOT NULL,
    idle_at    INTEGER NOT NULL,
    ends_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX portal_sessions_by_end ON portal_sessions (ends_at);

-- What the portal lists of a client: the orders of a consent that takes several, and the events that are no longer offered.
CREATE INDEX orders_of_reused_consents ON orders (consent_id, created_at, id) WHERE used_up IS NULL;
CREATE INDEX events_parked_of_clients ON events (client_id, number) WHERE parked_at IS NOT NULL;
