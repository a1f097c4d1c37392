-- The applications of an organisation, whose certificate logs in to the portal.
CREATE INDEX clients_by_organisation ON clients (org_id, id);
