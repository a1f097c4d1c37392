-- How customers authenticated: the factors of an authentication (a JSON array of codes), and the name that pages show.
ALTER TABLE consents ADD COLUMN authentication_factors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE interactions ADD COLUMN factors TEXT NOT NULL DEFAULT '[]';
ALTER TABLE interactions ADD COLUMN psu_name TEXT;
ALTER TABLE sessions ADD COLUMN psu_name TEXT;
