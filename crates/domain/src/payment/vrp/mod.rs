//! Variable recurring payments (VRP): the limits that a PSU authorises once, and the accounting of payments under them.
//!
//! A TPP requests [`ControlParameters`]. With the first day of the consent they become [`VrpLimits`], which determine
//! the [`PeriodWindow`] of a payment, check the payment against the usage there, and yield a [`VrpReservation`]. The
//! caller reads, checks and updates the stored counters in the transaction that creates the order; nothing here keeps
//! state.

mod codes;
mod consent_request;
mod controls;
mod limits;
mod period;
#[cfg(test)]
mod tests;
mod usage;
mod validation;

pub(crate) use consent_request::is_same;
pub use consent_request::{
    VrpConsentRequest, VrpFundsConfirmationRequest, VrpFundsConfirmationResult, VrpPayment, short_name,
};
pub use controls::{
    AuthenticationMethod, CommercialVrp, ControlParameters, InteractionType, PeriodicLimit, PeriodicLimits,
    VrpCapabilities, VrpType,
};
pub use limits::{ControlBreach, LimitUsage, VrpLimits, VrpPaymentAttempt};
pub use period::{CalendarPeriod, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodWindow};
pub use usage::{PeriodCounter, UsageMismatch, VrpReservation, VrpUsage};
