-- Facts about the bank that all nodes share: its clock, where its customers come from, who last did what was due.
CREATE TABLE bank_settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- Work of the bank that cannot be done: a row that cannot be read, or one whose work fails whenever it is tried. Queries for
-- work that is due leave it out until an operator lets it go again. The kind and the subject say which work it is.
CREATE TABLE bank_quarantine (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    cause   TEXT NOT NULL,
    since   INTEGER NOT NULL,
    UNIQUE (kind, subject)
) STRICT;
