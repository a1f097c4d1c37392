//! The plan that a tester selects on the page of a payment: the outcome of the consent's orders, and its time.
//!
//! Without the controls of a sandbox, the page offers no selection, and the form fields have no effect.

use super::form::FormFields;
use super::tester_controls::TesterControls;
use lombard_auth::authorisation::journey::ApprovedConsent;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::ConsentKind;
use lombard_ops::sandbox::read_order_plan;
use lombard_ports::controls::{ControlError, OrderPlan, PLAN_WAIT_SECS_MAX, PlannedOutcome};
use serde_json::Value;

/// The values that a tester can select.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlanChoices {
    /// The value and title of each outcome.
    pub outcomes: Vec<(&'static str, &'static str)>,
    /// The longest delay in minutes.
    pub minutes_max: u32,
}

impl PlanChoices {
    /// All values that can be planned.
    pub(super) fn all() -> Self {
        let outcomes = PlannedOutcome::ALL.into_iter().map(|outcome| (outcome.code(), title(outcome))).collect();
        Self { outcomes, minutes_max: PLAN_WAIT_SECS_MAX / SECS_OF_MINUTE }
    }
}

const SECS_OF_MINUTE: u32 = 60;

/// The title of an outcome.
const fn title(outcome: PlannedOutcome) -> &'static str {
    match outcome {
        PlannedOutcome::Usual => "It goes its usual way",
        PlannedOutcome::RefusedByScheme => "The payment scheme refuses it",
        PlannedOutcome::SuspectedFraud => "The bank takes it for fraud and refuses it",
        PlannedOutcome::Held => "It stays pending until a tester decides",
        PlannedOutcome::CreditedLate => "The payee has the money a day late",
        PlannedOutcome::WithoutPosting => "The payee’s bank does not post it",
        PlannedOutcome::PayeeClosed => "The payee’s account is closed",
    }
}

/// The name of the form field for the outcome.
const OUTCOME: &str = "planned_outcome";

/// Stores the plan of a form for the orders of the consent that it approved. Without a selection, or for another kind of consent, nothing
/// is stored.
///
/// # Errors
/// [`ControlError`].
pub(super) async fn plan_orders(
    TesterControls(controls): &TesterControls,
    consent: &ApprovedConsent,
    fields: &FormFields,
) -> Result<(), ControlError> {
    let outcome = fields.first(OUTCOME);
    if outcome.is_empty() || !matches!(consent.kind, ConsentKind::Payment(_)) {
        return Ok(());
    }
    let plan = read_plan(outcome, fields.first("planned_minutes").trim())
        .map_err(|text| ControlError::Refused(text.into()))?;
    controls.order_plan(&consent.id, plan).await
}

fn read_plan(outcome: &str, minutes: &str) -> Result<OrderPlan, String> {
    let minutes = if minutes.is_empty() { Some(0) } else { minutes.parse::<u32>().ok() };
    // Too many minutes are reported in the same way as too many seconds.
    let secs = minutes.map(|minutes| minutes.saturating_mul(SECS_OF_MINUTE));
    let secs = secs.ok_or("minutes: a whole number")?;
    read_order_plan(&[("outcome", Value::from(outcome)), ("wait_secs", Value::from(secs))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_a_plan_of_whole_minutes() {
        let plan = |outcome, wait_secs| Ok(OrderPlan { outcome, wait_secs });
        assert_eq!(read_plan("usual", ""), Ok(OrderPlan::USUAL));
        assert_eq!(read_plan("held", "2"), plan(PlannedOutcome::Held, 120));
        assert_eq!(read_plan("usual", "10080"), plan(PlannedOutcome::Usual, PLAN_WAIT_SECS_MAX));
        for (outcome, minutes) in
            [("usual", "10081"), ("usual", "4294967295"), ("usual", "1.5"), ("usual", "-1"), ("win", "")]
        {
            assert!(read_plan(outcome, minutes).is_err(), "{outcome} {minutes}");
        }
    }
}
