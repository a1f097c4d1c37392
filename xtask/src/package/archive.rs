//! The archive for Linux: everything in one folder that can be put anywhere.

use super::artefact::Artefact;
use super::contents::Contents;
use super::deb;
use super::repository::repository_file;
use super::tree::FileTree;
use crate::error::TaskError;
use std::sync::Arc;

/// Makes `lombard-VERSION-x86_64-linux.tar.gz`.
pub(super) fn package(contents: &Contents) -> Result<Artefact, TaskError> {
    let root = format!("lombard-{}-x86_64-linux", contents.source.version);
    let mut tree = FileTree::default();
    tree.add_program("bin/lombard", Arc::clone(&contents.program.bytes));
    for (name, page) in &contents.man_pages {
        tree.add(&format!("share/man/man1/{name}"), Arc::clone(page));
    }
    for (shell, name, script) in &contents.completions {
        tree.add(&format!("share/completions/{shell}/{name}"), Arc::clone(script));
    }
    for (folder, file) in
        [("etc", deb::CONFIGURATION), ("etc", deb::PRODUCTION), ("systemd", deb::UNIT), ("systemd", deb::SYSTEM_USER)]
    {
        let name = file.rsplit('/').next().unwrap_or(file);
        tree.add(&format!("{folder}/{name}"), repository_file(file)?);
    }
    let mut packed = FileTree::default();
    packed.add_tree(&root, &tree);
    packed.add_tree(&root, &contents.documents()?);
    packed.add_tree(&root, &Contents::monitoring()?);
    Ok(Artefact { name: format!("{root}.tar.gz"), bytes: packed.tar_gz(&contents.source)? })
}
