-- Submitted forms of pages, by a digest of the browser's secret, the form's token and what was submitted, with their sealed answers for
-- some seconds. The answer is empty while the form is being answered (repeated_until is 0 then) and where it is not kept.
CREATE TABLE form_answers (
    form           BYTEA  NOT NULL PRIMARY KEY,
    answer         BYTEA  NOT NULL,
    repeated_until BIGINT NOT NULL,
    expires_at     BIGINT NOT NULL
);
CREATE INDEX form_answers_by_end ON form_answers (expires_at);

-- The customers that developers have added to a sandbox by the portal, and the client of each.
CREATE TABLE portal_customers (
    psu_id    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    client_id TEXT COLLATE "C" NOT NULL
);
CREATE INDEX portal_customers_by_client ON portal_customers (client_id);
