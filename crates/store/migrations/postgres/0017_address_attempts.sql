-- The users that an address failed to be, until a time; both by digest.
CREATE TABLE address_attempts (
    address    BYTEA  NOT NULL,
    user_name  BYTEA  NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (address, user_name)
);
CREATE INDEX address_attempts_by_end ON address_attempts (expires_at);
