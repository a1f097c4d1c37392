//! The packages in which the program is shipped. All of them carry one program, and the same program gives the same bytes.

mod archive;
mod bill_of_materials;
mod chart;
mod contents;
mod deb;
mod image;
mod licences;
mod modules;
mod npm;
mod program;
mod source;
mod sums;
mod template;
mod tree;
mod verify;
mod wheel;

#[cfg(test)]
mod tests;

use crate::command::workspace;
use crate::error::TaskError;
use crate::output;
use contents::Contents;
use program::Program;
use source::Source;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file that is shipped.
#[derive(Debug)]
struct Package {
    name: String,
    bytes: Vec<u8>,
}

/// What makes one of them.
type Maker = fn(&Contents) -> Result<Package, TaskError>;

const MAKERS: [Maker; 7] =
    [archive::package, deb::package, image::package, wheel::package, npm::package, chart::package, chart::manifests];

/// How packages are made.
#[derive(Debug, clap::Args)]
pub(crate) struct PackageArguments {
    /// The folder for the packages, `target/packages` of the workspace unless given. Packages of an earlier run are removed.
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
    let folder = arguments.out.clone().unwrap_or_else(|| workspace().join("target/packages"));
    output::step(&format!("packaging {}", program.path.display()));
    let contents = Contents::collect(source, program)?;
    write(&contents, &folder)?;
    if arguments.verify { verify::verify(&contents, &folder) } else { Ok(()) }
}

/// Writes the packages to a folder, which has nothing else afterwards.
fn write(contents: &Contents, folder: &Path) -> Result<(), TaskError> {
    let mut packages = make_all(contents)?;
    let version = &contents.source.version;
    for (name, bytes) in [(licences::NAME, &contents.licences), (bill_of_materials::NAME, &contents.bill_of_materials)]
    {
        let name = name.replacen("lombard.", &format!("lombard-{version}."), 1);
        packages.push(Package { name, bytes: Arc::clone(bytes).to_vec() });
    }
    packages.push(Package { name: sums::NAME.to_owned(), bytes: sums::text(&packages).into_bytes() });
    if folder.exists() {
        remove_former(folder)?;
    }
    fs::create_dir_all(folder)?;
    for Package { name, bytes } in packages {
        fs::write(folder.join(&name), &bytes)?;
        output::note(&format!("{:>12} bytes  {}", bytes.len(), folder.join(name).display()));
    }
    Ok(())
}

/// Makes the packages at once, because compressing each takes long.
fn make_all(contents: &Contents) -> Result<Vec<Package>, TaskError> {
    std::thread::scope(|scope| {
        let makers = MAKERS.map(|make| scope.spawn(move || make(contents).map_err(|error| error.to_string())));
        let made = makers.map(|maker| maker.join().map_err(|_| "a package was not finished".to_owned()).flatten());
        made.into_iter().map(|package| package.map_err(TaskError::from)).collect()
    })
}

/// Removes the packages of an earlier run, which its checksums name.
fn remove_former(folder: &Path) -> Result<(), TaskError> {
    let sums = fs::read_to_string(folder.join(sums::NAME)).unwrap_or_default();
    let names = sums.lines().filter_map(|line| Some(line.split_once("  ")?.1));
    for name in names.filter(|name| !name.contains('/')) {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}
