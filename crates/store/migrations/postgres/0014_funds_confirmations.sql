-- Questions about funds that were answered: a reference is used once under a consent.
CREATE TABLE funds_confirmations (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    consent_id TEXT COLLATE "C" NOT NULL,
    reference  TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (consent_id, reference)
);
