-- What customers were shown before they approved payment consents: the outcome of Confirmation of Payee, and a JSON array of the headings of
-- warnings. Each row belongs to the approval that its grant stands on, and outlives the grant.
CREATE TABLE decision_evidence (
    grant_id   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    consent_id TEXT COLLATE "C" NOT NULL,
    psu_id     TEXT   NOT NULL,
    decided_at BIGINT NOT NULL,
    payee      TEXT,
    warnings   TEXT   NOT NULL
);
CREATE INDEX decision_evidence_of_consents ON decision_evidence (consent_id, decided_at, grant_id);
