//! Measured ratios and their targets, printed at the end of a run.

use std::fmt;

/// Which side of the aim is good.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Aim {
    /// The ratio shall be this or more.
    AtLeast(f64),
    /// The ratio shall be this or less.
    AtMost(f64),
}

/// A measured ratio.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    /// The benchmark and, if it has several, the case: `reads/balances`.
    pub(crate) name: String,
    /// Measured against its floor or limit.
    pub(crate) ratio: f64,
    /// What it shall be.
    pub(crate) aim: Aim,
}

impl Figure {
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

/// The middle of an odd number of measurements, the mean of the middle two of an even one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    match (values.get(low), values.get(high)) {
        (Some(low), Some(high)) => f64::midpoint(*low, *high),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_met_at_its_bound() {
        let figure = |ratio, aim| Figure { name: "x/y".to_owned(), ratio, aim }.to_string();
        assert_eq!(figure(0.35, Aim::AtLeast(0.35)), "bench x/y: ratio 0.35 aim 0.35 met");
        assert_eq!(figure(0.349, Aim::AtLeast(0.35)), "bench x/y: ratio 0.35 aim 0.35 MISSED");
        assert_eq!(figure(1.25, Aim::AtMost(1.25)), "bench x/y: ratio 1.25 aim 1.25 met");
        assert_eq!(figure(f64::NAN, Aim::AtMost(1.0)), "bench x/y: ratio NaN aim 1.00 MISSED");
    }

    #[test]
    fn the_median_does_not_follow_outliers() {
        assert!((median(vec![9.0, 1.0, 2.0]) - 2.0).abs() < f64::EPSILON);
        assert!((median(vec![1.0, 2.0, 3.0, 100.0]) - 2.5).abs() < f64::EPSILON);
    }
}
