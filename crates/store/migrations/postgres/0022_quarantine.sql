-- Work that workers found and cannot do: a row that cannot be read, or one whose work fails whenever it is tried. Queries for
-- work that is due leave it out until an operator lets it go again. The kind and the subject say which work it is.
CREATE TABLE quarantined_work (
    number  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind    TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    cause   TEXT NOT NULL,
    since   BIGINT NOT NULL,
    UNIQUE (kind, subject)
);
