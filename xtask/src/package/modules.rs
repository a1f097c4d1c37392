//! The crates that are in the program.

use super::source::PROGRAM;
use crate::command::workspace;
use crate::error::TaskError;
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Node, Package, PackageId, TargetKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The platform of the packages.
pub(super) const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The crates that are in the program for Linux on x86-64, and what each depends on.
#[derive(Debug)]
pub(super) struct Modules {
    metadata: Metadata,
    /// The crates by their ids; those that only a build needs, and the compiler's extensions, are not among them.
    inside: BTreeMap<PackageId, BTreeSet<PackageId>>,
}

impl Modules {
    /// Reads them from the metadata of the workspace.
    pub(super) fn read() -> Result<Self, TaskError> {
        let options = ["--locked", "--filter-platform", PLATFORM].map(str::to_owned).to_vec();
        let features = CargoOpt::SomeFeatures(vec![format!("{PROGRAM}/jemalloc")]);
        let metadata =
            MetadataCommand::new().current_dir(workspace()).features(features).other_options(options).exec()?;
        let inside = reached(&metadata)?;
        Ok(Self { metadata, inside })
    }

    /// The crates of others with what they depend on, sorted by their names and versions.
    pub(super) fn of_others(&self) -> Vec<(&Package, &BTreeSet<PackageId>)> {
        let mut found: Vec<_> = self.all().into_iter().filter(|(package, _)| package.source.is_some()).collect();
        found.sort_by(|(a, _), (b, _)| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        found
    }

    /// All crates with what they depend on, sorted by their names and versions.
    pub(super) fn all(&self) -> Vec<(&Package, &BTreeSet<PackageId>)> {
        let packages = self.metadata.packages.iter();
        let mut found: Vec<_> = packages.filter_map(|it| Some((it, self.inside.get(&it.id)?))).collect();
        found.sort_by(|(a, _), (b, _)| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        found
    }
}

/// The crates that are reached from the program through what is linked into it.
fn reached(metadata: &Metadata) -> Result<BTreeMap<PackageId, BTreeSet<PackageId>>, TaskError> {
    let packages: HashMap<_, _> = metadata.packages.iter().map(|package| (&package.id, package)).collect();
    let resolve = metadata.resolve.as_ref().ok_or("the metadata has no dependencies")?;
    let nodes: HashMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let program = metadata.packages.iter().find(|package| package.name.as_str() == PROGRAM);
    let mut waiting = vec![&program.ok_or("the workspace has no package of the program")?.id];
    let mut found = BTreeMap::new();
    while let Some(id) = waiting.pop() {
        if found.contains_key(id) {
            continue;
        }
        let node = nodes.get(id).ok_or("the metadata lacks a dependency")?;
        let linked: BTreeSet<_> = linked(node).filter(|id| packages.get(id).is_some_and(|it| !is_macro(it))).collect();
        waiting.extend(&linked);
        found.insert(id.clone(), linked.into_iter().cloned().collect());
    }
    Ok(found)
}

/// What a crate links.
fn linked(node: &Node) -> impl Iterator<Item = &PackageId> {
    let is_normal = |kinds: &[cargo_metadata::DepKindInfo]| kinds.iter().any(|it| it.kind == DependencyKind::Normal);
    node.deps.iter().filter(move |it| is_normal(&it.dep_kinds)).map(|it| &it.pkg)
}

/// Whether a crate extends the compiler and is not in the program.
fn is_macro(package: &Package) -> bool {
    package.targets.iter().any(|target| target.kind.contains(&TargetKind::ProcMacro))
}
