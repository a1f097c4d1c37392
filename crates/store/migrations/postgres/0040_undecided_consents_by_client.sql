-- Consents of a client that no customer has decided on, which have a quota.
CREATE INDEX consents_undecided_by_client ON consents (client_id, created_at)
WHERE state IN ('awaiting-upload', 'awaiting-authorisation') AND deleted_at IS NULL;
