-- Submitted forms of pages, by a digest of the browser's secret, the form's token and what was submitted, with their sealed answers for
-- some seconds. The answer is empty while the form is being answered (repeated_until is 0 then) and where it is not kept.
CREATE TABLE form_answers (
    form           BLOB    NOT NULL PRIMARY KEY,
    answer         BLOB    NOT NULL,
    repeated_until INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX form_answers_by_end ON form_answers (expires_at);

-- The customers that developers have added to a sandbox by the portal, and the client of each.
CREATE TABLE portal_customers (
    psu_id    TEXT NOT NULL PRIMARY KEY,
    client_id TEXT NOT NULL
) STRICT;
CREATE INDEX portal_customers_by_client ON portal_customers (client_id);
