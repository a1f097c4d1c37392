-- Logins that are under way at the bank's identity provider, by the SHA-256 of the state parameter. A journey, a session or an
-- approval has at most one; it is removed when the provider's answer is taken.
CREATE TABLE provider_logins (
    state      BLOB    NOT NULL PRIMARY KEY,
    subject    TEXT    NOT NULL UNIQUE,
    browser    BLOB    NOT NULL,
    request    TEXT    NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX provider_logins_by_end ON provider_logins (expires_at);
