//! Variable recurring payments: the limits a customer agrees to once, and the counting of what is paid under them.
//!
//! [`ControlParameters`] are what a TPP asks for. Under a consent they count from a day, and are a [`VrpLimits`]: it says
//! which [`PeriodWindow`] a payment falls in, judges it against what is used there, and what it takes is a [`VrpReservation`].
//! Whoever keeps the counters reads, judges and moves them in the transaction that makes the order; nothing here remembers.

mod consent_request;
mod controls;
mod limits;
mod period;
#[cfg(test)]
mod tests;
mod usage;
mod validation;

pub use consent_request::{VrpConsentRequest, VrpFundsAnswer, VrpFundsQuestion, VrpPayment};
pub use controls::{
    AuthenticationMethod, ControlParameters, InteractionType, PeriodicLimit, PeriodicLimits, VrpCapabilities, VrpType,
};
pub use limits::{ControlBreach, LimitUsage, VrpLimits, VrpPaymentAttempt};
pub use period::{CalendarPeriod, LimitPeriod, PeriodAlignment, PeriodCycle, PeriodWindow};
pub use usage::{PeriodCounter, UsageMismatch, VrpReservation, VrpUsage};
