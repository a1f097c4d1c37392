//! The packages in which the program is shipped. All of them carry one program, and the same program gives the same bytes.

mod archive;
mod artefact;
mod bill_of_materials;
mod chart;
mod contents;
mod deb;
mod image;
mod licences;
mod modules;
mod npm;
mod program;
mod repository;
mod source;
mod sums;
mod template;
mod tree;
mod verify;
mod wheel;
mod writing;

#[cfg(test)]
mod tests;

use crate::command::workspace;
use crate::error::TaskError;
use crate::output;
use contents::Contents;
use program::Program;
use source::Source;
use std::path::PathBuf;

/// How packages are made.
#[derive(Debug, clap::Args)]
pub(crate) struct PackageArguments {
    /// The folder for the packages, `target/package` of the workspace unless given. Packages of an earlier run are removed.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Packages this program instead of building one as it is shipped.
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// Installs each package in an empty environment and runs the tour from there.
    #[arg(long)]
    verify: bool,
}

/// Makes the packages.
pub(crate) fn package(arguments: &PackageArguments) -> Result<(), TaskError> {
    let source = Source::read()?;
    let program = match &arguments.program {
        Some(path) => Program::read(path.canonicalize()?)?,
        None => Program::build(&source)?,
    };
    let folder = arguments.out.clone().unwrap_or_else(|| workspace().join("target/package"));
    output::step(&format!("packaging {}", program.path.display()));
    let contents = Contents::collect(source, program)?;
    writing::write_packages(&contents, &folder)?;
    if arguments.verify { verify::verify(&contents, &folder) } else { Ok(()) }
}
