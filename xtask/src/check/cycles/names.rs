//! Resolves a path to the file that defines the named item, through all imports.

use super::modules::Module;
use std::collections::BTreeSet;

/// The target of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Module(usize),
    /// An item that the module defines.
    Item(usize, String),
    /// An item of another crate.
    Outside,
}

/// Resolves names in the modules of a crate.
pub(super) struct Names<'a>(pub(super) &'a [Module]);

/// An item: the file that defines it and its name.
pub(super) type Definition = (String, String);

/// The look-ups in progress, which prevent endless recursion because imports may form a cycle.
type Underway = BTreeSet<(usize, String)>;

impl Names<'_> {
    /// The items that a path of this module names. The result is empty for a module, another crate's item or a local value.
    pub(super) fn definitions(&self, module: usize, path: &[String]) -> Vec<Definition> {
        let named = self.path(module, path, &mut Underway::new());
        let items = named.into_iter().filter_map(|named| match named {
            Named::Item(module, name) => Some((self.0.get(module)?.file.clone(), name)),
            Named::Module(_) | Named::Outside => None,
        });
        items.collect()
    }

    /// Whether a path that begins within the crate cannot be resolved. The check would miss such a dependency.
    pub(super) fn is_lost(&self, module: usize, path: &[String]) -> bool {
        is_own(path) && self.path(module, path, &mut Underway::new()).is_empty()
    }

    fn path(&self, module: usize, path: &[String], underway: &mut Underway) -> Vec<Named> {
        let mut words = path.iter();
        let Some(first) = words.next() else { return Vec::new() };
        let mut found = match first.as_str() {
            "crate" => vec![Named::Module(0)],
            "self" => vec![Named::Module(module)],
            "super" => self.parent(module),
            _ => self.name(module, first, underway),
        };
        for word in words {
            let modules = found.iter().filter_map(|named| if let Named::Module(id) = named { Some(*id) } else { None });
            let modules: Vec<usize> = modules.collect();
            if modules.is_empty() {
                // The words after an item belong to the item: a variant, a constant, or a function of a type.
                break;
            }
            let inner = modules.into_iter().flat_map(|id| match word.as_str() {
                "super" => self.parent(id),
                _ => self.name(id, word, underway),
            });
            found = inner.collect();
        }
        found.sort();
        found.dedup();
        found
    }

    fn parent(&self, module: usize) -> Vec<Named> {
        self.0.get(module).and_then(|it| it.parent).map(Named::Module).into_iter().collect()
    }

    /// The targets of a name in a module. A module and a function may have the same name.
    fn name(&self, id: usize, name: &str, underway: &mut Underway) -> Vec<Named> {
        let Some(module) = self.0.get(id) else { return Vec::new() };
        let mut found = Vec::new();
        if module.definitions.contains(name) {
            found.push(Named::Item(id, name.to_owned()));
        }
        if id == 0 {
            let exporting = self.0.iter().enumerate().filter(|(other, it)| *other != id && it.exported.contains(name));
            found.extend(exporting.map(|(other, _)| Named::Item(other, name.to_owned())));
        }
        found.extend(module.children.get(name).map(|child| Named::Module(*child)));
        if !underway.insert((id, name.to_owned())) {
            return found;
        }
        for import in module.imports.iter().filter(|import| import.name == name) {
            let imported = self.path(id, &import.path, underway);
            let is_outside = imported.is_empty() && !is_own(&import.path);
            found.extend(if is_outside { vec![Named::Outside] } else { imported });
        }
        if found.is_empty() {
            for glob in &module.globs {
                let opened = self.path(id, glob, underway);
                found.extend(opened.into_iter().flat_map(|named| match named {
                    Named::Module(id) => self.name(id, name, underway),
                    // A variant belongs to the file that defines its enum. Whether the enum has this variant is not checked.
                    Named::Item(..) | Named::Outside => Vec::new(),
                }));
            }
        }
        if found.is_empty() && module.macro_words.contains(name) {
            found.push(Named::Item(id, name.to_owned()));
        }
        underway.remove(&(id, name.to_owned()));
        found
    }

    /// The macros of this name. A macro is also visible in the modules below the one that defines it.
    pub(super) fn macros(&self, module: usize, name: &str) -> Vec<Definition> {
        let mut above = self.0.get(module).and_then(|it| it.parent);
        while let Some(id) = above {
            let Some(module) = self.0.get(id) else { break };
            if module.definitions.contains(name) {
                return vec![(module.file.clone(), name.to_owned())];
            }
            above = module.parent;
        }
        Vec::new()
    }
}

/// Whether the first word of a path shows that it begins within the crate.
fn is_own(path: &[String]) -> bool {
    path.first().is_some_and(|first| ["crate", "self", "super"].contains(&first.as_str()))
}
