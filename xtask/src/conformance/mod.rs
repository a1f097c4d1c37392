//! Compares recorded responses with the standard's OpenAPI files.
//!
//! The tests record every exchange. This module compares each response of an operation that the standard describes with the description of
//! its version: status, headers and body. `docs/reference/deviations.toml` names the rule of each intended deviation. An operation that is
//! implemented but has no recorded success is also a failure. Lombard's own OpenAPI documents are compared with the standard's documents
//! and with the same responses.

mod description;
mod deviations;
mod exchange;
mod ours;

use crate::command::workspace;
use crate::error::TaskError;
use crate::output;
use crate::program::Program;
use description::{Descriptions, Finding};
use deviations::Deviations;
use exchange::RecordedExchange;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The implemented versions. Their paths have different prefixes, so each response has exactly one description.
const VERSIONS: [&str; 2] = ["v3.1.11", "v4.0.1"];

/// Compares all recorded exchanges.
pub(crate) fn conformance(spec: &Path, exchanges: &Path) -> Result<(), TaskError> {
    let mut descriptions = Descriptions::default();
    for version in VERSIONS {
        descriptions.load(&spec.join("openapi").join(version))?;
    }
    let mut deviations = Deviations::load(&workspace().join("docs/reference/deviations.toml"))?;
    let recorded = RecordedExchange::load_all(&workspace().join(exchanges))?;
    output::step(&format!("comparing {} recorded answers with {}", recorded.len(), VERSIONS.join(" and ")));

    let mut unexplained: BTreeMap<Finding, usize> = BTreeMap::new();
    let mut succeeded = BTreeSet::new();
    let mut compared = 0;
    for exchange in &recorded {
        let Some(operation) = descriptions.operation(&exchange.method, &exchange.path) else { continue };
        compared += 1;
        if exchange.is_success() {
            succeeded.insert(operation.name());
        }
        for finding in descriptions.compare(operation, exchange)? {
            if !deviations.explain(&finding) {
                *unexplained.entry(finding).or_default() += 1;
            }
        }
    }

    let mut failures: Vec<String> =
        unexplained.iter().map(|(finding, times)| format!("{finding} ({times} times)")).collect();
    let program = Program::build()?;
    // The implemented operations, by the names that the program uses: `GET /open-banking/…`.
    let built: Vec<_> = program.reference("operations")?.lines().map(str::to_owned).collect();
    let never = built.iter().filter(|name| !succeeded.contains(*name));
    failures.extend(never.map(|name| format!("{name}: built, but no success was recorded")));
    let mut agreeing = 0;
    let mut described = BTreeSet::new();
    for name in ours::DOCUMENTS {
        let document = ours::document(&program, name)?;
        let comparison = ours::compare(&document, &descriptions);
        let departing = comparison.failures.iter().filter(|finding| !deviations.explain(finding));
        failures.extend(departing.map(Finding::to_string));
        failures.extend(ours::check_recorded_responses(&document, &recorded)?);
        for (member, operations) in &comparison.left_out {
            output::note(&format!("optional and not offered: {member} of {} operations", operations.len()));
        }
        agreeing += comparison.operations;
        described.extend(comparison.described);
    }
    failures.extend(ours::undescribed(&built, &described));
    for unused in deviations.unused() {
        output::note(&format!("a deviation that nothing needs: {unused}"));
    }
    if !failures.is_empty() {
        return Err(format!("answers that depart from the description:\n  {}", failures.join("\n  ")).into());
    }
    output::note(&format!("{agreeing} operations of our own descriptions agree with the standard's"));
    output::note(&format!("{compared} answers of {} operations conform", succeeded.len()));
    Ok(())
}
