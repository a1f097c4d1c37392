-- Where the private part of a signing key comes from: made here, read from a file, or in a security module (token).
ALTER TABLE signing_keys ADD COLUMN origin TEXT COLLATE "C" NOT NULL DEFAULT 'made';
