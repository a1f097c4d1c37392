//! The tables of households. Every name, number and address is invented.

mod amelia;
mod deepak;
mod esther;
mod parties;
mod people;
mod plans;
mod shops;
mod studio;

use super::habit::SeededHousehold;

/// All households of the sandbox.
pub(super) const HOUSEHOLDS: &[&SeededHousehold] =
    &[&amelia::HOUSEHOLD, &studio::HOUSEHOLD, &deepak::HOUSEHOLD, &esther::HOUSEHOLD];
