-- What the purge looks for: consents by when they ended, separately those that were never authorised, files that were used, and evidence. The
-- uploads of a consent are removed with it, and a consent is removed only without orders.
CREATE INDEX CONCURRENTLY consents_unauthorised ON consents ((COALESCE(deleted_at, state_changed_at))) WHERE authorised_at IS NULL;
CREATE INDEX CONCURRENTLY consents_ended
ON consents ((COALESCE(deleted_at, CASE state WHEN 'authorised' THEN COALESCE(expires_at, expiry_raised_for) ELSE state_changed_at END)))
WHERE authorised_at IS NOT NULL;
CREATE INDEX CONCURRENTLY decision_evidence_by_time ON decision_evidence (decided_at);
CREATE INDEX CONCURRENTLY uploads_by_consent ON uploads (consent_id);
CREATE INDEX CONCURRENTLY uploads_used ON uploads (begun_at, id) WHERE used = 1;
CREATE INDEX CONCURRENTLY orders_by_consent ON orders (consent_id);
