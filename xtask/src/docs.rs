//! Writes and checks the generated references under `docs/reference/`, which the program itself generates.

use crate::command::workspace;
use crate::error::TaskError;
use crate::output;
use crate::performance;
use crate::program::Program;
use std::fs;
use std::path::PathBuf;

/// The references that the program can generate (`lombard reference NAME`), with their files.
const PAGES: [&str; 10] = [
    "configuration.md",
    "endpoints.md",
    "codes.md",
    "limits.md",
    "metrics.md",
    "staff.md",
    "data.md",
    "audit.md",
    "data-file.json",
    "core-api.yaml",
];

/// Writes all generated references.
pub(crate) fn write() -> Result<(), TaskError> {
    let program = Program::build()?;
    for page in PAGES {
        fs::write(path(page), generate(&program, page)?)?;
        output::note(&format!("wrote {}", path(page).display()));
    }
    let figures = performance::generate()?;
    if !figures.is_empty() {
        fs::write(performance::page(), figures)?;
        output::note(&format!("wrote {}", performance::page().display()));
    }
    Ok(())
}

/// Fails if a file differs from the reference that the program generates now.
pub(crate) fn check() -> Result<(), TaskError> {
    let program = Program::build()?;
    let mut stale = Vec::new();
    for page in PAGES {
        if fs::read_to_string(path(page)).unwrap_or_default() != generate(&program, page)? {
            stale.push(format!("docs/reference/{page}"));
        }
    }
    if fs::read_to_string(performance::page()).unwrap_or_default() != performance::generate()? {
        stale.push("docs/performance.md".to_owned());
    }
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("out of date: {}; run cargo xtask docs", stale.join(", ")).into())
    }
}

fn path(page: &str) -> PathBuf {
    workspace().join("docs/reference").join(page)
}

fn generate(program: &Program, page: &str) -> Result<String, TaskError> {
    program.reference(page.split('.').next().unwrap_or(page))
}
