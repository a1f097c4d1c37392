//! Configuration: one TOML file, every key overridable by the environment, all problems told at once.
//!
//! A setting is declared once, in [`settings`]; its parsing, its default, its place in `config show` and its entry in
//! `docs/reference/configuration.md` follow from the declaration.

mod payments;
mod problem;
mod reader;
mod reference;
mod rules;
mod settings;
mod value;

#[cfg(test)]
mod tests;

pub use payments::{CutOffTime, MiddleRate};
pub use problem::{Problem, Problems};
pub use reference::{limits_markdown as limits_reference, markdown as reference};
pub use settings::*;
pub use value::{BaseUrl, DatabaseUrl, HeadlessDecision, LogFormat, Mode};

use reader::Reader;
use std::path::{Path, PathBuf};

/// Where a configuration comes from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// The TOML file, if there is one.
    pub file: Option<PathBuf>,
    /// `LOMBARD__…` variables; others are ignored.
    pub environment: Vec<(String, String)>,
}

impl Sources {
    /// This file and the environment of the process.
    pub fn of_process(file: Option<PathBuf>) -> Self {
        Self { file, environment: std::env::vars().collect() }
    }
}

impl Config {
    /// Reads and checks the configuration.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn load(sources: &Sources) -> Result<Self, Problems> {
        let text = match &sources.file {
            Some(file) => read_file(file)?,
            None => String::new(),
        };
        Self::from_parts(&text, &sources.environment)
    }

    /// Reads and checks a configuration given as text and variables.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn from_parts(text: &str, environment: &[(String, String)]) -> Result<Self, Problems> {
        let mut reader = Reader::new(text, environment);
        let config = Self::read(&mut reader);
        let (given, mut problems) = reader.finish();
        // Rules between settings would only repeat what is already known of a setting that could not be read.
        if problems.is_empty() {
            problems = rules::check(&config, &given);
        }
        if problems.is_empty() { Ok(config) } else { Err(Problems::new(problems)) }
    }

    /// Whether this is a sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.mode == Mode::Sandbox
    }
}

fn read_file(file: &Path) -> Result<String, Problems> {
    std::fs::read_to_string(file).map_err(|error| {
        let message = format!("the file cannot be read ({error}); give its path with --config");
        Problems::new(vec![Problem::new(file.display().to_string(), message)])
    })
}
