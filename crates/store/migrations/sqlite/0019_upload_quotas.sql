-- Whose an upload is, and how much it takes: while it is under way the most it may, then its size. used is 1 once the
-- consent that took it was used: such uploads stay and count for nothing.
ALTER TABLE uploads ADD COLUMN client_id TEXT;
ALTER TABLE uploads ADD COLUMN consent_id TEXT;
ALTER TABLE uploads ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN used INTEGER NOT NULL DEFAULT 0;

UPDATE uploads SET consent_id = (
    SELECT MIN(consents.id) FROM consents
    WHERE consents.kind = 'file-payment-consent' AND consents.terms LIKE '%"' || uploads.id || '"%');
UPDATE uploads SET client_id = (SELECT consents.client_id FROM consents WHERE consents.id = uploads.consent_id);
UPDATE uploads SET bytes = (
    SELECT COALESCE(SUM(length(bytes)), 0) FROM upload_pieces WHERE upload_pieces.upload_id = uploads.id);

CREATE INDEX uploads_unused ON uploads (client_id) WHERE used = 0;
CREATE INDEX uploads_unused_by_id ON uploads (id) WHERE used = 0;

-- A row for each client that sends files, to lock while what it has sent is counted.
CREATE TABLE upload_senders (
    client_id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
