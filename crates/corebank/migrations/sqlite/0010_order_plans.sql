-- What testers have planned for the orders of a consent. The checks leave no row that cannot be read.
CREATE TABLE order_plans (
    consent_id  TEXT NOT NULL PRIMARY KEY,
    outcome     TEXT NOT NULL
        CHECK (outcome IN ('refused-by-scheme', 'suspected-fraud', 'held', 'credited-late', 'without-posting', 'payee-closed', 'usual')),
    wait_secs   INTEGER NOT NULL CHECK (wait_secs BETWEEN 0 AND 604800)
) STRICT;
