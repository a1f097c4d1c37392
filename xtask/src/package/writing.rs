//! Makes all packages and writes them to a folder.

use super::artefact::Artefact;
use super::contents::Contents;
use super::{archive, bill_of_materials, chart, deb, image, licences, npm, sums, wheel};
use crate::error::TaskError;
use crate::output;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// What makes a package.
type Maker = fn(&Contents) -> Result<Artefact, TaskError>;

/// All of them.
pub(super) const MAKERS: [Maker; 7] =
    [archive::package, deb::package, image::package, wheel::package, npm::package, chart::package, chart::manifests];

/// Writes the packages to a folder, which has nothing else afterwards.
pub(super) fn write_packages(contents: &Contents, folder: &Path) -> Result<(), TaskError> {
    let mut packages = make_all(contents)?;
    for (name, bytes) in [(licences::NAME, &contents.licences), (bill_of_materials::NAME, &contents.bill_of_materials)]
    {
        packages.push(Artefact { name: name.to_owned(), bytes: Arc::clone(bytes).to_vec() });
    }
    packages.push(Artefact { name: sums::NAME.to_owned(), bytes: sums::text(&packages).into_bytes() });
    if folder.exists() {
        remove_former(folder)?;
    }
    fs::create_dir_all(folder)?;
    for Artefact { name, bytes } in packages {
        fs::write(folder.join(&name), &bytes)?;
        output::note(&format!("{:>12} bytes  {}", bytes.len(), folder.join(name).display()));
    }
    Ok(())
}

/// Makes the packages at once, because compressing each takes long.
fn make_all(contents: &Contents) -> Result<Vec<Artefact>, TaskError> {
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
