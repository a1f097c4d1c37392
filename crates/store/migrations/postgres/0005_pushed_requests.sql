-- Authorisation requests pushed ahead of the browser, known by the SHA-256 digest of their reference.

CREATE TABLE pushed_requests (
    hash       BYTEA NOT NULL PRIMARY KEY,
    client_id  TEXT COLLATE "C" NOT NULL,
    request    TEXT NOT NULL,
    pushed_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX pushed_requests_by_end ON pushed_requests (expires_at);
