-- Two people may change one entity at the same time: only the first is kept.
ALTER TABLE entity ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

-- What people are told of an access token.
ALTER TABLE access_token ADD COLUMN name TEXT;
-- The user of the back office who issued it.
ALTER TABLE access_token ADD COLUMN created_by TEXT;
-- From this instant on it opens nothing; null: nobody has said.
ALTER TABLE access_token ADD COLUMN ends_at INTEGER;
-- The beginning of the day, in UTC, on which it was last used.
ALTER TABLE access_token ADD COLUMN used_on INTEGER;
