INSERT INTO attempts (subject, made_at, expires_at) VALUES ($1, '[]', 0) ON CONFLICT (subject) DO NOTHING
SELECT made_at FROM attempts WHERE subject = $1
UPDATE attempts SET made_at = $1, expires_at = $2 WHERE subject = $3
SELECT COUNT(*), MIN(expires_at) FROM address_attempts WHERE address = $1 AND user_name <> $2 AND expires_at > $3
INSERT INTO address_attempts (address, user_name, expires_at) VALUES ($1, $2, $3) ON CONFLICT (address, user_name) DO UPDATE SET expires_at = excluded.expires_at
UPDATE attempts SET made_at = '[]', expires_at = 0 WHERE subject IN ($1, $2) OR subject IN (SELECT address FROM address_attempts WHERE user_name = $1)
DELETE FROM address_attempts WHERE user_name = $1
DELETE FROM address_attempts WHERE address = $1 AND user_name = $2
INSERT INTO backchannel_requests (hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, notification, provider_login, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
SELECT hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, notification, provider_login, created_at, expires_at FROM backchannel_requests WHERE hash = $1
SELECT hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, notification, provider_login, created_at, expires_at FROM backchannel_requests WHERE hash = $1
SELECT hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, notification, provider_login, created_at, expires_at FROM backchannel_requests WHERE id = $1
SELECT hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, notification, provider_login, created_at, expires_at FROM backchannel_requests WHERE consent_id = $1 AND state = 'pending' AND expires_at > $2 LIMIT 1
SELECT COUNT(*), COUNT(CASE WHEN psu_id = $1 THEN 1 END) FROM backchannel_requests WHERE client_id = $2 AND state = 'pending' AND expires_at > $3
SELECT hash, id, client_id, consent_id, psu_id, state, request, binding_message, grant_id, interval_secs, next_poll_at, notification, provider_login, created_at, expires_at FROM backchannel_requests WHERE psu_id = $1 AND state = 'pending' AND expires_at > $2 ORDER BY created_at DESC, id DESC LIMIT $3
UPDATE backchannel_requests SET psu_id = $1, state = $2, grant_id = $3, interval_secs = $4, next_poll_at = $5, expires_at = $6, provider_login = $7 WHERE hash = $8
INSERT INTO clients (status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
UPDATE clients SET status = $1, org_id = $2, org_name = $3, software_id = $4, software_name = $5, on_behalf_of = $6, roles = $7, redirect_uris = $8, tls_subject_dn = $9, jwks = $10, jwks_url = $11, jwks_revoked_url = $12, software_statement = $13, headless_psu_id = $14, backchannel = $15, registration = $16, profile = $17, signed_messages = $18, epoch = $19 WHERE id = $20 AND epoch < $19
SELECT id, status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, created_at FROM clients WHERE id = $1
SELECT id, status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, created_at FROM clients ORDER BY id
SELECT id FROM clients ORDER BY id
SELECT status FROM clients WHERE id = $1
SELECT id, status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, created_at FROM clients WHERE id = $1 OR software_id = $1 OR software_name = $1 OR org_name = $1 ORDER BY id LIMIT $2
SELECT id, status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, created_at FROM clients WHERE org_id = $1 AND status = 'active' ORDER BY id LIMIT $2
SELECT id, status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, created_at FROM clients WHERE software_id = $1 AND status = 'active' ORDER BY id LIMIT $2
INSERT INTO registered_software (software_id) VALUES ($1) ON CONFLICT (software_id) DO UPDATE SET software_id = excluded.software_id
SELECT COUNT(CASE WHEN status <> $1 THEN 1 END), COUNT(CASE WHEN created_at > $2 THEN 1 END) FROM clients WHERE software_id = $3 AND (directory IS NULL OR directory = $4)
UPDATE clients SET directory = $1 WHERE id = $2
SELECT id, id, status, org_id, org_name, software_id, software_name, on_behalf_of, roles, redirect_uris, tls_subject_dn, jwks, jwks_url, jwks_revoked_url, software_statement, headless_psu_id, backchannel, registration, profile, signed_messages, epoch, created_at FROM clients WHERE id > $1 ORDER BY id LIMIT $2
SELECT id FROM consents WHERE psu_id = $1 AND deleted_at IS NULL AND state = 'authorised' AND (expires_at IS NULL OR expires_at > $2) AND kind IN ('account-access', 'funds-confirmation', 'domestic-vrp-consents') ORDER BY created_at DESC, id DESC LIMIT $3
SELECT used_at FROM consent_uses WHERE consent_id = $1
INSERT INTO consent_uses (consent_id, used_at) VALUES ($1, $2) ON CONFLICT (consent_id) DO UPDATE SET used_at = excluded.used_at WHERE consent_uses.used_at < excluded.used_at
INSERT INTO consents (id, client_id, version, submitted, terms, created_at, expires_at, state, state_changed_at, authorised_at, psu_id, deleted_at, epoch, status_reason, authenticated_at, authentication_factors, core_state, kind) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
SELECT id, client_id, version, submitted, terms, created_at, expires_at, state, state_changed_at, authorised_at, psu_id, deleted_at, epoch, status_reason, authenticated_at, authentication_factors, core_state FROM consents WHERE id = $1
SELECT id, client_id, version, submitted, terms, created_at, expires_at, state, state_changed_at, authorised_at, psu_id, deleted_at, epoch, status_reason, authenticated_at, authentication_factors, core_state FROM consents WHERE id = $1
SELECT id, client_id, version, submitted, terms, created_at, expires_at, state, state_changed_at, authorised_at, psu_id, deleted_at, epoch, status_reason, authenticated_at, authentication_factors, core_state FROM consents WHERE client_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1
SELECT created_at, id FROM consents WHERE client_id = $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT $4
SELECT created_at, id FROM consents WHERE client_id = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4
SELECT consent_id FROM consent_accounts WHERE bank_account_id = $1 AND consent_id > $2 AND EXISTS (SELECT 1 FROM consents WHERE id = consent_id AND state = $3 AND deleted_at IS NULL) ORDER BY consent_id LIMIT $4
SELECT id FROM consents WHERE state IN ('awaiting-upload', 'awaiting-authorisation') AND kind IN ('domestic-payment-consent', 'domestic-scheduled-payment-consent', 'domestic-standing-order-consent', 'international-payment-consent', 'international-scheduled-payment-consent', 'international-standing-order-consent', 'file-payment-consent', 'domestic-vrp-consents') AND deleted_at IS NULL AND created_at <= $1 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'undecided-consent' AND quarantined_work.subject IN (consents.id)) ORDER BY created_at, id LIMIT $2
SELECT COUNT(*) FROM (SELECT 1 FROM consents WHERE client_id = $1 AND created_at > $2 AND state IN ('awaiting-upload', 'awaiting-authorisation') AND deleted_at IS NULL LIMIT $3) AS undecided
UPDATE consents SET state = $1, state_changed_at = $2, authorised_at = $3, expires_at = $4, psu_id = $5, deleted_at = $6, epoch = $7, terms = $8, status_reason = $9, authenticated_at = $10, authentication_factors = $11 WHERE id = $12 AND epoch < $7
UPDATE consents SET state = $1, state_changed_at = $2, authorised_at = $3, expires_at = $4, psu_id = $5, deleted_at = $6, epoch = $7, terms = $8, status_reason = $9, authenticated_at = $10, authentication_factors = $11 WHERE id = $12 AND epoch < $7
UPDATE consents SET core_state = $1, epoch = epoch + 1 WHERE id = $2 AND core_state IS DISTINCT FROM $1
UPDATE consents SET expiry_raised_for = $1 WHERE id = $2 AND expiry_raised_for IS DISTINCT FROM $1
UPDATE consents SET version = $1, submitted = $2, terms = $3, epoch = $4 WHERE id = $5 AND epoch < $4
SELECT id FROM consents WHERE kind = 'domestic-vrp-consents' AND version = $1 AND deleted_at IS NULL AND id > $2 AND ($3 = '' OR client_id = $3) ORDER BY id LIMIT $4
SELECT COUNT(*) FROM consents WHERE kind = 'domestic-vrp-consents' AND version = $1 AND deleted_at IS NULL AND ($2 = '' OR client_id = $2)
SELECT bank_account_id, alias, core_state FROM consent_accounts WHERE consent_id = $1 ORDER BY position
DELETE FROM consent_accounts WHERE consent_id = $1
INSERT INTO consent_accounts (consent_id, bank_account_id, alias, position, core_state) VALUES ($1, $2, $3, $4, $5)
SELECT alias FROM account_aliases WHERE client_id = $1 AND bank_account_id = $2
INSERT INTO account_aliases (client_id, bank_account_id, alias) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
SELECT client_id, bank_account_id FROM account_aliases WHERE alias = $1
INSERT INTO decision_evidence (grant_id, consent_id, psu_id, decided_at, payee, warnings) VALUES ($1, $2, $3, $4, $5, $6)
SELECT psu_id, decided_at, payee, warnings FROM decision_evidence WHERE consent_id = $1 ORDER BY decided_at DESC, grant_id DESC LIMIT $2
SELECT number, id, client_id, cause, occurred_at, recorded_at, claims, scope, parked_at, deliveries, reports, err, description FROM events WHERE client_id = $1 AND parked_at IS NULL AND number < $2 ORDER BY number DESC LIMIT $3
SELECT number, id, client_id, cause, occurred_at, recorded_at, claims, scope, parked_at, deliveries, reports, err, description FROM events WHERE client_id = $1 AND parked_at IS NOT NULL AND number < $2 ORDER BY number DESC LIMIT $3
SELECT number, id, client_id, cause, occurred_at, recorded_at, claims, scope, parked_at, deliveries, reports, err, description FROM events WHERE client_id = $1 AND id = $2
SELECT id, ended_at FROM (SELECT id, client_id, ended_at, number FROM event_tombstones ORDER BY number DESC LIMIT $1) AS latest WHERE client_id = $2 ORDER BY number DESC LIMIT $3
SELECT id, client_id, recorded_at, parked_at, deliveries, reports, err, description, claims FROM events WHERE parked_at IS NOT NULL ORDER BY parked_at, id LIMIT $1
SELECT id, client_id, recorded_at, parked_at, deliveries, reports, err, description, claims FROM events WHERE reports > 0 AND parked_at IS NULL ORDER BY number LIMIT $1
SELECT COUNT(*) FROM events WHERE parked_at IS NOT NULL
UPDATE events SET parked_at = NULL, deliveries = 0, reports = 0, err = NULL, description = NULL, key_id = NULL, typ = NULL, signature = NULL WHERE id = $1 AND parked_at IS NOT NULL RETURNING client_id
WITH RECURSIVE queues (client_id) AS ( SELECT MIN(client_id) FROM events WHERE parked_at IS NULL UNION ALL SELECT (SELECT MIN(events.client_id) FROM events WHERE events.parked_at IS NULL AND events.client_id > queues.client_id) FROM queues WHERE queues.client_id IS NOT NULL) SELECT queues.client_id, (SELECT COUNT(*) FROM (SELECT events.client_id FROM events WHERE events.client_id = queues.client_id AND events.parked_at IS NULL LIMIT $1) AS counted), (SELECT events.recorded_at FROM events WHERE events.client_id = queues.client_id AND events.parked_at IS NULL ORDER BY events.number LIMIT 1) FROM queues WHERE queues.client_id IS NOT NULL LIMIT $2
SELECT recorded_at FROM events WHERE parked_at IS NULL ORDER BY number LIMIT 1
DELETE FROM events WHERE recorded_at < $1 AND number IN (SELECT number FROM events ORDER BY number LIMIT $2)
DELETE FROM event_tombstones WHERE ended_at < $1 AND number IN (SELECT number FROM event_tombstones ORDER BY number LIMIT $2)
SELECT COUNT(*) FROM (SELECT deliveries FROM events WHERE client_id = $1 AND parked_at IS NULL LIMIT $2) AS it
DELETE FROM events WHERE number IN (SELECT number FROM events WHERE client_id = $1 AND parked_at IS NULL ORDER BY number LIMIT $2)
SELECT id FROM clients WHERE status = 'deleted' AND EXISTS (SELECT 1 FROM events WHERE events.client_id = clients.id AND events.parked_at IS NULL) ORDER BY id LIMIT $1
DELETE FROM events WHERE number IN (SELECT number FROM events WHERE parked_at IS NOT NULL AND client_id IN (SELECT id FROM clients WHERE status = 'deleted') LIMIT $1)
INSERT INTO events (id, client_id, scope, cause, occurred_at, recorded_at, claims, deliveries, reports) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0)
SELECT id, reports, key_id, typ, signature, client_id, cause, occurred_at, recorded_at, claims, scope FROM events WHERE client_id = $1 AND parked_at IS NULL ORDER BY reports, deliveries, number LIMIT $2
SELECT id, reports, key_id, typ, signature, client_id, cause, occurred_at, recorded_at, claims, scope FROM events WHERE client_id = $1 AND parked_at IS NULL AND scope IN (SELECT value FROM json_each($2)) ORDER BY reports, deliveries, number LIMIT $3
DELETE FROM events WHERE client_id = $1 AND id IN (SELECT value FROM json_each($2)) RETURNING id
INSERT INTO event_tombstones (client_id, ended_at, id) SELECT $1, $2, value FROM json_each($3) WHERE true ON CONFLICT (id) DO NOTHING
SELECT id, reports, parked_at FROM events WHERE client_id = $1 AND id IN (SELECT value FROM json_each($2))
UPDATE events SET reports = $1, parked_at = $2, err = $3, description = $4, key_id = NULL, typ = NULL, signature = NULL WHERE id = $5
UPDATE events SET deliveries = deliveries + $1 WHERE id = $2
UPDATE events SET key_id = $1, typ = $2, signature = $3 WHERE id = $4 AND reports = $5
UPDATE events SET parked_at = $1 WHERE id = $2 AND parked_at IS NULL AND deliveries >= $3
SELECT id, client_id, CAST(0 AS BIGINT) FROM events WHERE id IN (SELECT value FROM json_each($1)) UNION ALL SELECT id, client_id, CAST(1 AS BIGINT) FROM event_tombstones WHERE id IN (SELECT value FROM json_each($1))
INSERT INTO file_lines (upload_id, number, line) VALUES ($1, $2, $3)
SELECT upload_id, number, line FROM file_lines WHERE upload_id = $1 AND number > $2 ORDER BY number LIMIT $3
INSERT INTO form_answers (form, answer, repeated_until, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT (form) DO UPDATE SET answer = excluded.answer, repeated_until = excluded.repeated_until, expires_at = excluded.expires_at WHERE form_answers.expires_at <= $5
DELETE FROM form_answers WHERE form IN (SELECT form FROM form_answers WHERE expires_at < $1 LIMIT 4)
SELECT answer, repeated_until FROM form_answers WHERE form = $1 AND expires_at > $2
UPDATE form_answers SET answer = $1, repeated_until = $2, expires_at = $3 WHERE form = $4
DELETE FROM form_answers WHERE form = $1
INSERT INTO funds_confirmations (id, consent_id, reference, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (consent_id, reference) DO NOTHING
INSERT INTO funds_questions (consent_id, asked_on, asked) VALUES ($1, $2, 1) ON CONFLICT (consent_id, asked_on) DO UPDATE SET asked = funds_questions.asked + 1 WHERE funds_questions.asked < $3
DELETE FROM funds_questions WHERE (consent_id, asked_on) IN (SELECT consent_id, asked_on FROM funds_questions WHERE asked_on < $1 LIMIT $2)
INSERT INTO grants (id, client_id, psu_id, consent_id, scopes, auth_time, acr, nonce, created_at, revoked_at, epoch) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
SELECT id, client_id, psu_id, consent_id, scopes, auth_time, acr, nonce, created_at, revoked_at, epoch FROM grants WHERE id = $1
UPDATE grants SET revoked_at = $1, epoch = epoch + 1 WHERE id = $2 AND revoked_at IS NULL
SELECT id FROM grants WHERE consent_id = $1 AND id <> $2 AND created_at <= $3 AND revoked_at IS NULL ORDER BY id
UPDATE tokens SET revoked_at = $1 WHERE grant_id = $2 AND revoked_at IS NULL
UPDATE codes SET redeemed_at = $1 WHERE grant_id = $2 AND redeemed_at IS NULL
INSERT INTO codes (hash, client_id, redirect_uri, grant_id, code_challenge, expires_at, redeemed_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
SELECT grant_id, client_id, redirect_uri, code_challenge, expires_at, redeemed_at FROM codes WHERE hash = $1
SELECT grant_id, client_id, redirect_uri, code_challenge, expires_at, redeemed_at FROM codes WHERE hash = $1
UPDATE codes SET redeemed_at = $1 WHERE hash = $2 AND redeemed_at IS NULL
SELECT grants.id, clients.epoch, grants.epoch, COALESCE(consents.epoch, 0) FROM grants JOIN clients ON clients.id = grants.client_id LEFT JOIN consents ON consents.id = grants.consent_id WHERE grants.id = $1
INSERT INTO idempotency_keys (client_id, operation, key, body, resource, first_used_at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id, operation, key) DO UPDATE SET body = excluded.body, resource = excluded.resource, first_used_at = excluded.first_used_at WHERE idempotency_keys.first_used_at <= $7 RETURNING key
SELECT resource, body FROM idempotency_keys WHERE client_id = $1 AND operation = $2 AND key = $3 AND first_used_at > $4
DELETE FROM idempotency_keys WHERE first_used_at < $1 AND (client_id, operation, key) IN (SELECT client_id, operation, key FROM idempotency_keys WHERE first_used_at < $1 LIMIT $2)
INSERT INTO interactions (id, client_id, consent_id, request, stage, browser, psu_id, auth_time, form_token, failures, expires_at, psu_name, factors) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
SELECT id, client_id, consent_id, request, stage, browser, psu_id, auth_time, form_token, failures, expires_at, psu_name, factors FROM interactions WHERE id = $1
SELECT id, client_id, consent_id, request, stage, browser, psu_id, auth_time, form_token, failures, expires_at, psu_name, factors FROM interactions WHERE id = $1
SELECT id, client_id, consent_id, request, stage, browser, psu_id, auth_time, form_token, failures, expires_at, psu_name, factors FROM interactions WHERE consent_id = $1 AND stage <> $2 AND expires_at > $3 LIMIT 1
UPDATE interactions SET request = $1, stage = $2, browser = $3, psu_id = $4, auth_time = $5, form_token = $6, failures = $7, expires_at = $8, psu_name = $9, factors = $10 WHERE id = $11
UPDATE interactions SET stage = $1 WHERE consent_id = $2 AND id <> $3 AND stage <> $1
DELETE FROM interactions WHERE consent_id = $1 AND stage = $2 AND psu_id IS NULL
INSERT INTO provider_logins (state, subject, browser, request, expires_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (subject) DO UPDATE SET state = excluded.state, browser = excluded.browser, request = excluded.request, expires_at = excluded.expires_at
SELECT subject, browser, request, expires_at FROM provider_logins WHERE state = $1
DELETE FROM provider_logins WHERE state = $1
INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts) VALUES ($1, $2, $3, $4, 0, $5)
UPDATE jobs SET lease_until = $1, attempts = attempts + 1 WHERE id IN (SELECT id FROM jobs WHERE jobs.kind = $2 AND due_at <= $3 AND lease_until <= $3 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'job' AND quarantined_work.subject IN (jobs.id)) ORDER BY due_at, id LIMIT $4) RETURNING id, kind, subject, due_at, attempts
UPDATE jobs SET lease_until = $1, attempts = attempts + 1 WHERE id IN (SELECT id FROM jobs WHERE jobs.kind = $2 AND due_at <= $3 AND lease_until <= $3 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'job' AND quarantined_work.subject IN (jobs.id)) AND id IN (SELECT ranked.id FROM (SELECT jobs.id, ROW_NUMBER() OVER (PARTITION BY backchannel_requests.client_id ORDER BY due_at, jobs.id) AS place FROM jobs LEFT JOIN backchannel_requests ON backchannel_requests.id = jobs.subject WHERE jobs.kind = $2 AND due_at <= $3 AND lease_until <= $3 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'job' AND quarantined_work.subject IN (jobs.id))) AS ranked WHERE place <= $4) ORDER BY due_at, id LIMIT $5) RETURNING id, kind, subject, due_at, attempts
SELECT COALESCE(SUM(CASE WHEN due_at <= $1 THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN due_at > $1 AND attempts > 0 THEN 1 ELSE 0 END), 0) FROM jobs WHERE jobs.kind = $2 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'job' AND quarantined_work.subject IN (jobs.id))
SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each($1))
DELETE FROM jobs WHERE id = $1
DELETE FROM jobs WHERE id IN (SELECT value FROM json_each($1))
UPDATE jobs SET due_at = $1, lease_until = 0 WHERE id = $2
INSERT INTO signing_keys (id, origin, sealed, chain, published_at, active_from, retired_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
UPDATE signing_keys SET published_at = $1, active_from = $2, retired_at = $3 WHERE id = $4
UPDATE signing_keys SET chain = $1 WHERE id = $2
UPDATE signing_keys SET sealed = $1 WHERE id = $2 AND sealed = $3
SELECT id, origin, sealed, chain, published_at, active_from, retired_at FROM signing_keys ORDER BY published_at, id
DELETE FROM signing_keys WHERE id = $1
SELECT document, fetched_at FROM key_sets WHERE url = $1 AND revoked_url = $2
INSERT INTO key_sets (url, revoked_url, document, fetched_at) VALUES ($1, $2, $3, $4) ON CONFLICT (url, revoked_url) DO UPDATE SET document = excluded.document, fetched_at = excluded.fetched_at WHERE key_sets.fetched_at < excluded.fetched_at
SELECT status_changed_at, status_reason, roles_changed_at, redirect_uris_changed_at, pending_registration FROM operator_changes WHERE client_id = $1
INSERT INTO operator_changes (client_id, status_changed_at, status_reason, roles_changed_at, redirect_uris_changed_at, pending_registration) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (client_id) DO UPDATE SET status_changed_at = excluded.status_changed_at, status_reason = excluded.status_reason, roles_changed_at = excluded.roles_changed_at, redirect_uris_changed_at = excluded.redirect_uris_changed_at, pending_registration = excluded.pending_registration
INSERT INTO order_payments (order_id, number, due_on, paid_on, minor, currency, status, since, detail, heard) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (order_id, number) DO UPDATE SET due_on = excluded.due_on, paid_on = excluded.paid_on, minor = excluded.minor, currency = excluded.currency, status = excluded.status, since = excluded.since, detail = excluded.detail, heard = excluded.heard
INSERT INTO order_payments (order_id, number, due_on, paid_on, minor, currency, status, since, detail, heard) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (order_id, number) DO NOTHING
SELECT order_id, number, due_on, paid_on, minor, currency, status, since, detail, heard FROM order_payments WHERE order_id = $1 AND number = $2
SELECT order_id, number, due_on, paid_on, minor, currency, status, since, detail, heard FROM order_payments WHERE order_id = $1 AND number > $2 ORDER BY number LIMIT $3
INSERT INTO orders (id, client_id, consent_id, product, version, instruction, debtor_id, psu_id, created_at, steps, approval, approvals, approve_by, conditions, reason, customer_address, submitted, progress, cause, core_state, used_up, unsettled, due_at, heard) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, 0)
SELECT orders.id, orders.client_id, orders.consent_id, orders.product, orders.version, orders.instruction, orders.debtor_id, orders.psu_id, orders.created_at, orders.steps, orders.approval, orders.approvals, orders.approve_by, orders.conditions, orders.reason, orders.customer_address, orders.submitted, orders.progress, orders.cause, orders.core_state, clients.id, clients.org_id, CASE WHEN consents.id IS NOT NULL THEN COALESCE((SELECT json_group_array(json_array(bank_account_id, alias, core_state) ORDER BY position) FROM consent_accounts WHERE consent_id = consents.id), '[]') END, consents.id, consents.client_id, consents.version, consents.submitted, consents.terms, consents.created_at, consents.expires_at, consents.state, consents.state_changed_at, consents.authorised_at, consents.psu_id, consents.deleted_at, consents.epoch, consents.status_reason, consents.authenticated_at, consents.authentication_factors, consents.core_state FROM orders JOIN consents ON consents.id = orders.consent_id LEFT JOIN clients ON clients.id = orders.client_id WHERE orders.id IN (SELECT value FROM json_each($1))
SELECT id, client_id, consent_id, product, version, instruction, debtor_id, psu_id, created_at, steps, approval, approvals, approve_by, conditions, reason, customer_address, submitted, progress, cause, core_state FROM orders WHERE id = $1
SELECT id, client_id, consent_id, product, version, instruction, debtor_id, psu_id, created_at, steps, approval, approvals, approve_by, conditions, reason, customer_address, submitted, progress, cause, core_state FROM orders WHERE id = $1
SELECT id, client_id, consent_id, product, version, instruction, debtor_id, psu_id, created_at, steps, approval, approvals, approve_by, conditions, reason, customer_address, submitted, progress, cause, core_state FROM orders WHERE id IN (SELECT value FROM json_each($1)) ORDER BY id
UPDATE orders SET steps = $1, approval = $2, approvals = $3, approve_by = $4, conditions = $5, reason = $6, progress = $7, unsettled = $8, due_at = $9 WHERE id = $10
UPDATE orders SET core_state = $1 WHERE id = $2
SELECT heard FROM orders WHERE id = $1
UPDATE orders SET heard = $1 WHERE id = $2 AND heard < $1
SELECT id FROM orders WHERE used_up = $1
SELECT id FROM orders INDEXED BY orders_of_reused_consents WHERE consent_id = $1 AND used_up IS NULL ORDER BY created_at DESC, id DESC LIMIT $2
SELECT id FROM orders WHERE psu_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2
SELECT id, client_id, consent_id, product, version, instruction, debtor_id, psu_id, created_at, steps, approval, approvals, approve_by, conditions, reason, customer_address, submitted, progress, cause, core_state FROM orders WHERE debtor_id = $1 AND approval = 'awaiting' ORDER BY created_at, id LIMIT $2
SELECT id FROM orders WHERE approval = 'awaiting' AND approve_by <= $1 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'lapsed-order' AND quarantined_work.subject IN (orders.id)) ORDER BY approve_by, id LIMIT $2
INSERT INTO uploads (id, begun_at, kept, client_id, consent_id, bytes, used) VALUES ($1, $2, 0, $3, $4, $5, 0)
INSERT INTO upload_senders (client_id) VALUES ($1) ON CONFLICT (client_id) DO NOTHING
SELECT client_id FROM upload_senders WHERE client_id = $1
SELECT COUNT(*), CAST(COALESCE(SUM(uploads.bytes), 0) AS BIGINT) FROM uploads LEFT JOIN consents ON consents.id = uploads.consent_id WHERE uploads.client_id = $1 AND uploads.used = 0 AND (uploads.kept = 0 OR consents.state NOT IN ('authorised', 'consumed'))
SELECT uploads.id, uploads.consent_id FROM uploads JOIN consents ON consents.id = uploads.consent_id WHERE uploads.used = 0 AND uploads.kept = 1 AND uploads.id > $1 AND consents.state <> 'consumed' AND ( (consents.state IN ('rejected', 'revoked-by-psu', 'revoked-by-bank') AND consents.state_changed_at <= $2) OR consents.deleted_at <= $2 OR consents.expires_at <= $2) ORDER BY uploads.id LIMIT $3
UPDATE uploads SET used = 1 WHERE id IN (SELECT uploads.id FROM uploads JOIN consents ON consents.id = uploads.consent_id WHERE uploads.used = 0 AND uploads.kept = 1 AND consents.state = 'consumed' LIMIT $1)
SELECT kept FROM uploads WHERE id = $1
SELECT kept FROM uploads WHERE id = $1
UPDATE uploads SET kept = 1, bytes = $1 WHERE id = $2 AND begun_at > 0
UPDATE uploads SET kept = 0, begun_at = 0 WHERE id = $1
UPDATE uploads SET bytes = $1 WHERE id = $2
SELECT id FROM uploads WHERE kept = 0 AND begun_at <= $1 AND NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = 'upload' AND quarantined_work.subject IN (uploads.id)) ORDER BY begun_at, id LIMIT $2
INSERT INTO upload_pieces (upload_id, piece, bytes) VALUES ($1, $2, $3)
SELECT bytes FROM upload_pieces WHERE upload_id = $1 AND piece = $2
DELETE FROM upload_pieces WHERE upload_id = $1 AND piece IN (SELECT piece FROM upload_pieces WHERE upload_id = $1 LIMIT $2)
DELETE FROM file_lines WHERE upload_id = $1 AND number IN (SELECT number FROM file_lines WHERE upload_id = $1 LIMIT $2)
DELETE FROM uploads WHERE id = $1
INSERT INTO portal_links (secret, client_id, expires_at) VALUES ($1, $2, $3)
SELECT client_id, expires_at FROM portal_links WHERE secret = $1
DELETE FROM portal_links WHERE secret = $1
INSERT INTO portal_sessions (browser, client_id, form_token, idle_at, ends_at) VALUES ($1, $2, $3, $4, $5)
SELECT client_id, form_token, idle_at, ends_at FROM portal_sessions WHERE browser = $1
UPDATE portal_sessions SET idle_at = $1 WHERE browser = $2
DELETE FROM portal_sessions WHERE browser = $1
DELETE FROM portal_customers WHERE 0
SELECT count(*) FROM portal_customers WHERE client_id = $1
INSERT INTO portal_customers (psu_id, client_id) VALUES ($1, $2) ON CONFLICT (psu_id) DO NOTHING
DELETE FROM portal_customers WHERE psu_id = $1
DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE expires_at < $1 LIMIT $2) RETURNING grant_id
DELETE FROM tokens WHERE hash IN (SELECT hash FROM tokens WHERE revoked_at < $1 LIMIT $2) RETURNING grant_id
DELETE FROM codes WHERE hash IN (SELECT hash FROM codes WHERE expires_at < $1 LIMIT $2) RETURNING grant_id
DELETE FROM grants WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM tokens WHERE grant_id = $1) AND NOT EXISTS (SELECT 1 FROM codes WHERE grant_id = $1)
DELETE FROM replays WHERE (client_id, purpose, value) IN (SELECT client_id, purpose, value FROM replays WHERE expires_at < $1 LIMIT $2)
DELETE FROM pushed_requests WHERE hash IN (SELECT hash FROM pushed_requests WHERE expires_at < $1 LIMIT $2)
DELETE FROM attempts WHERE subject IN (SELECT subject FROM attempts WHERE expires_at < $1 LIMIT $2)
DELETE FROM address_attempts WHERE expires_at < $1 AND (address, user_name) IN (SELECT address, user_name FROM address_attempts WHERE expires_at < $1 LIMIT $2)
DELETE FROM sessions WHERE browser IN (SELECT browser FROM sessions WHERE ends_at < $1 LIMIT $2)
DELETE FROM provider_logins WHERE state IN (SELECT state FROM provider_logins WHERE expires_at < $1 LIMIT $2)
DELETE FROM portal_links WHERE secret IN (SELECT secret FROM portal_links WHERE expires_at < $1 LIMIT $2)
DELETE FROM portal_sessions WHERE browser IN (SELECT browser FROM portal_sessions WHERE ends_at < $1 LIMIT $2)
DELETE FROM form_answers WHERE form IN (SELECT form FROM form_answers WHERE expires_at < $1 LIMIT $2)
DELETE FROM backchannel_requests WHERE hash IN (SELECT hash FROM backchannel_requests WHERE expires_at < $1 LIMIT $2) RETURNING grant_id
DELETE FROM interactions WHERE id IN (SELECT id FROM interactions WHERE expires_at < $1 LIMIT $2)
INSERT INTO pushed_requests (hash, client_id, request, pushed_at, expires_at) VALUES ($1, $2, $3, $4, $5)
SELECT client_id, request, pushed_at, expires_at FROM pushed_requests WHERE hash = $1
INSERT INTO quarantined_work (kind, subject, cause, since) VALUES ($1, $2, $3, $4) ON CONFLICT (kind, subject) DO NOTHING
SELECT number, kind, subject, cause, since FROM quarantined_work WHERE number > $1 ORDER BY number LIMIT $2
SELECT kind, COUNT(*) FROM quarantined_work GROUP BY kind ORDER BY kind
DELETE FROM quarantined_work WHERE number = $1
DELETE FROM quarantined_work
INSERT INTO replays (client_id, purpose, value, expires_at) VALUES ($1, $2, $3, $4) ON CONFLICT (client_id, purpose, value) DO NOTHING
INSERT INTO replays (client_id, purpose, value, expires_at) VALUES ((SELECT id FROM clients WHERE id = $1 AND epoch = $2), $3, $4, $5)
SELECT value FROM replays WHERE client_id = $1 AND purpose = $2 AND value = $3
DELETE FROM settings WHERE 0
DELETE FROM order_payments
DELETE FROM orders
DELETE FROM file_lines
DELETE FROM upload_pieces
DELETE FROM uploads
DELETE FROM upload_senders
DELETE FROM vrp_usage
DELETE FROM funds_confirmations
DELETE FROM funds_questions
DELETE FROM decision_evidence
DELETE FROM consent_accounts
DELETE FROM consent_uses
DELETE FROM account_aliases
DELETE FROM backchannel_requests
DELETE FROM codes
DELETE FROM tokens
DELETE FROM grants
DELETE FROM interactions
DELETE FROM pushed_requests
DELETE FROM sessions
DELETE FROM provider_logins
DELETE FROM form_answers
DELETE FROM portal_customers
DELETE FROM attempts
DELETE FROM address_attempts
DELETE FROM consents
DELETE FROM idempotency_keys
DELETE FROM quarantined_work
DELETE FROM jobs
DELETE FROM events
DELETE FROM event_tombstones
UPDATE clients SET epoch = epoch + 1
INSERT INTO sessions (login, browser, psu_id, stage, form_token, idle_at, ends_at, psu_name) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
SELECT login, browser, psu_id, stage, form_token, idle_at, ends_at, psu_name FROM sessions WHERE browser = $1
SELECT login, browser, psu_id, stage, form_token, idle_at, ends_at, psu_name FROM sessions WHERE browser = $1
UPDATE sessions SET form_token = $1, idle_at = $2 WHERE browser = $3
DELETE FROM sessions WHERE browser = $1
SELECT value FROM settings WHERE name = $1
INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value
INSERT INTO tokens (hash, kind, grant_id, scopes, certificate, issued_at, expires_at, revoked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
SELECT tokens.grant_id, tokens.kind, tokens.scopes, tokens.certificate, tokens.issued_at, tokens.expires_at, tokens.revoked_at, grants.id, grants.client_id, grants.psu_id, grants.consent_id, grants.scopes, grants.auth_time, grants.acr, grants.nonce, grants.created_at, grants.revoked_at, grants.epoch, clients.epoch, grants.epoch, COALESCE(consents.epoch, 0) FROM tokens JOIN grants ON grants.id = tokens.grant_id JOIN clients ON clients.id = grants.client_id LEFT JOIN consents ON consents.id = grants.consent_id WHERE tokens.hash = $1
SELECT tokens.grant_id, tokens.kind, tokens.scopes, tokens.certificate, tokens.issued_at, tokens.expires_at, tokens.revoked_at, grants.id, grants.client_id, grants.psu_id, grants.consent_id, grants.scopes, grants.auth_time, grants.acr, grants.nonce, grants.created_at, grants.revoked_at, grants.epoch, clients.epoch, grants.epoch, COALESCE(consents.epoch, 0), clients.id, clients.status, clients.org_id, clients.org_name, clients.software_id, clients.software_name, clients.on_behalf_of, clients.roles, clients.redirect_uris, clients.tls_subject_dn, clients.jwks, clients.jwks_url, clients.jwks_revoked_url, clients.software_statement, clients.headless_psu_id, clients.backchannel, clients.registration, clients.profile, clients.signed_messages, clients.epoch, clients.created_at, CASE WHEN consents.id IS NOT NULL THEN COALESCE((SELECT json_group_array(json_array(bank_account_id, alias, core_state) ORDER BY position) FROM consent_accounts WHERE consent_id = consents.id), '[]') END, consents.id, consents.client_id, consents.version, consents.submitted, consents.terms, consents.created_at, consents.expires_at, consents.state, consents.state_changed_at, consents.authorised_at, consents.psu_id, consents.deleted_at, consents.epoch, consents.status_reason, consents.authenticated_at, consents.authentication_factors, consents.core_state FROM tokens JOIN grants ON grants.id = tokens.grant_id JOIN clients ON clients.id = grants.client_id LEFT JOIN consents ON consents.id = grants.consent_id WHERE tokens.hash = $1
UPDATE tokens SET revoked_at = $1 WHERE hash = $2 AND revoked_at IS NULL RETURNING grant_id
UPDATE grants SET epoch = epoch + 1 WHERE id = $1
SELECT consent_id, used_minor FROM vrp_usage WHERE consent_id = $1 AND cycle = $2 AND from_on = $3
INSERT INTO vrp_usage (used_minor, consent_id, cycle, from_on) VALUES ($1, $2, $3, $4) ON CONFLICT (consent_id, cycle, from_on) DO UPDATE SET used_minor = vrp_usage.used_minor + excluded.used_minor
UPDATE vrp_usage SET used_minor = used_minor - $1 WHERE consent_id = $2 AND cycle = $3 AND from_on = $4 AND used_minor >= $1
