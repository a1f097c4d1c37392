//! VRP limits in force: the check of a payment against them, and their usage.

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

/// The control parameters of a consent, with its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VrpLimits<'a> {
    controls: &'a ControlParameters,
    anchor: Date,
}

/// The properties of a payment that limits refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VrpPaymentAttempt {
    /// When its order is created (bank clock); it counts for that day. Source: VRP-039.
    pub at: Timestamp,
    /// The amount.
    pub amount: Amount,
    /// The VRP type.
    pub kind: VrpType,
    /// The PSU authentication method.
    pub method: AuthenticationMethod,
    /// The PSU interaction type, if the TPP sent it.
    pub interaction: Option<InteractionType>,
}

/// A control parameter that a payment breaches. Source: VRP-055.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlBreach {
    /// The payment is before the first day.
    NotYetValid {
        /// The first day.
        first: Date,
    },
    /// The payment is after the last day.
    NoLongerValid {
        /// The last day.
        last: Date,
    },
    /// The payment's currency is not that of the limits, so no amount is compared.
    Currency,
    /// The payment exceeds the maximum individual amount.
    Individual {
        /// The maximum individual amount.
        maximum: Amount,
    },
    /// The payment exceeds the remaining amount of a period.
    Period {
        /// The index of the periodic limit, from 0.
        limit: usize,
        /// The remaining amount.
        remaining: Amount,
        /// The period.
        window: PeriodWindow,
    },
    /// The consent does not allow the payment's VRP type.
    Type,
    /// The consent does not allow the PSU authentication method.
    Method,
    /// The consent does not allow the PSU interaction type.
    Interaction,
}

/// The usage of a periodic limit in one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitUsage {
    /// The limit.
    pub limit: PeriodicLimit,
    /// The period.
    pub window: PeriodWindow,
    /// The amount allowed in the period: the limit, or its share.
    pub allowed: Amount,
    /// The amount used.
    pub used: Amount,
}

impl LimitUsage {
    /// The remaining amount.
    pub const fn remaining(&self) -> Amount {
        Amount::from_minor(self.allowed.minor().saturating_sub(self.used.minor()), self.allowed.currency())
    }
}

impl ControlParameters {
    /// The limits of a consent that was created at an instant, counted from its first day. The time of authorisation
    /// has no influence. Source: VRP-032.
    pub fn limits_from(&self, created_at: Timestamp) -> VrpLimits<'_> {
        VrpLimits { controls: self, anchor: self.valid_from.unwrap_or_else(|| london_date(created_at)) }
    }
}

impl<'a> VrpLimits<'a> {
    /// The control parameters.
    pub const fn controls(&self) -> &'a ControlParameters {
        self.controls
    }

    /// The first day, from which periods are counted. Source: VRP-032.
    pub const fn anchor(&self) -> Date {
        self.anchor
    }

    /// The counters at an instant, each once: those to be read before a payment is checked or usage is shown. Before
    /// the first day these are the counters of the first periods.
    pub fn counters(&self, at: Timestamp) -> Vec<PeriodCounter> {
        let day = self.counted_day(at);
        let cycles: BTreeSet<PeriodCycle> = self.controls.limits.iter().map(|limit| limit.cycle).collect();
        let counter = |cycle: PeriodCycle| Some(PeriodCounter { cycle, from: cycle.window(self.anchor, day)?.first });
        cycles.into_iter().filter_map(counter).collect()
    }

    /// The usage that a payment at an instant adds; it is released if the payment is rejected. Source: VRP-040.
    pub fn reservation(&self, at: Timestamp, amount: Amount) -> VrpReservation {
        VrpReservation { counters: self.counters(at), amount }
    }

    /// Checks a payment against every limit; a payment may reach a limit exactly. `usage` contains at least the
    /// [`counters`] of its time, which must be locked until the reservation is stored.
    ///
    /// # Errors
    /// Every breach; each exceeded periodic limit is a separate breach. Source: VRP-055.
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
            breaches.push(ControlBreach::Individual { maximum: most });
        }
        for (index, limit) in self.controls.limits.iter().enumerate() {
            // Before the first day there is no period. This is a separate breach.
            let Some(standing) = self.standing(limit, day, usage) else { continue };
            if amount.minor() > standing.remaining().minor() {
                breaches.push(ControlBreach::Period {
                    limit: index,
                    remaining: standing.remaining(),
                    window: standing.window,
                });
            }
        }
    }

    /// The usage of every periodic limit at an instant, in the TPP's order; before the first day, the usage of the first periods.
    /// `usage` contains at least the [`counters`](Self::counters) of the instant.
    pub fn limit_usages(&self, at: Timestamp, usage: &VrpUsage) -> Vec<LimitUsage> {
        let day = self.counted_day(at);
        self.controls.limits.iter().filter_map(|limit| self.standing(limit, day, usage)).collect()
    }

    /// An upper bound of the amount payable between two days, both included, by the strictest periodic limit. The exact
    /// amount may be less if limits with different periods overlap.
    pub fn max_payable(&self, from: Date, to: Date) -> Amount {
        let from = from.max(self.anchor);
        let to = self.controls.valid_to.map_or(to, |last| last.min(to));
        let minor = self.controls.limits.iter().map(|limit| self.let_through(limit, from, to)).min();
        Amount::from_minor(minor.unwrap_or(0), self.controls.currency())
    }

    /// The amount that one limit allows in the periods that overlap these days, in minor units.
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

/// The fault of a breach. Amounts in its message are the bank's own, never values of the request. Source: VRP-055.
impl From<ControlBreach> for Fault {
    fn from(breach: ControlBreach) -> Self {
        let (field, message) = match breach {
            ControlBreach::NotYetValid { first } => {
                (Field::ValidFrom, format!("Payments can be made from {first} on."))
            }
            ControlBreach::NoLongerValid { last } => (Field::ValidTo, format!("Payments could be made until {last}.")),
            ControlBreach::Currency => (Field::IndividualCurrency, "The consent is for another currency.".to_owned()),
            ControlBreach::Individual { maximum: most } => {
                (Field::IndividualAmount, format!("One payment can be at most {}.", amount_text(most)))
            }
            ControlBreach::Period { limit, remaining: left, window: PeriodWindow { first, last, .. } } => {
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
