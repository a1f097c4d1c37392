//! The placement of payment orders.

use super::parts::{claim_from, clock_as_known, clock_parameters, postgres_alone};
use crate::idempotency::claim_parameters;
use crate::jobs;
use crate::order_rows::{self, order_columns};
use lombard_database::statement::SqlStatement;
use lombard_database::value::{SqlValue, optional};
use lombard_domain::code::StoredCode;
use lombard_ports::store::OrderPlacement;

/// The consent is locked first, as in every transaction that places an order, and cannot change afterwards. Therefore all parts
/// after the claim of the key succeed once the key is claimed.
///
/// `heard` is the number of the last applied status update, 0 for a new order. `used_up` and `unsettled` are computed by
/// `order_rows::insert_parameters`.
pub(super) static PLACE: SqlStatement = postgres_alone(
    "orders",
    concat!(
        "WITH held AS (\
           SELECT id FROM consents WHERE id = $10::text AND epoch = $11::bigint AND ",
        clock_as_known!("$8", "$9"),
        " FOR UPDATE), ",
        claim_from!("FROM held"),
        ", consumed AS (\
           UPDATE consents SET state = $12::text, state_changed_at = $13::bigint, status_reason = $14::text, epoch = $15::bigint \
           FROM claimed WHERE consents.id = $10::text), \
         placed AS (INSERT INTO orders (",
        order_columns!(""),
        ", used_up, unsettled, due_at, heard) \
           SELECT $16::text, $17::text, $18::text, $19::text, $20::text, $21::text, $22::text, $23::text, $24::bigint, $25::text, $26::text, \
             $27::text, $28::bigint, $29::text, $30::text, $31::text, $32::text, $33::text, $34::text, $35::text, $36::text, $37::text, $38::bigint, 0 \
           FROM claimed), \
         queued AS (INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts) \
           SELECT $39::text, $40::text, $41::text, $42::bigint, 0, $43::bigint FROM claimed) \
         SELECT resource FROM claimed"
    ),
);

/// The parameters of [`PLACE`].
pub(super) fn parameters<'a>(placement: &'a OrderPlacement<'a>) -> Vec<SqlValue<'a>> {
    let OrderPlacement { time, claim, consent_epoch, consumed, order, job } = placement;
    let consent = [
        (&consumed.id).into(),
        (*consent_epoch).into(),
        consumed.state.code().into(),
        consumed.state_changed_at.into(),
        optional(consumed.status_reason.map(|reason| reason.code())),
        consumed.epoch.into(),
    ];
    let parts = claim_parameters(claim).into_iter().chain(clock_parameters(time)).chain(consent);
    parts.chain(order_rows::insert_parameters(order)).chain(jobs::insert_parameters(job)).collect()
}
