-- The latest booking of an account is asked for whenever something is booked on it. Thousands of pending entries that are
-- expected later, as files of payments bring them, need not be passed over for it. Every number is at least 0: the condition
-- keeps the index out of the way of queries that do not name it.
CREATE INDEX entries_booked_by_time ON entries (account_id, booked_at) WHERE status = 'booked' AND seq >= 0;
