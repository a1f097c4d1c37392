//! For every table, how a row is made corrupt: it cannot be read, or its work always fails.

/// An instant that no clock can show.
const NEVER: &str = "-9000000000000000000";

/// More than any worker looks at at once.
const MANY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) ";

/// What stands for the orders that were made to be broken, and for the end of this month in microseconds.
#[derive(Debug)]
pub(super) struct Victims {
    /// Its order at the bank cannot be read.
    pub(super) at_bank: String,
    /// It cannot be read itself when status updates come.
    pub(super) order: String,
    /// Its payment cannot be read when status updates come.
    pub(super) payment: String,
    /// Its consent has forgotten what was paid when it comes back.
    pub(super) recurring: String,
    /// When the periods under way end.
    pub(super) month_ends_micros: i64,
}

/// How rows of a table are broken; each statement changes at least one row.
pub(super) struct Broken {
    pub(super) table: &'static str,
    pub(super) statements: Vec<String>,
}

/// Why no row of a table can be broken for a worker.
pub(super) const SOUND: [(&str, &str); 29] = [
    ("account_changes", "the database checks its rows"),
    ("account_aliases", "no worker reads it"),
    ("address_attempts", "workers only remove from it, by time"),
    ("bank_account_holders", "no worker reads it"),
    ("bank_account_numbers", "it holds texts, and any text is an id"),
    ("bank_migrations", "it is read before there are workers"),
    ("bank_settings", "each row is a setting of the whole bank, and no work"),
    ("consent_accounts", "it holds texts, and any text is an id"),
    ("consent_uses", "workers only write it"),
    ("counters", "its rows count what is booked and what becomes of accounts, and are no work"),
    ("customer_holds", "workers only look for a row in it"),
    ("customers", "no worker reads it"),
    ("decision_evidence", "no worker reads it"),
    ("event_tombstones", "workers only remove from it, by number"),
    ("form_answers", "workers only remove from it, by time"),
    ("funds_confirmations", "no worker reads it"),
    ("funds_questions", "workers only remove from it, by day"),
    ("journals", "workers read its causes, and any text is a cause"),
    ("key_sets", "no worker reads it"),
    ("maintenance_notices", "a row that cannot be read is left out, and no work depends on it"),
    ("operator_changes", "no worker reads it"),
    ("order_plans", "the database checks its rows"),
    ("portal_customers", "no worker reads it"),
    ("registered_software", "no worker reads it"),
    ("schema_migrations", "it is read before there are workers"),
    ("settings", "each row is a setting of the whole bank, and no work"),
    ("upload_pieces", "bytes are bytes"),
    ("upload_senders", "no worker reads it"),
    ("grants", "workers only remove from it, when nothing stands on it"),
];

fn many(insert: &str) -> String {
    format!("{MANY}{insert}")
}

/// What breaks rows of every other table.
pub(super) fn broken(victims: &Victims) -> Vec<Broken> {
    let Victims { at_bank, order, payment, recurring, month_ends_micros } = victims;
    let deepak = "(SELECT MIN(bank_account_id) FROM bank_account_holders WHERE psu_id = 'deepak')";
    let esther = "(SELECT MIN(bank_account_id) FROM bank_account_holders WHERE psu_id = 'esther')";
    let bashir = "(SELECT MIN(bank_account_id) FROM bank_account_holders WHERE psu_id = 'bashir')";
    let order_columns = "client_id, consent_id, product, version, debtor_id, psu_id, created_at";
    let expired = |table: &str| {
        let oldest = format!("SELECT hash FROM {table} ORDER BY expires_at LIMIT 1");
        format!("UPDATE {table} SET expires_at = {NEVER} WHERE hash IN ({oldest})")
    };
    // Bytes are written differently on each engine; a token's hash is some.
    let with_bytes = |table: &str, columns: &str, values: &str| {
        format!("INSERT INTO {table} ({columns}) SELECT {values} FROM (SELECT hash FROM tokens LIMIT 1) AS bytes")
    };
    let of = |table, statements: Vec<String>| Broken { table, statements };
    vec![
        of(
            "arrangements",
            vec![
                many(&format!(
                    "INSERT INTO arrangements (kind, account_id, id, due_at, detail) \
                     SELECT 'routine', {deepak}, 'broken-' || i, i, '{{' FROM n"
                )),
                format!(
                    "INSERT INTO arrangements (kind, account_id, id, due_at, detail) \
                     VALUES ('gossip', {deepak}, 'broken', 1, '{{}}'), ('routine', {deepak}, 'broken', {NEVER}, '{{}}')"
                ),
            ],
        ),
        of("attempts", vec![with_bytes("attempts", "subject, made_at, expires_at", &format!("hash, '?', {NEVER}"))]),
        of(
            "bank_accounts",
            vec![
                format!("UPDATE bank_accounts SET detail = '{{' WHERE id = {esther}"),
                format!("UPDATE bank_accounts SET currency = '?' WHERE id = {deepak}"),
            ],
        ),
        of(
            "bank_news",
            vec![
                many(
                    "INSERT INTO bank_orders (id, debtor_id, due_at, told, plan) \
                     SELECT 'mute-' || i, 'x', NULL, 1, '{}' FROM n",
                ),
                many(
                    "INSERT INTO bank_news (order_id, number, turn, happened_at, what) \
                     SELECT 'mute-' || i, 1, i, 1, '\"gossip\"' FROM n",
                ),
            ],
        ),
        of(
            "bank_orders",
            vec![
                format!("UPDATE bank_orders SET plan = '{{' WHERE id = '{at_bank}'"),
                many(
                    "INSERT INTO bank_orders (id, debtor_id, due_at, told, plan) \
                     SELECT 'broken-' || i, 'x', i, -i, '{}' FROM n",
                ),
                format!(
                    "INSERT INTO bank_orders (id, debtor_id, due_at, told, plan) VALUES ('broken', 'x', {NEVER}, 0, '{{}}')"
                ),
            ],
        ),
        of(
            "clients",
            vec![
                "UPDATE clients SET roles = 'nobody' WHERE id = \
                 (SELECT MAX(id) FROM clients WHERE id NOT IN (SELECT client_id FROM consents))"
                    .to_owned(),
            ],
        ),
        of("codes", vec![expired("codes")]),
        of(
            "consents",
            vec![many(
                "INSERT INTO consents (id, client_id, kind, version, terms, submitted, created_at, state, \
                 state_changed_at, epoch) \
                 SELECT 'undecided-' || i, 'x', 'domestic-payment-consent', 'v3.1', '{', '{}', \
                 (SELECT MAX(created_at) FROM consents), 'awaiting-authorisation', \
                 (SELECT MAX(created_at) FROM consents), 0 FROM n",
            )],
        ),
        of(
            "entries",
            vec![many(&format!(
                "INSERT INTO entries (id, account_id, booked_at, seq, minor, currency, status, detail) \
                 SELECT 'broken-' || i, {deepak}, i, 0, -1, 'GBP', 'pending', '{{' FROM n"
            ))],
        ),
        of("events", vec!["UPDATE events SET claims = '{' WHERE number = (SELECT MIN(number) FROM events)".to_owned()]),
        of("file_lines", vec!["UPDATE file_lines SET number = number WHERE line = '{'".to_owned()]),
        of("idempotency_keys", vec![format!("UPDATE idempotency_keys SET first_used_at = {NEVER}")]),
        of(
            "interactions",
            vec![with_bytes(
                "interactions",
                "id, client_id, consent_id, request, stage, browser, form_token, failures, expires_at",
                &format!("'broken', 'x', 'x', '{{', '?', hash, hash, 0, {NEVER}"),
            )],
        ),
        of(
            "jobs",
            vec![many(&format!(
                "INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts) \
                 SELECT 'broken-' || i, 'order', 'nothing', {NEVER} + i, 0, 0 FROM n"
            ))],
        ),
        of(
            "ledger_accounts",
            vec![format!("UPDATE ledger_accounts SET currency = '?' WHERE id = {deepak} AND currency = 'GBP'")],
        ),
        of("order_payments", vec![format!("UPDATE order_payments SET status = '?' WHERE order_id = '{payment}'")]),
        of(
            "orders",
            vec![
                format!("UPDATE orders SET instruction = '{{' WHERE id = '{order}'"),
                many(&format!(
                    "INSERT INTO orders (id, {order_columns}, instruction, steps, conditions, approval, approvals, \
                     approve_by, heard) SELECT 'late-' || i, {order_columns}, '{{', '[]', '{{}}', 'awaiting', '{{', i, 0 \
                     FROM n, (SELECT {order_columns} FROM orders WHERE id = '{at_bank}') AS o"
                )),
            ],
        ),
        of(
            "postings",
            vec![
                "INSERT INTO postings (journal_id, line, account_id, currency, layer, minor) \
                 SELECT journal_id, 99, account_id, '?', 'pending', 0 FROM postings WHERE entry_id = \
                 (SELECT MIN(entries.id) FROM entries JOIN postings ON postings.entry_id = entries.id \
                  JOIN journals ON journals.id = postings.journal_id \
                  WHERE entries.status = 'pending' AND journals.cause NOT LIKE 'order/%')"
                    .to_owned(),
            ],
        ),
        of(
            "pushed_requests",
            vec![with_bytes(
                "pushed_requests",
                "hash, client_id, request, pushed_at, expires_at",
                &format!("hash, 'x', '{{', {NEVER}, {NEVER}"),
            )],
        ),
        of(
            "quarantined_work",
            vec![
                "INSERT INTO quarantined_work (kind, subject, cause, since) VALUES ('gossip', 'x', 'y', 0)".to_owned(),
                format!(
                    "INSERT INTO quarantined_work (kind, subject, cause, since) VALUES ('job', 'none', 'y', {NEVER})"
                ),
            ],
        ),
        of(
            "bank_quarantine",
            vec![
                "INSERT INTO bank_quarantine (kind, subject, cause, since) VALUES ('gossip', 'x', 'y', 0)".to_owned(),
                format!(
                    "INSERT INTO bank_quarantine (kind, subject, cause, since) VALUES ('job', 'none', 'y', {NEVER})"
                ),
            ],
        ),
        of("replays", vec![format!("UPDATE replays SET expires_at = {NEVER}")]),
        of(
            "provider_logins",
            vec![with_bytes(
                "provider_logins",
                "state, subject, browser, request, expires_at",
                &format!("hash, 'x', hash, '{{', {NEVER}"),
            )],
        ),
        of(
            "backchannel_requests",
            vec![format!(
                "INSERT INTO backchannel_requests (hash, id, client_id, consent_id, state, request, interval_secs, next_poll_at, \
                 created_at, expires_at) SELECT hash, 'x', client_id, consent_id, '?', '{{', 0, 0, 0, {NEVER} \
                 FROM (SELECT hash FROM tokens LIMIT 1) AS bytes, \
                 (SELECT client_id, id AS consent_id FROM consents LIMIT 1) AS known"
            )],
        ),
        of(
            "sessions",
            vec![with_bytes(
                "sessions",
                "browser, login, psu_id, stage, form_token, idle_at, ends_at",
                &format!("hash, 'x', 'x', '?', hash, 0, {NEVER}"),
            )],
        ),
        of(
            "portal_links",
            vec![with_bytes("portal_links", "secret, client_id, expires_at", &format!("hash, 'x', {NEVER}"))],
        ),
        of(
            "portal_sessions",
            vec![with_bytes(
                "portal_sessions",
                "browser, client_id, form_token, idle_at, ends_at",
                &format!("hash, 'x', hash, 0, {NEVER}"),
            )],
        ),
        of(
            "staff_sessions",
            vec![with_bytes(
                "staff_sessions",
                "browser, name, role, form_token, idle_at, ends_at",
                &format!("hash, 'x', '?', hash, 0, {NEVER}"),
            )],
        ),
        of(
            "signing_keys",
            vec![
                "INSERT INTO signing_keys (id, sealed, chain, published_at, active_from) \
                 SELECT 'broken-chain', sealed, sealed, published_at + 1, active_from FROM signing_keys"
                    .to_owned(),
                "INSERT INTO signing_keys (id, sealed, chain, published_at, active_from) \
                 SELECT 'broken-seal', sealed, chain, published_at + 2, active_from FROM signing_keys \
                 WHERE id <> 'broken-chain'"
                    .to_owned(),
            ],
        ),
        of(
            "statements",
            vec![format!(
                "INSERT INTO statements (id, account_id, kind, starts_at, ends_at, created_at, detail) \
                 VALUES ('broken', {bashir}, 'regular-periodic', 0, {month_ends_micros}, 0, '{{')"
            )],
        ),
        of("tokens", vec![expired("tokens")]),
        of(
            "uploads",
            vec![many(&format!(
                "INSERT INTO uploads (id, begun_at, kept) SELECT 'broken-' || i, {NEVER} + i, 0 FROM n"
            ))],
        ),
        of(
            "vrp_usage",
            vec![format!(
                "UPDATE vrp_usage SET used_minor = 0 WHERE consent_id = \
                 (SELECT consent_id FROM orders WHERE id = '{recurring}')"
            )],
        ),
    ]
}
