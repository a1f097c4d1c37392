//! Corrupt rows of every kind that workers read. Either the rows cannot be read, or their work always fails. At the end, exactly their work
//! must be quarantined, and all other work must be done. Some rows are not quarantined: corrupt uploads are removed, and corrupt clients,
//! signing keys and events are left out.

use jiff::{SignedDuration, Timestamp};
use lombard_ports::store::WorkKind;
use std::collections::BTreeSet;

/// The number of corrupt rows of each kind. It is smaller than a worker's batch, which would be too many for every episode.
const EACH: usize = 2;

/// A time that no clock can show.
const NEVER: i64 = -9_000_000_000_000_000_000;

/// The id or id prefix of all planted rows.
const NAME: &str = "planted";

/// The due time of the row with this number: now or in the following days, depending on the seed.
fn due(seed: u64, number: usize, now: Timestamp) -> i64 {
    let days = i64::try_from(seed.wrapping_mul(7).wrapping_add(u64::try_from(number).unwrap_or(0)) % 20).unwrap_or(0);
    now.saturating_add(SignedDuration::from_hours(24 * days)).unwrap_or(now).as_microsecond()
}

/// The SQL that plants the server's rows.
pub(crate) fn server_statements(seed: u64, now: Timestamp) -> String {
    let mut all = format!(
        "INSERT INTO consents (id, client_id, kind, version, terms, submitted, created_at, state, state_changed_at, epoch)
         VALUES ('{NAME}', '{NAME}', 'domestic-payment-consent', 'v3.1', '{{', '{{}}', 0, 'consumed', 0, 0);
         INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts) VALUES ('{NAME}/lost', 'order', 'none', 0, 0, 0);
         INSERT INTO events (id, client_id, scope, cause, occurred_at, recorded_at, claims, deliveries, reports)
         VALUES ('{NAME}', 'acme', 'payments', 'x', 0, {NEVER}, '{{', 0, 0);
         INSERT INTO clients (id, status, org_id, org_name, software_id, software_name, roles, redirect_uris, jwks,
         software_statement, created_at, epoch) VALUES ('{NAME}', '?', 'x', 'x', 'x', 'x', 'nobody', '[', '', '', {NEVER}, 0);
         INSERT INTO signing_keys (id, sealed, chain, published_at, active_from) VALUES ('{NAME}', x'00', x'00', 0, 0);
         INSERT INTO quarantined_work (kind, subject, cause, since) VALUES ('gossip', '{NAME}', 'x', {NEVER});
        ",
    );
    for number in 0..EACH {
        let due = due(seed, number, now);
        let id = format!("{NAME}/{number}");
        all.push_str(&format!(
            "INSERT INTO orders (id, client_id, consent_id, product, version, debtor_id, psu_id, created_at, instruction,
             steps, conditions, heard, approval, approvals, approve_by)
             VALUES ('{NAME}-{number}', '{NAME}', '{NAME}', 'domestic-payment', 'v3.1', '{NAME}', '{NAME}', 0, '{{', '[]', '{{}}',
             0, 'awaiting', '{{', {due});
             INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts)
             VALUES ('{id}', 'order', '{NAME}-{number}', {NEVER}, 0, 0);
             INSERT INTO consents (id, client_id, kind, version, terms, submitted, created_at, state, state_changed_at, epoch)
             VALUES ('{id}', '{NAME}', 'domestic-payment-consent', 'v3.1', '{{', '{{}}', {due}, 'awaiting-authorisation', 0, 0);
             INSERT INTO uploads (id, begun_at, kept) VALUES ('{id}', {NEVER}, 0);
            "
        ));
    }
    all
}

/// The SQL that plants the bank's rows.
pub(crate) fn bank_statements(seed: u64, now: Timestamp) -> String {
    let mut all = format!(
        "INSERT INTO ledger_accounts (id, currency, booked, pending) VALUES ('{NAME}', 'GBP', 0, 0);
         INSERT INTO bank_accounts (id, currency, status, sub_type, eligible, credit_limit, holders, detail)
         VALUES ('{NAME}', 'GBP', 'enabled', 'current-account', 1, 0, '[]', '{{');
         INSERT INTO bank_quarantine (kind, subject, cause, since) VALUES ('gossip', '{NAME}', 'x', {NEVER});
        ",
    );
    for number in 0..EACH {
        let due = due(seed, number, now);
        let id = format!("{NAME}/{number}");
        all.push_str(&format!(
            "INSERT INTO arrangements (kind, account_id, id, due_at, detail) VALUES
             ('routine', '{NAME}', '{id}', {due}, '{{'), ('gossip', '{NAME}', '{id}', {due}, '{{}}'),
             ('routine', '{NAME}', '{id}/odd', {NEVER}, '{{}}'), ('standing-order', '{NAME}', '{id}', {due}, '[]');
             INSERT INTO entries (id, account_id, booked_at, seq, minor, currency, status, detail)
             VALUES ('{id}', '{NAME}', {due}, 0, -1, '?', 'pending', '{{');
             INSERT INTO bank_orders (id, debtor_id, due_at, told, plan) VALUES
             ('{id}/plan', '{NAME}', {due}, 0, '{{'), ('{id}/told', '{NAME}', {due}, -1, '{{}}'),
             ('{id}/odd', '{NAME}', {NEVER}, 0, '{{}}'), ('{id}/mute', '{NAME}', NULL, 1, '{{}}'),
             ('{NAME}-{number}', '{NAME}', NULL, 1, '{{}}');
             INSERT INTO bank_news (order_id, number, turn, happened_at, what) VALUES
             ('{id}/mute', 1, 0, 0, '\"gossip\"'), ('{NAME}-{number}', 1, 0, 0, '\"kept\"');
            "
        ));
    }
    all
}

/// The planted work that must be quarantined in the final state.
pub(crate) fn expected() -> BTreeSet<(WorkKind, String)> {
    use WorkKind as K;
    let mut all = BTreeSet::from([(K::Job, format!("{NAME}/lost"))]);
    for number in 0..EACH {
        let id = format!("{NAME}/{number}");
        let order = format!("{NAME}-{number}");
        for (list, id) in [
            ("routine", id.clone()),
            ("gossip", id.clone()),
            ("routine", format!("{id}/odd")),
            ("standing-order", id.clone()),
        ] {
            all.insert((K::Arrangement, format!("{list}/{NAME}/{id}")));
        }
        for part in ["plan", "told", "odd"] {
            all.insert((K::BankOrder, format!("{id}/{part}")));
        }
        all.extend([
            (K::PendingEntry, id.clone()),
            (K::StatusUpdate, format!("{id}/mute")),
            (K::StatusUpdate, order.clone()),
            (K::LapsedOrder, order),
            (K::Job, id.clone()),
            (K::UndecidedConsent, id),
        ]);
    }
    all
}
