-- Questions about funds that were answered: a reference is used once under a consent.
CREATE TABLE funds_confirmations (
    id         TEXT    NOT NULL PRIMARY KEY,
    consent_id TEXT    NOT NULL,
    reference  TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (consent_id, reference)
);
