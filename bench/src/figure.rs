//! Measured ratios and their aims, printed at the end of a run.

use crate::compare::{Pairs, Sides};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The aim of a ratio.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Aim {
    /// The ratio must be at least this value.
    AtLeast(f64),
    /// The ratio must be at most this value.
    AtMost(f64),
}

/// A measured ratio.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The name of the benchmark, followed by the case if it has several, such as `reads/balances`.
    pub(crate) name: String,
    /// The measured value divided by its baseline or limit.
    pub(crate) ratio: f64,
    /// The aim of the ratio.
    pub(crate) aim: Aim,
    /// The two values of the ratio, if there are two.
    #[serde(flatten)]
    pub(crate) sides: Option<Sides>,
}

impl Figure {
    /// A ratio without its two values.
    pub(crate) fn of_ratio(name: impl Into<String>, ratio: f64, aim: Aim) -> Self {
        Self { name: name.into(), ratio, aim, sides: None }
    }

    /// The measured value as a multiple of the baseline.
    pub(crate) fn of_sides(name: impl Into<String>, ours: f64, bound: f64, unit: &str, aim: Aim) -> Self {
        let sides = Sides { ours, bound, unit: unit.to_owned(), database: None };
        Self { sides: Some(sides), ..Self::of_ratio(name, ours / bound, aim) }
    }

    /// The server's speed, by processor time per request, as a share of the baseline's.
    pub(crate) fn of_speed(name: impl Into<String>, pairs: &Pairs, least: f64) -> Self {
        Self { sides: Some(pairs.sides()), ..Self::of_ratio(name, pairs.speed(), Aim::AtLeast(least)) }
    }

    /// The server's processor time per request as a multiple of the baseline's.
    pub(crate) fn of_cost(name: impl Into<String>, pairs: &Pairs, most: f64) -> Self {
        Self { sides: Some(pairs.sides()), ..Self::of_ratio(name, pairs.multiple(), Aim::AtMost(most)) }
    }

    /// Whether the ratio meets its aim.
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
