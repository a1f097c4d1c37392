-- Notices of maintenance and of changes. Times are of the wall clock. The last three columns follow from the others: when the period begins
-- or began, when the notice is over (NULL while an operator is to end it), and whether requests are refused meanwhile.
CREATE TABLE maintenance_notices (
    id            TEXT    NOT NULL PRIMARY KEY,
    kind          TEXT    NOT NULL,
    impact        TEXT    NOT NULL,
    given_at      INTEGER NOT NULL,
    from_at       INTEGER NOT NULL,
    until_at      INTEGER,
    started_at    INTEGER,
    ended_at      INTEGER,
    withdrawn_at  INTEGER,
    message       TEXT    NOT NULL,
    reason        TEXT,
    systems       TEXT    NOT NULL,
    action        TEXT,
    begins_at     INTEGER NOT NULL,
    over_at       INTEGER,
    stops_service INTEGER NOT NULL
) STRICT;
CREATE INDEX maintenance_notices_by_end ON maintenance_notices (over_at);
