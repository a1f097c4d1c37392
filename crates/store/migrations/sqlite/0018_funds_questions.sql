-- How many questions about funds were asked under a consent on a day in London (wall clock).
CREATE TABLE funds_questions (
    consent_id TEXT    NOT NULL,
    asked_on   TEXT    NOT NULL,
    asked      INTEGER NOT NULL,
    PRIMARY KEY (consent_id, asked_on)
) STRICT, WITHOUT ROWID;
CREATE INDEX funds_questions_by_day ON funds_questions (asked_on);
