//! Verifies what is read by other programs: manifests and the bill of materials.

use super::environment::Environment;
use super::outcome::{Outcome, Subject};
use crate::command::output;
use crate::error::TaskError;
use crate::package::{bill_of_materials, chart};
use crate::test::in_path;
use std::fs;

/// The versions of Kubernetes by whose schemas the manifests are judged.
const KUBERNETES: [&str; 3] = ["1.27", "1.33", "1.37"];
const MANIFEST_JUDGE: &str = "kubernetes-validate";
const BILL_JUDGE: &str = "cyclonedx-python-lib[json-validation]";
/// Judges the bill of materials in a file by the schema of the standard.
const JUDGE_BILL: &str = "import sys\n\
from cyclonedx.schema import SchemaVersion\n\
from cyclonedx.validation.json import JsonStrictValidator\n\
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())\n\
sys.exit(str(fault) if fault else 0)\n";

/// Verifies the chart and the manifests.
pub(super) fn kubernetes(subject: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    let version = &subject.contents.source.version;
    let mut outcomes = vec![helm(environment, version)?];
    let Some(python) = python_with(environment, MANIFEST_JUDGE)? else {
        outcomes.push(Outcome::Skipped(format!("{MANIFEST_JUDGE} cannot be installed")));
        return Ok(outcomes);
    };
    let judge = python.replace("/python", "/kubernetes-validate");
    let manifests = format!("lombard-{version}-kubernetes.yaml");
    for kubernetes in KUBERNETES {
        output(environment.command(&judge).args(["--strict", "--kubernetes-version", kubernetes, &manifests]))?;
    }
    outcomes.push(Outcome::Passed(format!("the manifests are those of Kubernetes {}", KUBERNETES.join(", "))));
    outcomes.push(Outcome::Skipped("the manifests are not applied: that needs a cluster".to_owned()));
    Ok(outcomes)
}

/// Helm renders the chart as this program does.
fn helm(environment: &Environment, version: &str) -> Result<Outcome, TaskError> {
    if in_path("helm").is_none() {
        return Ok(Outcome::Skipped("helm is missing; the chart is rendered by this program alone".to_owned()));
    }
    let chart = format!("lombard-{version}-chart.tgz");
    output(environment.command("tar").args(["--extract", "--file", &chart]))?;
    output(environment.command("helm").args(["lint", "--strict", "lombard"]))?;
    let rendered = output(environment.command("helm").args(["template", "lombard", "lombard"]))?;
    let ours = fs::read_to_string(environment.path(&format!("lombard-{version}-kubernetes.yaml")))?;
    if chart::documents(&rendered)? != chart::documents(&ours)? {
        return Err("helm renders the chart otherwise than the manifests say".into());
    }
    Ok(Outcome::Passed("helm accepts the chart, and renders it as the manifests say".to_owned()))
}

/// Verifies the bill of materials.
pub(super) fn bill_of_materials(_: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    let Some(python) = python_with(environment, BILL_JUDGE)? else {
        return Ok(vec![Outcome::Skipped(format!("{BILL_JUDGE} cannot be installed"))]);
    };
    output(environment.command(python).args(["-c", JUDGE_BILL, bill_of_materials::NAME]))?;
    Ok(vec![Outcome::Passed("it follows the schema of CycloneDX 1.6".to_owned())])
}

/// A Python of its own with a package from the registry, if it can be had.
fn python_with(environment: &Environment, package: &str) -> Result<Option<String>, TaskError> {
    if in_path("python3").is_none() {
        return Ok(None);
    }
    output(environment.command("python3").args(["-m", "venv", "judge"]))?;
    let installed =
        output(environment.command(environment.path("judge/bin/pip")).args(["install", "--quiet", package]));
    Ok(installed.is_ok().then(|| environment.path("judge/bin/python").display().to_string()))
}
