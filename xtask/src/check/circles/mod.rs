//! Dependency cycles of files: within a crate, no two files may use each other, directly or indirectly.
//!
//! A file that only re-exports is transparent: a use of its names counts as a use of the files that define them.

mod mentions;
mod modules;
mod names;

#[cfg(test)]
mod tests;

use crate::command::workspace;
use cargo_metadata::{Metadata, TargetKind};
use modules::{Module, read_modules};
use names::Names;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// The crate of the tests, which are read file by file and belong to no row.
const TESTS: &str = "lombard-tests";

/// What ties files: the file that uses, the file that defines, and the names.
type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Describes the circles of every crate.
pub(super) fn check(metadata: &Metadata) -> Vec<String> {
    let read = |path: &str| fs::read_to_string(workspace().join(path)).ok();
    let mut found = Vec::new();
    for package in metadata.workspace_packages().into_iter().filter(|it| it.name.as_str() != TESTS) {
        let kinds = [TargetKind::Lib, TargetKind::Bin];
        let targets = package.targets.iter().filter(|target| target.kind.iter().any(|kind| kinds.contains(kind)));
        for root in targets.filter_map(|target| target.src_path.strip_prefix(workspace()).ok()) {
            found.extend(check_crate(root.as_str(), &read).unwrap_or_else(|reasons| reasons));
        }
    }
    found
}

/// Describes the circles of the crate with this root file; or says which paths cannot be followed.
fn check_crate(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<Vec<String>, Vec<String>> {
    let modules = read_modules(root, read).map_err(|reason| vec![reason])?;
    let lost = lost_paths(&modules);
    if !lost.is_empty() {
        return Err(lost);
    }
    let arrows = arrows(&modules);
    Ok(circles(&arrows).iter().map(|circle| describe(circle, &arrows)).collect())
}

/// Paths within the crate that cannot be followed.
fn lost_paths(modules: &[Module]) -> Vec<String> {
    let names = Names(modules);
    let mut found = BTreeSet::new();
    for (id, module) in modules.iter().enumerate() {
        let imports = module.imports.iter().map(|import| &import.path);
        for path in module.mentions.iter().chain(imports).filter(|path| names.is_lost(id, path)) {
            found.insert(format!("{}: where {} leads is not seen", module.file, path.join("::")));
        }
    }
    found.into_iter().collect()
}

fn arrows(modules: &[Module]) -> Arrows {
    let names = Names(modules);
    let mut arrows = Arrows::new();
    for (id, module) in modules.iter().enumerate() {
        let imports = module.imports.iter().filter(|import| !import.is_for_others).map(|import| &import.path);
        let paths = module.mentions.iter().chain(imports).flat_map(|path| names.definitions(id, path));
        let macros = module.macros.iter().flat_map(|name| names.macros(id, name));
        for (file, name) in paths.chain(macros).filter(|(file, _)| *file != module.file) {
            arrows.entry(module.file.clone()).or_default().entry(file).or_default().insert(name);
        }
    }
    arrows
}

/// The largest sets of files of which each leads to all others.
fn circles(arrows: &Arrows) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reachable(file, arrows))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let mut circles: Vec<BTreeSet<&str>> = Vec::new();
    for file in reached.keys().filter(|file| leads(file, file)) {
        if !circles.iter().any(|circle| circle.contains(file)) {
            circles.push(reached.keys().copied().filter(|other| leads(file, other) && leads(other, file)).collect());
        }
    }
    circles
}

fn reachable<'a>(file: &str, arrows: &'a Arrows) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = arrows.get(file).into_iter().flat_map(|to| to.keys().map(String::as_str)).collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(arrows.get(file).into_iter().flat_map(|to| to.keys().map(String::as_str)));
        }
    }
    found
}

fn describe(circle: &BTreeSet<&str>, arrows: &Arrows) -> String {
    let mut lines = vec![format!("{} files use each other in a circle:", circle.len())];
    for from in circle {
        let to = arrows.get(*from).into_iter().flatten().filter(|(to, _)| circle.contains(to.as_str()));
        lines.extend(to.map(|(to, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("{from} -> {to}: {}", names.join(", "))
        }));
    }
    lines.join("\n    ")
}
