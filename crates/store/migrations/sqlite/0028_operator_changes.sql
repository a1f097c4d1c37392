-- What operators changed of clients, and why; a client that no operator changed has no row.
CREATE TABLE operator_changes (
    client_id                TEXT NOT NULL PRIMARY KEY REFERENCES clients (id),
    status_changed_at        INTEGER,
    status_reason            TEXT,
    roles_changed_at         INTEGER,
    redirect_uris_changed_at INTEGER
) STRICT;
