-- The users that an address failed to be, until a time; both by digest.
CREATE TABLE address_attempts (
    address    BLOB    NOT NULL,
    user_name  BLOB    NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (address, user_name)
) STRICT, WITHOUT ROWID;
CREATE INDEX address_attempts_by_end ON address_attempts (expires_at);
