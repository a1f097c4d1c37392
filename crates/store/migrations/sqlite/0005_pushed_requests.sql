-- Authorisation requests pushed ahead of the browser, known by the SHA-256 digest of their reference.

CREATE TABLE pushed_requests (
    hash       BLOB    NOT NULL PRIMARY KEY,
    client_id  TEXT    NOT NULL,
    request    TEXT    NOT NULL,
    pushed_at  INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pushed_requests_by_end ON pushed_requests (expires_at);
