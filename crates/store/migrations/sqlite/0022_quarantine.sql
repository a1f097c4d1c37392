-- Work that workers found and cannot do: a row that cannot be read, or one whose work fails whenever it is tried. Queries for
-- work that is due leave it out until an operator lets it go again. The kind and the subject say which work it is.
CREATE TABLE quarantined_work (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    kind    TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    cause   TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    UNIQUE (kind, subject)
) STRICT;
