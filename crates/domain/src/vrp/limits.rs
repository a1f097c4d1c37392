//! Limits in force: which payments they let through, and how they stand.

use super::{
    AuthenticationMethod, ControlParameters, InteractionType, PeriodCounter, PeriodCycle, PeriodWindow, PeriodicLimit,
    VrpReservation, VrpType, VrpUsage,
};
use crate::calendar::london_date;
use crate::money::Amount;
use crate::refusal::{Fault, FaultCode, Field};
use jiff::Timestamp;
use jiff::civil::Date;
use std::collections::BTreeSet;

/// Control parameters counted from the day their consent begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VrpLimits<'a> {
    controls: &'a ControlParameters,
    anchor: Date,
}

/// A payment that somebody wants to make under a consent, as far as limits speak of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VrpPaymentAttempt {
    /// When it is made (bank clock): the creation of its order. It belongs to that day. Source: VRP-039.
    pub at: Timestamp,
    /// How much.
    pub amount: Amount,
    /// Of which kind.
    pub kind: VrpType,
    /// How the customer was authenticated.
    pub method: AuthenticationMethod,
    /// Whether the customer is there, if that is said.
    pub interaction: Option<InteractionType>,
}

/// A control parameter that a payment breaches. Source: VRP-055.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlBreach {
    /// It comes before the first day.
    NotYetValid {
        /// That day.
        first: Date,
    },
    /// It comes after the last day.
    NoLongerValid {
        /// That day.
        last: Date,
    },
    /// It is in another currency than the limits, so no amount can be compared.
    Currency,
    /// It is more than one payment may be.
    Individual {
        /// That much.
        most: Amount,
    },
    /// It is more than what is left in a period.
    Period {
        /// Which of the periodic limits, from 0.
        limit: usize,
        /// How much is left.
        left: Amount,
        /// In which days.
        window: PeriodWindow,
    },
    /// It is of a kind that was not agreed to.
    Type,
    /// The customer was authenticated in a way that was not agreed to.
    Method,
    /// The customer is there, or is not, where the other was agreed to.
    Interaction,
}

/// How a periodic limit stands in one of its periods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitUsage {
    /// The limit.
    pub limit: PeriodicLimit,
    /// The period.
    pub window: PeriodWindow,
    /// What may be paid in it altogether: the limit, or its share.
    pub allowed: Amount,
    /// What was paid in it.
    pub used: Amount,
}

impl LimitUsage {
    /// What may still be paid.
    pub const fn remaining(&self) -> Amount {
        Amount::from_minor(self.allowed.minor().saturating_sub(self.used.minor()), self.allowed.currency())
    }
}

impl ControlParameters {
    /// The limits of a consent that was created at a time, counted from the day they begin. The time it was authorised
    /// does not matter. Source: VRP-032.
    pub fn limits_from(&self, created_at: Timestamp) -> VrpLimits<'_> {
        VrpLimits { controls: self, anchor: self.valid_from.unwrap_or_else(|| london_date(created_at)) }
    }
}

impl<'a> VrpLimits<'a> {
    /// The limits.
    pub const fn controls(&self) -> &'a ControlParameters {
        self.controls
    }

    /// The first day, from which periods are counted. Source: VRP-032.
    pub const fn anchor(&self) -> Date {
        self.anchor
    }

    /// What is counted at a time, each counter once: what must be read to judge a payment made then, or to show how the
    /// limits stand. Before the first day these are the counters of the first periods.
    pub fn counters(&self, at: Timestamp) -> Vec<PeriodCounter> {
        let day = self.counted_day(at);
        let cycles: BTreeSet<PeriodCycle> = self.controls.limits.iter().map(|limit| limit.cycle).collect();
        let counter = |cycle: PeriodCycle| Some(PeriodCounter { cycle, from: cycle.window(self.anchor, day)?.first });
        cycles.into_iter().filter_map(counter).collect()
    }

    /// What a payment made at a time takes from the limits, and gives back if it is rejected. Source: VRP-040.
    pub fn reservation(&self, at: Timestamp, amount: Amount) -> VrpReservation {
        VrpReservation { counters: self.counters(at), amount }
    }

    /// Judges a payment against every limit; reaching one is no breach. `usage` holds at least the [`counters`] of its
    /// time, which nobody else may move until the reservation is counted.
    ///
    /// # Errors
    /// Every breach, at most one for each control parameter. Source: VRP-055.
    ///
    /// [`counters`]: Self::counters
    pub fn check_payment(
        &self,
        payment: &VrpPaymentAttempt,
        usage: &VrpUsage,
    ) -> Result<VrpReservation, Vec<ControlBreach>> {
        let controls = self.controls;
        let day = london_date(payment.at);
        let mut breaches = Vec::new();
        if day < self.anchor {
            breaches.push(ControlBreach::NotYetValid { first: self.anchor });
        }
        if let Some(last) = controls.valid_to.filter(|last| *last < day) {
            breaches.push(ControlBreach::NoLongerValid { last });
        }
        if payment.amount.currency() == controls.currency() {
            self.amount_breaches(payment.amount, day, usage, &mut breaches);
        } else {
            breaches.push(ControlBreach::Currency);
        }
        if !controls.types.contains(&payment.kind) {
            breaches.push(ControlBreach::Type);
        }
        if !controls.methods.contains(&payment.method) {
            breaches.push(ControlBreach::Method);
        }
        let agreed = |it| controls.interactions.is_empty() || controls.interactions.contains(&it);
        if !payment.interaction.is_none_or(agreed) {
            breaches.push(ControlBreach::Interaction);
        }
        if breaches.is_empty() { Ok(self.reservation(payment.at, payment.amount)) } else { Err(breaches) }
    }

    fn amount_breaches(&self, amount: Amount, day: Date, usage: &VrpUsage, breaches: &mut Vec<ControlBreach>) {
        let most = self.controls.individual;
        if amount.minor() > most.minor() {
            breaches.push(ControlBreach::Individual { most });
        }
        for (index, limit) in self.controls.limits.iter().enumerate() {
            // Before the first day no period has begun, which is a breach of its own.
            let Some(standing) = self.standing(limit, day, usage) else { continue };
            if amount.minor() > standing.remaining().minor() {
                breaches.push(ControlBreach::Period {
                    limit: index,
                    left: standing.remaining(),
                    window: standing.window,
                });
            }
        }
    }

    /// How every periodic limit stands at a time, in the TPP's order; before the first day, how it will stand on it.
    /// `usage` holds at least the [`counters`](Self::counters) of the time.
    pub fn limit_usages(&self, at: Timestamp, usage: &VrpUsage) -> Vec<LimitUsage> {
        let day = self.counted_day(at);
        self.controls.limits.iter().filter_map(|limit| self.standing(limit, day, usage)).collect()
    }

    /// The most that can be paid from one day to another, both counted: what the tightest limit lets through. Where limits
    /// on different periods lie across each other it may be less, never more.
    pub fn max_payable(&self, from: Date, to: Date) -> Amount {
        let from = from.max(self.anchor);
        let to = self.controls.valid_to.map_or(to, |last| last.min(to));
        let minor = self.controls.limits.iter().map(|limit| self.let_through(limit, from, to)).min();
        Amount::from_minor(minor.unwrap_or(0), self.controls.currency())
    }

    /// What one limit lets through in the periods that touch these days, in minor units.
    fn let_through(&self, limit: &PeriodicLimit, from: Date, to: Date) -> u64 {
        let next = |window: &PeriodWindow| limit.cycle.window(self.anchor, window.last.tomorrow().ok()?);
        let windows = std::iter::successors(limit.cycle.window(self.anchor, from).filter(|_| from <= to), next);
        let touching = windows.take_while(|window| window.first <= to);
        touching.fold(0, |sum, window| sum.saturating_add(window.share_of(limit.amount).minor()))
    }

    fn standing(&self, limit: &PeriodicLimit, day: Date, usage: &VrpUsage) -> Option<LimitUsage> {
        let window = limit.cycle.window(self.anchor, day)?;
        let used = usage.used(PeriodCounter { cycle: limit.cycle, from: window.first });
        let used = Amount::from_minor(used, limit.amount.currency());
        Some(LimitUsage { limit: *limit, window, allowed: window.share_of(limit.amount), used })
    }

    fn counted_day(&self, at: Timestamp) -> Date {
        london_date(at).max(self.anchor)
    }
}

/// Source: VRP-055. The amounts named are the bank's count, never a value of the request.
impl From<ControlBreach> for Fault {
    fn from(breach: ControlBreach) -> Self {
        let (field, message) = match breach {
            ControlBreach::NotYetValid { first } => {
                (Field::ValidFrom, format!("Payments can be made from {first} on."))
            }
            ControlBreach::NoLongerValid { last } => (Field::ValidTo, format!("Payments could be made until {last}.")),
            ControlBreach::Currency => (Field::IndividualCurrency, "The consent is for another currency.".to_owned()),
            ControlBreach::Individual { most } => {
                (Field::IndividualAmount, format!("One payment can be at most {}.", amount_text(most)))
            }
            ControlBreach::Period { limit, left, window: PeriodWindow { first, last, .. } } => {
                let message = format!("From {first} to {last}, {} is left of this limit.", amount_text(left));
                (Field::PeriodicAmount(limit), message)
            }
            ControlBreach::Type => (Field::VrpTypes, "The consent is for other types of payment.".to_owned()),
            ControlBreach::Method => (Field::AuthenticationMethods, "The consent is for other methods.".to_owned()),
            ControlBreach::Interaction => {
                (Field::InteractionTypes, "The consent is for other interactions.".to_owned())
            }
        };
        Self::field(FaultCode::FailsControlParameters, field, message)
    }
}

fn amount_text(amount: Amount) -> String {
    format!("{} {}", amount.decimal(), amount.currency())
}
