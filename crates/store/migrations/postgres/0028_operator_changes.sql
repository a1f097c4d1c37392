-- What operators changed of clients, and why; a client that no operator changed has no row.
CREATE TABLE operator_changes (
    client_id                TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES clients (id),
    status_changed_at        BIGINT,
    status_reason            TEXT COLLATE "C",
    roles_changed_at         BIGINT,
    redirect_uris_changed_at BIGINT
);
