//! The licences of the crates in the program, with the texts that must accompany copies of it.

use super::modules::Modules;
use crate::error::TaskError;
use cargo_metadata::Package;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

/// The name of the file.
pub(super) const NAME: &str = "THIRD-PARTY-LICENSES.txt";

/// How files with such texts begin, in lower case.
const TEXTS: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

const HEADING: &str = "Lombard contains the software of others that is listed here, each with its licence as an SPDX expression.\n\
The texts of the licences follow the list, each once, with the software that it came with.\n";

/// The list and the texts.
pub(super) fn text(modules: &Modules) -> Result<String, TaskError> {
    let mut list = format!("{HEADING}\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (package, _) in modules.of_others() {
        let name = format!("{} {}", package.name, package.version);
        let found = texts_of(package)?;
        let licence = package.license.as_deref().unwrap_or("no expression");
        let origin = package.repository.as_deref().unwrap_or_default();
        let lacking = if found.is_empty() { "; its package has no text of the licence" } else { "" };
        writeln!(list, "{name}: {licence} {origin}{lacking}")?;
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let mut texts: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    texts.sort();
    for (names, text) in texts {
        writeln!(list, "\n{}\n{}\n\n{text}", "-".repeat(80), names.join(", "))?;
    }
    Ok(list)
}

/// The texts in the folder of a crate.
fn texts_of(package: &Package) -> Result<Vec<String>, TaskError> {
    let folder = package.manifest_path.parent().ok_or("a crate has no folder")?;
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_file() && TEXTS.iter().any(|it| name.to_lowercase().starts_with(it)) {
            names.push(name);
        }
    }
    names.extend(package.license_file.as_ref().map(ToString::to_string));
    names.sort();
    names.dedup();
    let read = |name: &String| fs::read(folder.join(name)).ok();
    let normal = |bytes: Vec<u8>| {
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
    };
    Ok(names.iter().filter_map(read).map(normal).filter(|text| !text.is_empty()).collect())
}
