//! Finds dependency cycles between folders. No two members of a folder may use each other, directly or indirectly. A member is a file, or a
//! folder with all its files; `a.rs` belongs to the folder `a`.

use super::graph::{Arrows, circles, describe};
use std::collections::BTreeSet;

/// Describes the cycles in every folder of a crate.
pub(super) fn circles_of_folders(arrows: &Arrows) -> Vec<String> {
    let files: BTreeSet<&str> =
        arrows.iter().flat_map(|(from, to)| [from].into_iter().chain(to.keys())).map(String::as_str).collect();
    let folders: BTreeSet<&str> = files.iter().flat_map(|file| folders_above(file)).collect();
    folders.into_iter().flat_map(|folder| circles_in(folder, &files, arrows)).collect()
}

/// The folders that contain a file, innermost first.
fn folders_above(file: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(folder_of(file), |folder| folder_of(folder))
}

fn folder_of(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

/// The cycles between the members of one folder. Cycles that consist only of files are reported by another check.
fn circles_in(folder: &str, files: &BTreeSet<&str>, arrows: &Arrows) -> Vec<String> {
    let folders: BTreeSet<&str> = files.iter().flat_map(|file| folders_above(file)).collect();
    let mut between = Arrows::new();
    for (from, to, names) in arrows.iter().flat_map(|(from, to)| to.iter().map(move |(to, names)| (from, to, names))) {
        if let (Some(from), Some(to)) = (member(folder, from, &folders), member(folder, to, &folders))
            && from != to
        {
            let names = names.iter().cloned();
            between.entry(from).or_default().entry(to).or_default().extend(names);
        }
    }
    let is_folder = |member: &&str| folders.contains(member);
    let found = circles(&between);
    found
        .iter()
        .filter(|circle| circle.iter().any(is_folder))
        .map(|circle| describe("folders", circle, &between))
        .collect()
}

/// The member of a folder that contains a file.
fn member(folder: &str, file: &str, folders: &BTreeSet<&str>) -> Option<String> {
    let name = file.strip_prefix(folder)?.strip_prefix('/')?;
    let first = name.split('/').next().unwrap_or(name);
    let place = format!("{folder}/{first}");
    let module = place.strip_suffix(".rs").filter(|module| folders.contains(module));
    Some(module.map_or(place.clone(), ToOwned::to_owned))
}
