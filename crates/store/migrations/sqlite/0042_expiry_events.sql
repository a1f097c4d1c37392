-- The end of access for which the event of a consent's expiry was raised, so that it is raised once. Source: SET-036.
ALTER TABLE consents ADD COLUMN expiry_raised_for INTEGER;

-- Consents that were authorised before get their job here. The end of a VRP consent is in its terms: its job is due at once, and is put
-- off to the end by the server.
INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts)
SELECT 'expiry-' || id, 'consent-expiry', 'expired/0/' || id,
       CASE WHEN kind = 'domestic-vrp-consents' THEN 0 ELSE expires_at END, 0, 0
FROM consents
WHERE version = 'v4.0' AND state = 'authorised' AND deleted_at IS NULL
  AND (kind = 'domestic-vrp-consents' OR kind IN ('account-access', 'funds-confirmation') AND expires_at IS NOT NULL);
