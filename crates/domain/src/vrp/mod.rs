//! Variable recurring payments: the limits a customer agrees to once, and the counting of what is paid under them.
//!
//! [`ControlParameters`] are what a TPP asks for. Under a consent they count from a day, and are a [`Mandate`]: it says
//! which [`Window`] a payment falls in, judges it against what is used there, and what it takes is a [`VrpReservation`].
//! Whoever keeps the counters reads, judges and moves them in the transaction that makes the order; nothing here remembers.

mod controls;
mod judge;
mod mandate;
mod period;
mod terms;
#[cfg(test)]
mod tests;
mod usage;

pub use controls::{
    AuthenticationMethod, ControlParameters, InteractionType, PeriodicLimit, PeriodicLimits, VrpCapabilities, VrpType,
};
pub use mandate::{Attempt, Breach, Mandate, Standing};
pub use period::{Alignment, CalendarPeriod, Period, PeriodCycle, Window};
pub use terms::{VrpConsentRequest, VrpFundsAnswer, VrpFundsQuestion, VrpPayment};
pub use usage::{Counter, Usage, UsageMismatch, VrpReservation};
