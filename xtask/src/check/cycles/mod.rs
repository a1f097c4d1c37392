//! Finds dependency cycles. Within a crate, no two files may use each other, directly or indirectly, and neither may two folders in the
//! same folder.
//!
//! A file that only re-exports is transparent: a use of its names counts as a use of the files that define them.

mod folders;
mod graph;
mod mentions;
mod modules;
mod names;

#[cfg(test)]
mod tests;

use crate::command::workspace;
use cargo_metadata::{Metadata, TargetKind};
use graph::{Arrows, circles, describe};
use modules::{Module, read_modules};
use names::Names;
use std::collections::BTreeSet;
use std::fs;

/// The crate of the integration tests, which is checked file by file and belongs to no row.
const TESTS: &str = "lombard-tests";

/// Describes the cycles of every crate.
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

/// Describes the cycles of the crate with this root file. Fails with the paths that cannot be resolved.
fn check_crate(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<Vec<String>, Vec<String>> {
    let modules = read_modules(root, read).map_err(|reason| vec![reason])?;
    let lost = lost_paths(&modules);
    if !lost.is_empty() {
        return Err(lost);
    }
    let arrows = arrows(&modules);
    let files = circles(&arrows).iter().map(|circle| describe("files", circle, &arrows)).collect();
    Ok([files, folders::circles_of_folders(&arrows)].concat())
}

/// The paths within the crate that cannot be resolved.
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
