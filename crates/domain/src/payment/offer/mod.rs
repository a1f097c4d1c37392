//! The payments that the bank offers, and the validation of requested payments by that offer. Source: PIS-021.

mod limits;
mod validation;

pub use limits::{PaymentLimits, ProductLimits};
pub(in crate::payment) use validation::{CREDITOR, day_faults, instrument_faults, not_offered, schemes};
