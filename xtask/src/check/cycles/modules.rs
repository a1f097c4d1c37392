//! Reads the modules of a crate from its sources: their definitions, imports and mentioned paths.

use super::mentions::{Mentions, is_for_tests, words};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::{Item, ItemMod, UseTree, Visibility};

/// A path as a list of its words: `crate::order::Order`.
pub(super) type Words = Vec<String>;

/// One name that a `use` brings into a module.
#[derive(Debug)]
pub(super) struct Import {
    /// The name in this module.
    pub(super) name: String,
    pub(super) path: Words,
    /// Whether the import is a re-export. Such an import is not a use by the module.
    pub(super) is_for_others: bool,
}

#[derive(Debug, Default)]
pub(super) struct Module {
    /// The file that contains the module, relative to the workspace.
    pub(super) file: String,
    pub(super) parent: Option<usize>,
    pub(super) children: BTreeMap<String, usize>,
    pub(super) definitions: BTreeSet<String>,
    /// The words of macro definitions and of macro calls at item level. The items that such a call defines are among these words.
    pub(super) macro_words: BTreeSet<String>,
    /// Macros that are exported at the crate's root.
    pub(super) exported: BTreeSet<String>,
    pub(super) imports: Vec<Import>,
    pub(super) globs: Vec<Words>,
    /// The paths that the module's code names.
    pub(super) mentions: BTreeSet<Words>,
    /// The macros that the module calls without a path.
    pub(super) macros: BTreeSet<String>,
}

/// Reads a crate from its root file. Modules and items for tests are left out.
pub(super) fn read_modules(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Result<Vec<Module>, String> {
    let mut reader = Reader { read, modules: Vec::new() };
    let folder = Path::new(root).parent().unwrap_or(Path::new("")).to_owned();
    reader.file(root, &folder, None)?;
    Ok(reader.modules)
}

struct Reader<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    modules: Vec<Module>,
}

impl Reader<'_> {
    /// Reads a file as a module. The module's submodules are in `folder`.
    fn file(&mut self, file: &str, folder: &Path, parent: Option<usize>) -> Result<usize, String> {
        let text = (self.read)(file).ok_or_else(|| format!("{file}: cannot be read"))?;
        let parsed = syn::parse_file(&text).map_err(|error| format!("{file}: {error}"))?;
        self.module(file, folder, parent, &parsed.items)
    }

    fn module(&mut self, file: &str, folder: &Path, parent: Option<usize>, items: &[Item]) -> Result<usize, String> {
        let id = self.modules.len();
        self.modules.push(Module { file: file.to_owned(), parent, ..Module::default() });
        let mut module = Module::default();
        for item in items.iter().filter(|item| !is_for_tests(item)) {
            if let Item::Mod(child) = item {
                let name = child.ident.to_string();
                let child = self.child(file, folder, id, child)?;
                module.children.insert(name, child);
            } else {
                module.note(item);
            }
        }
        let Some(own) = self.modules.get_mut(id) else { return Err(format!("{file}: lost")) };
        *own = Module { file: file.to_owned(), parent, ..module };
        Ok(id)
    }

    fn child(&mut self, file: &str, folder: &Path, parent: usize, child: &ItemMod) -> Result<usize, String> {
        let folder = folder.join(child.ident.to_string());
        if let Some((_, items)) = &child.content {
            return self.module(file, &folder, Some(parent), items);
        }
        let places =
            [folder.with_extension("rs"), folder.join("mod.rs")].map(|place: PathBuf| place.display().to_string());
        let place = places.iter().find(|place| (self.read)(place).is_some());
        let place = place.ok_or_else(|| format!("{file}: module {} has no file", child.ident))?;
        self.file(place, &folder, Some(parent))
    }
}

impl Module {
    fn note(&mut self, item: &Item) {
        match item {
            Item::Use(found) => {
                let is_for_others = !matches!(found.vis, Visibility::Inherited);
                let leading = if found.leading_colon.is_some() { vec![String::new()] } else { Vec::new() };
                self.import(&found.tree, leading, is_for_others);
            }
            Item::Macro(it) => {
                if it.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export")) {
                    self.exported.extend(defined_name(item));
                }
                self.macro_words.extend(words(it.mac.tokens.clone()));
            }
            _ => {}
        }
        self.definitions.extend(defined_name(item));
        let mut found = Mentions::default();
        syn::visit::Visit::visit_item(&mut found, item);
        self.mentions.extend(found.paths);
        self.macros.extend(found.macros);
        for inner in found.uses {
            self.import(inner, Vec::new(), false);
        }
    }

    fn import(&mut self, tree: &UseTree, mut path: Words, is_for_others: bool) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.import(&step.tree, path, is_for_others);
            }
            UseTree::Name(last) if last.ident == "self" => {
                let name = path.last().cloned().unwrap_or_default();
                self.imports.push(Import { name, path, is_for_others });
            }
            UseTree::Name(last) => {
                path.push(last.ident.to_string());
                self.imports.push(Import { name: last.ident.to_string(), path, is_for_others });
            }
            UseTree::Rename(last) => {
                if last.ident != "self" {
                    path.push(last.ident.to_string());
                }
                self.imports.push(Import { name: last.rename.to_string(), path, is_for_others });
            }
            UseTree::Glob(_) => self.globs.push(path),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, path.clone(), is_for_others);
                }
            }
        }
    }
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(it) => &it.ident,
        Item::Enum(it) => &it.ident,
        Item::ExternCrate(it) => &it.ident,
        Item::Fn(it) => &it.sig.ident,
        Item::Macro(it) => it.ident.as_ref()?,
        Item::Static(it) => &it.ident,
        Item::Struct(it) => &it.ident,
        Item::Trait(it) => &it.ident,
        Item::TraitAlias(it) => &it.ident,
        Item::Type(it) => &it.ident,
        Item::Union(it) => &it.ident,
        _ => return None,
    };
    Some(name.to_string())
}
