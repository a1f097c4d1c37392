-- What testers have planned for the orders of a consent. The checks leave no row that cannot be read.
CREATE TABLE order_plans (
    consent_id  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    outcome     TEXT COLLATE "C" NOT NULL
        CHECK (outcome IN ('refused-by-scheme', 'suspected-fraud', 'held', 'credited-late', 'without-posting', 'payee-closed', 'usual')),
    wait_secs   BIGINT NOT NULL CHECK (wait_secs BETWEEN 0 AND 604800)
);
