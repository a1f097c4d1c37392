//! Variable recurring payments: the limits a customer agrees to once, and the counting of what is paid under them.
//!
//! [`ControlParameters`] are what a TPP asks for. Under a consent they count from a day, and are a [`Mandate`]: it says
//! which [`Window`] a payment falls in, judges it against what is used there, and what it takes is a [`Reservation`].
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
    AuthenticationMethod, ControlParameters, InteractionType, PeriodicLimit, PeriodicLimits, VrpOffer, VrpType,
};
pub use mandate::{Attempt, Breach, Mandate, Standing};
pub use period::{Alignment, CalendarPeriod, Cycle, Period, Window};
pub use terms::{VrpFundsAnswer, VrpFundsQuestion, VrpPayment, VrpTerms};
pub use usage::{Counter, Miscount, Reservation, Usage};
