-- Notices of maintenance and of changes. Times are of the wall clock. The last three columns follow from the others: when the period begins
-- or began, when the notice is over (NULL while an operator is to end it), and whether requests are refused meanwhile.
CREATE TABLE maintenance_notices (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    kind          TEXT   NOT NULL,
    impact        TEXT   NOT NULL,
    given_at      BIGINT NOT NULL,
    from_at       BIGINT NOT NULL,
    until_at      BIGINT,
    started_at    BIGINT,
    ended_at      BIGINT,
    withdrawn_at  BIGINT,
    message       TEXT   NOT NULL,
    reason        TEXT,
    systems       TEXT   NOT NULL,
    action        TEXT,
    begins_at     BIGINT NOT NULL,
    over_at       BIGINT,
    stops_service BIGINT NOT NULL
);
CREATE INDEX maintenance_notices_by_end ON maintenance_notices (over_at);
