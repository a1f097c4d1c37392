//! Measured ratios and their targets, printed at the end of a run.

use crate::compare::{Pairs, Sides};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which side of the aim is good.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Aim {
    /// The ratio shall be this or more.
    AtLeast(f64),
    /// The ratio shall be this or less.
    AtMost(f64),
}

/// A measured ratio.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The benchmark and, if it has several, the case: `reads/balances`.
    pub(crate) name: String,
    /// Measured against its floor or limit.
    pub(crate) ratio: f64,
    /// What it shall be.
    pub(crate) aim: Aim,
    /// The two sides of the ratio, if it has them.
    #[serde(flatten)]
    pub(crate) sides: Option<Sides>,
}

impl Figure {
    /// A ratio without sides.
    pub(crate) fn of_ratio(name: impl Into<String>, ratio: f64, aim: Aim) -> Self {
        Self { name: name.into(), ratio, aim, sides: None }
    }

    /// Ours as a multiple of the bound.
    pub(crate) fn of_sides(name: impl Into<String>, ours: f64, bound: f64, unit: &str, aim: Aim) -> Self {
        let sides = Sides { ours, bound, unit: unit.to_owned(), database: None };
        Self { sides: Some(sides), ..Self::of_ratio(name, ours / bound, aim) }
    }

    /// The processor time of a request as a share of the floor's speed.
    pub(crate) fn of_speed(name: impl Into<String>, pairs: &Pairs, least: f64) -> Self {
        Self { sides: Some(pairs.sides()), ..Self::of_ratio(name, pairs.speed(), Aim::AtLeast(least)) }
    }

    /// The processor time of a request as a multiple of the bound's.
    pub(crate) fn of_cost(name: impl Into<String>, pairs: &Pairs, most: f64) -> Self {
        Self { sides: Some(pairs.sides()), ..Self::of_ratio(name, pairs.multiple(), Aim::AtMost(most)) }
    }

    /// Whether the ratio is on the good side of the aim, or at it.
    pub(crate) fn is_met(&self) -> bool {
        match self.aim {
            Aim::AtLeast(least) => self.ratio >= least,
            Aim::AtMost(most) => self.ratio <= most,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Aim::AtLeast(aim) | Aim::AtMost(aim)) = self.aim;
        let verdict = if self.is_met() { "met" } else { "MISSED" };
        write!(f, "bench {}: ratio {:.2} aim {aim:.2} {verdict}", self.name, self.ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_met_at_its_bound() {
        let figure = |ratio, aim| Figure::of_ratio("x/y", ratio, aim).to_string();
        assert_eq!(figure(0.35, Aim::AtLeast(0.35)), "bench x/y: ratio 0.35 aim 0.35 met");
        assert_eq!(figure(0.349, Aim::AtLeast(0.35)), "bench x/y: ratio 0.35 aim 0.35 MISSED");
        assert_eq!(figure(1.25, Aim::AtMost(1.25)), "bench x/y: ratio 1.25 aim 1.25 met");
        assert_eq!(figure(f64::NAN, Aim::AtMost(1.0)), "bench x/y: ratio NaN aim 1.00 MISSED");
    }
}
