-- The registration that a client asked for and that waits for the approval of an operator, as JSON.
ALTER TABLE operator_changes ADD COLUMN pending_registration TEXT;
