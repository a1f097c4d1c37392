//! The table of outcomes that testers have planned for the orders of consents.

use lombard_database::statement::{SqlText, both};
use lombard_database::value::{SqlRow, SqlValue};
use lombard_database::{SqlTransaction, statements};
use lombard_domain::code::StoredCode;
use lombard_domain::ids::ConsentId;
use lombard_ports::controls::{OrderPlan, PlannedOutcome};
use lombard_ports::store::StoreError;

statements! { "order_plans" =>
    PUT = both(
        "INSERT INTO order_plans (consent_id, outcome, wait_secs) VALUES ($1, $2, $3) \
         ON CONFLICT (consent_id) DO UPDATE SET outcome = excluded.outcome, wait_secs = excluded.wait_secs");
    REMOVE = both("DELETE FROM order_plans WHERE consent_id = $1");
    OF_CONSENTS = SqlText {
        sqlite: "SELECT consent_id, outcome, wait_secs FROM order_plans \
                 WHERE consent_id IN (SELECT value FROM json_each($1))",
        postgres: "SELECT consent_id, outcome, wait_secs FROM order_plans WHERE consent_id = ANY ($1)",
    };
}

pub(super) fn put(session: &mut SqlTransaction<'_>, consent: &ConsentId, plan: OrderPlan) -> Result<(), StoreError> {
    if plan == OrderPlan::USUAL {
        return session.execute_later(&REMOVE, &[consent.into()]);
    }
    session.execute_later(&PUT, &[consent.into(), plan.outcome.code().into(), i64::from(plan.wait_secs).into()])
}

pub(super) fn of_consents(
    session: &mut SqlTransaction<'_>,
    consents: &[&ConsentId],
) -> Result<Vec<(ConsentId, OrderPlan)>, StoreError> {
    let ids = consents.iter().map(|consent| consent.as_str()).collect();
    session.all(&OF_CONSENTS, &[SqlValue::List(ids)], read)
}

fn read(row: &mut SqlRow<'_>) -> Result<(ConsentId, OrderPlan), StoreError> {
    let consent = row.id()?;
    Ok((consent, OrderPlan { outcome: row.parsed(PlannedOutcome::decode)?, wait_secs: row.number()? }))
}
