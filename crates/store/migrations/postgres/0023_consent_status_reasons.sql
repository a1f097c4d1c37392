-- Why a consent has its state, where the state alone does not say it (V4-002), and when the PSU last authenticated to authorise it
-- (RW-108).
ALTER TABLE consents ADD COLUMN status_reason TEXT;
ALTER TABLE consents ADD COLUMN authenticated_at BIGINT;
