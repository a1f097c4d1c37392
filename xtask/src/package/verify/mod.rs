//! Installs each package in an empty environment, and runs the tour from there.
//!
//! The commands are those of the page for operators, as it prints them. What this machine cannot verify is skipped, and the
//! end says so.

mod archive;
mod debian;
mod documents;
mod environment;
mod image;
mod outcome;
mod page;
mod registries;
mod service;

use super::contents::Contents;
use super::writing::write_packages;
use crate::error::TaskError;
use crate::output;
use environment::Environment;
use outcome::{Outcome, Subject};
use std::fs;
use std::path::Path;

/// A verification in an environment of its own.
type Verification = fn(&Subject<'_>, &Environment) -> Result<Vec<Outcome>, TaskError>;

const VERIFICATIONS: [(&str, Verification); 8] = [
    ("checksums and archive", archive::verify),
    ("Debian package", debian::verify),
    ("image", image::verify),
    ("Python wheel", registries::wheel),
    ("npm package", registries::npm),
    ("chart and manifests", documents::kubernetes),
    ("bill of materials", documents::bill_of_materials),
    ("the same bytes again", same_bytes_again),
];

/// Verifies the packages in a folder.
pub(super) fn verify(contents: &Contents, folder: &Path) -> Result<(), TaskError> {
    let folder = folder.canonicalize()?;
    let subject = Subject { contents, folder: &folder };
    let mut skipped = Vec::new();
    let mut failed = Vec::new();
    for (name, verification) in VERIFICATIONS {
        output::step(&format!("verifying: {name}"));
        let outcomes = Environment::new(&folder).and_then(|environment| verification(&subject, &environment));
        match outcomes {
            Ok(outcomes) => {
                for outcome in outcomes {
                    match outcome {
                        Outcome::Passed(what) => output::note(&format!("passed: {what}")),
                        Outcome::Skipped(why) => {
                            output::note(&format!("SKIPPED: {why}"));
                            skipped.push(format!("{name}: {why}"));
                        }
                    }
                }
            }
            Err(error) => {
                output::error(&error.to_string());
                failed.push(name);
            }
        }
    }
    for what in &skipped {
        output::note(&format!("NOT VERIFIED  {what}"));
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("faults in: {}", failed.join(", ")).into()) }
}

/// Makes the packages of the same program once more.
fn same_bytes_again(subject: &Subject<'_>, environment: &Environment) -> Result<Vec<Outcome>, TaskError> {
    let again = environment.path("again");
    write_packages(subject.contents, &again)?;
    let mut count = 0_usize;
    for entry in fs::read_dir(&again)? {
        let entry = entry?;
        let former = subject.folder.join(entry.file_name());
        if fs::read(entry.path())? != fs::read(&former)? {
            return Err(format!("{} is not the same when it is made again", former.display()).into());
        }
        count = count.saturating_add(1);
    }
    let two_builds =
        "two builds of the program in two folders are not compared here; compare SHA256SUMS of two checkouts";
    Ok(vec![
        Outcome::Passed(format!("{count} packages of the same program are the same")),
        Outcome::Skipped(two_builds.to_owned()),
    ])
}
