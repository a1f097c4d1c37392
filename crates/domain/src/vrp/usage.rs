//! What was paid in which period: counters, and what a payment moves them by.

use super::PeriodCycle;
use crate::money::Amount;
use jiff::civil::Date;
use std::collections::BTreeMap;

/// What is counted under a consent: the payments in one period. Limits on the same periods share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeriodCounter {
    /// Which periods.
    pub cycle: PeriodCycle,
    /// The first day of the one that is counted ([`PeriodWindow::first`](super::PeriodWindow::first)).
    pub from: Date,
}

/// What the payments that count come to, by counter: all but the rejected ones. Source: VRP-040.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VrpUsage(BTreeMap<PeriodCounter, u64>);

/// What a payment takes from its consent's limits: the same amount in one period of each cycle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VrpReservation {
    /// The counters it moves, each once.
    pub counters: Vec<PeriodCounter>,
    /// How much it moves each of them by.
    pub amount: Amount,
}

/// The counters hold less than the reservation to release.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the counters of a consent do not match its payments")]
pub struct UsageMismatch;

impl VrpUsage {
    /// What a counter has come to, in minor units of the limits' currency.
    pub fn used(&self, counter: PeriodCounter) -> u64 {
        self.0.get(&counter).copied().unwrap_or(0)
    }

    /// Counts a payment.
    ///
    /// # Errors
    /// [`UsageMismatch`] when a sum would not fit any more; nothing has changed then.
    pub fn reserve(&mut self, reservation: &VrpReservation) -> Result<(), UsageMismatch> {
        self.shift(reservation, u64::checked_add)
    }

    /// Gives back what a payment took that was rejected after all. Source: VRP-040.
    ///
    /// # Errors
    /// [`UsageMismatch`] when it was never counted; nothing has changed then.
    pub fn release(&mut self, reservation: &VrpReservation) -> Result<(), UsageMismatch> {
        self.shift(reservation, u64::checked_sub)
    }

    /// Every counter that has come to something, and to what.
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
