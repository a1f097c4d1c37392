-- An event that was reported as unreadable comes after those that were reported less often. Source: EVT-042.
DROP INDEX events_by_turn;
CREATE INDEX events_by_turn ON events (client_id, reports, deliveries, number) WHERE parked_at IS NULL;
-- The oldest event of a queue: its age is a metric, and a full queue loses its oldest first. Source: EVT-086.
CREATE INDEX events_by_age ON events (client_id, number) WHERE parked_at IS NULL;
-- What operators are shown of the events that are still offered.
CREATE INDEX events_reported ON events (number) WHERE reports > 0 AND parked_at IS NULL;
