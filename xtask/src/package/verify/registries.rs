//! Verifies the packages for Python and npm.

use super::environment::{Environment, tour};
use super::outcome::{Outcome, Subject};
use crate::command::output;
use crate::error::TaskError;
use crate::test::in_path;

/// Verifies the wheel.
pub(super) fn wheel(subject: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    if in_path("python3").is_none() {
        return Ok(vec![Outcome::Skipped("python3 is missing".to_owned())]);
    }
    environment.run_section("Python")?;
    let program = environment.path("lombard-python/bin/lombard");
    tour(|| environment.command(&program))?;
    let mut outcomes = vec![Outcome::Passed("pip installs the wheel, and the tour passes from there".to_owned())];
    let (major, minor) = subject.contents.program.glibc;
    let version = &subject.contents.source.version;
    let wheel = format!("./lombard-{version}-py3-none-manylinux_{major}_{minor}_x86_64.whl");
    let pip = environment.path("lombard-python/bin/pip");
    if output(environment.command(&pip).args(["install", "--quiet", "pipx"])).is_err() {
        outcomes.push(Outcome::Skipped("pipx cannot be installed".to_owned()));
        return Ok(outcomes);
    }
    let pipx = environment.path("lombard-python/bin/pipx");
    output(environment.command(&pipx).args(["run", "--spec", &wheel, "lombard", "--version"]))?;
    outcomes.push(Outcome::Passed("pipx runs it".to_owned()));
    Ok(outcomes)
}

/// Verifies the package for npm.
pub(super) fn npm(_: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    if in_path("npm").is_none() || in_path("npx").is_none() {
        return Ok(vec![Outcome::Skipped("npm or npx is missing".to_owned())]);
    }
    environment.run_section("npm")?;
    let program = environment.path("lombard-npm/bin/lombard");
    tour(|| environment.command(&program))?;
    Ok(vec![Outcome::Passed("npm installs the package, npx runs it, and the tour passes from there".to_owned())])
}
