-- How many questions about funds were asked under a consent on a day in London (wall clock).
CREATE TABLE funds_questions (
    consent_id TEXT COLLATE "C" NOT NULL,
    asked_on   TEXT COLLATE "C" NOT NULL,
    asked      BIGINT NOT NULL,
    PRIMARY KEY (consent_id, asked_on)
);
CREATE INDEX funds_questions_by_day ON funds_questions (asked_on);
