//! The package for npm, which carries the program.

use super::artefact::Artefact;
use super::contents::Contents;
use super::tree::FileTree;
use crate::error::TaskError;
use serde_json::json;
use std::sync::Arc;

/// Makes `lombard-VERSION-npm.tgz`.
pub(super) fn package(contents: &Contents) -> Result<Artefact, TaskError> {
    let source = &contents.source;
    let description = json!({
        "name": "lombard",
        "version": source.version,
        "description": "UK Open Banking account provider in one program",
        "license": "Apache-2.0",
        "repository": { "type": "git", "url": format!("git+{}.git", source.repository) },
        "bin": { "lombard": "bin/lombard" },
        "os": ["linux"],
        "cpu": ["x64"],
        "libc": ["glibc"],
    });
    let mut tree = FileTree::default();
    tree.add("package.json", format!("{}\n", serde_json::to_string_pretty(&description)?).into_bytes());
    tree.add_program("bin/lombard", Arc::clone(&contents.program.bytes));
    let mut packed = FileTree::default();
    packed.add_tree("package", &tree);
    packed.add_tree("package", &contents.documents()?);
    Ok(Artefact { name: format!("lombard-{}-npm.tgz", source.version), bytes: packed.tar_gz(source)? })
}
