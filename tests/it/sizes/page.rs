//! The documentation page about sizing: its arithmetic is right, and what it takes for a machine is no better than what was measured.

use serde_json::Value;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("../../../docs/operating/sizing.md");
const FIGURES: &str = include_str!("../../../bench/figures.json");

/// The lines of the worked example: a name, how it is calculated, and the result as it is printed.
fn lines() -> Vec<(&'static str, &'static str, &'static str)> {
    let (_, example) = PAGE.split_once("## A worked example\n").unwrap();
    let blocks = example.split("```text\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.flat_map(str::lines).filter(|line| !line.is_empty());
    let parts = lines.map(|line| {
        let (name, rest) = line.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
        let (expression, result) = rest.rsplit_once(" = ").unwrap_or((rest, rest));
        (name.trim(), expression.trim(), result.trim())
    });
    parts.collect()
}

/// A number as it is printed, with what follows it left out.
fn number(text: &str) -> Option<f64> {
    text.split(' ').next()?.replace(',', "").parse().ok()
}

/// The value of a product or a sum of numbers and of names that were calculated before.
fn value(expression: &str, known: &BTreeMap<&str, f64>) -> f64 {
    let operand = |text: &str| known.get(text).copied().or_else(|| number(text)).unwrap_or_else(|| panic!("{text}"));
    expression
        .split(" + ")
        .map(|product| {
            let mut factors = product.split(" × ");
            let quotient = |text: &str| {
                let mut parts = text.split(" ÷ ").map(str::trim);
                let first = operand(parts.next().unwrap());
                parts.fold(first, |value, divisor| value / operand(divisor))
            };
            let first = quotient(factors.next().unwrap());
            factors.fold(first, |value, factor| value * quotient(factor))
        })
        .sum()
}

/// Half of the last digit that is printed.
fn tolerance(printed: &str) -> f64 {
    let digits = printed.split(' ').next().unwrap().split_once('.').map_or(0, |(_, digits)| digits.len());
    0.5001 / 10_f64.powi(i32::try_from(digits).unwrap())
}

#[test]
fn the_arithmetic_of_the_worked_example_is_right() {
    let mut known = BTreeMap::new();
    for (name, expression, printed) in lines() {
        let result = number(printed).unwrap_or_else(|| panic!("{printed}"));
        let calculated = value(expression, &known);
        assert!((calculated - result).abs() <= tolerance(printed), "{name}: {calculated}, and {printed} is printed");
        assert_eq!(known.insert(name, result), None, "{name} is calculated twice");
    }
    assert!(known.len() > 15, "{known:?}");
}

/// A figure on PostgreSQL: microseconds of a node, and of PostgreSQL beside it.
fn figure(name: &str) -> [f64; 2] {
    let figures: Value = serde_json::from_str(FIGURES).unwrap();
    let mut figures = figures.as_array().unwrap().iter();
    let found = figures.find(|figure| figure["name"] == name && figure["engine"] == "PostgreSQL").unwrap();
    ["ours", "database"].map(|member| found[member].as_f64().unwrap())
}

#[test]
fn the_example_takes_no_faster_machine_than_the_measured_one() {
    let lines = lines();
    let taken =
        |name: &str| number(lines.iter().find(|line| line.0 == name).unwrap_or_else(|| panic!("{name}")).2).unwrap();
    let [balances, transactions, uncached] =
        ["reads/balances", "reads/transactions", "reads/transactions-uncached"].map(figure);
    // The mix of `uk`, as docs/operating/scaling.md writes it.
    let reads = [0, 1].map(|side| 0.59 * balances[side] + 0.205 * transactions[side] + 0.205 * uncached[side]);
    for (call, measured) in [("read", reads), ("payment", figure("payments")), ("token", figure("tokens"))] {
        let names = ["a node", "PostgreSQL"].map(|side| format!("µs of a {call} at {side}"));
        for (name, measured) in names.iter().zip(measured) {
            assert!(taken(name) >= measured, "{name}: {measured} was measured");
        }
    }
}
