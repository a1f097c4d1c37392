//! Payments at the built-in bank. `submit_orders` only stores orders. The scheduler then accepts or rejects the order and
//! executes it. It processes one item at a time in the order of due time, so that no two orders use the same money concurrently.

mod arrangements;
mod earlier;
mod entries;
mod execution;
mod funds;
mod international;
mod money;
mod new_order;
mod outcome;
mod payee;
mod payee_confirmation;
mod payee_location;
mod payers;
mod pricing;
mod processor;
mod rail_timing;
mod rails;
mod reported_updates;
mod standing;
mod status_updates;
mod step_needs;
mod stored_text;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "the sums of tests are small")]
mod tests;
mod timing;
mod triggers;

pub(super) use funds::order_of_cause;
pub(super) use new_order::insert_orders;
pub use outcome::{OutcomeError, force_outcome};
pub(super) use payee_confirmation::confirm_payee;
pub(super) use payers::{find_payer, payers_of_customer};
pub(super) use processor::{has_bank_order, process_order};
pub use rail_timing::{CreditTime, RailTiming, TimeOfDay};
pub use rails::{Rail, RailCutOff, Rails};
pub(super) use standing::standings;
pub(super) use step_needs::step_needs;
pub use triggers::{TRIGGERS, TestTrigger, TriggerRow};
