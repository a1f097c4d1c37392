-- The `typ` of the header of a stored signature, which depends on the version that was polled. Signatures of an earlier release
-- count as having none. Source: SET-003.
ALTER TABLE events ADD COLUMN typ TEXT;
