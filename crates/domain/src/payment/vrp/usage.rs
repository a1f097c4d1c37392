//! The usage of VRP limits: counters by period, and their changes by a payment.

use super::PeriodCycle;
use crate::money::Amount;
use jiff::civil::Date;
use std::collections::BTreeMap;

/// The counter of the payments in one period of a consent. Limits with the same periods share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeriodCounter {
    /// The cycle of periods.
    pub cycle: PeriodCycle,
    /// The first day of the period ([`PeriodWindow::first`](super::PeriodWindow::first)).
    pub from: Date,
}

/// The total of payments by counter; rejected payments are not counted. Source: VRP-040.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VrpUsage(BTreeMap<PeriodCounter, u64>);

/// The usage that a payment adds: its amount in one period of each cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpReservation {
    /// The counters, each once.
    pub counters: Vec<PeriodCounter>,
    /// The amount added to each of them.
    pub amount: Amount,
}

/// The counters hold less than the reservation to release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the counters of a consent do not match its payments")]
pub struct UsageMismatch;

impl VrpUsage {
    /// The total of a counter, in minor units of the limits' currency.
    pub fn used(&self, counter: PeriodCounter) -> u64 {
        self.0.get(&counter).copied().unwrap_or(0)
    }

    /// Adds a payment.
    ///
    /// # Errors
    /// [`UsageMismatch`] if a total would overflow; nothing is changed then.
    pub fn reserve(&mut self, reservation: &VrpReservation) -> Result<(), UsageMismatch> {
        self.shift(reservation, u64::checked_add)
    }

    /// Subtracts a payment that was rejected. Source: VRP-040.
    ///
    /// # Errors
    /// [`UsageMismatch`] if it was not counted; nothing is changed then.
    pub fn release(&mut self, reservation: &VrpReservation) -> Result<(), UsageMismatch> {
        self.shift(reservation, u64::checked_sub)
    }

    /// Every counter with a total other than zero.
    pub fn non_zero_counters(&self) -> impl Iterator<Item = (PeriodCounter, u64)> {
        self.0.iter().map(|(counter, used)| (*counter, *used))
    }

    fn shift(&mut self, reservation: &VrpReservation, by: fn(u64, u64) -> Option<u64>) -> Result<(), UsageMismatch> {
        let shifted = |counter: &PeriodCounter| Some((*counter, by(self.used(*counter), reservation.amount.minor())?));
        let shifted: Vec<_> = reservation.counters.iter().map(shifted).collect::<Option<_>>().ok_or(UsageMismatch)?;
        self.0.extend(shifted);
        self.0.retain(|_, used| *used > 0);
        Ok(())
    }
}

impl FromIterator<(PeriodCounter, u64)> for VrpUsage {
    fn from_iter<I: IntoIterator<Item = (PeriodCounter, u64)>>(counters: I) -> Self {
        Self(counters.into_iter().filter(|(_, used)| *used > 0).collect())
    }
}
