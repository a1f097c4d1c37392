//! What several packages have beside the program.

use super::program::Program;
use super::repository::repository_file;
use super::source::Source;
use super::tree::FileTree;
use crate::error::TaskError;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The shells with completions: what the program calls them, and the names of their files.
const SHELLS: [(&str, &str); 3] = [("bash", "lombard"), ("zsh", "_lombard"), ("fish", "lombard.fish")];

/// A file by its name.
type NamedFile = (String, Arc<[u8]>);

/// What packages are made of.
#[derive(Debug)]
pub(super) struct Contents {
    pub(super) source: Source,
    pub(super) program: Program,
    /// The manual pages, by their names: `lombard-serve.1`.
    pub(super) man_pages: Vec<NamedFile>,
    /// The completions: the shell, the name of its file, and the script.
    pub(super) completions: Vec<(&'static str, &'static str, Arc<[u8]>)>,
    /// The licences of what is in the program.
    pub(super) licences: Arc<[u8]>,
    /// What is in the program (CycloneDX).
    pub(super) bill_of_materials: Arc<[u8]>,
}

impl Contents {
    /// Collects the manual pages and completions that the program generates.
    pub(super) fn collect(source: Source, program: Program) -> Result<Self, TaskError> {
        let modules = super::modules::Modules::read()?;
        let mut completions = Vec::new();
        for (shell, name) in SHELLS {
            completions.push((shell, name, program.output(&["completions", shell])?.into_bytes().into()));
        }
        let man_pages = man_pages(&program)?;
        let licences = super::licences::text(&modules)?.into_bytes().into();
        let bill_of_materials = super::bill_of_materials::document(&source, &modules)?.into_bytes().into();
        Ok(Self { source, program, man_pages, completions, licences, bill_of_materials })
    }

    /// The alerts for Prometheus, with their tests, and the dashboard for Grafana.
    pub(super) fn monitoring() -> Result<FileTree, TaskError> {
        let mut tree = FileTree::default();
        for name in ["lombard-alerts.yaml", "lombard-alerts.test.yaml", "lombard-dashboard.json"] {
            tree.add(&format!("monitoring/{name}"), repository_file(&format!("deploy/monitoring/{name}"))?);
        }
        Ok(tree)
    }

    /// The page that introduces the program, the licence and the changes, the licences of others, and what is inside.
    pub(super) fn documents(&self) -> Result<FileTree, TaskError> {
        let mut tree = FileTree::default();
        for name in ["README.md", "LICENSE", "CHANGELOG.md"] {
            tree.add(name, repository_file(name)?);
        }
        tree.add(super::licences::NAME, Arc::clone(&self.licences));
        tree.add(super::bill_of_materials::NAME, Arc::clone(&self.bill_of_materials));
        Ok(tree)
    }
}

fn man_pages(program: &Program) -> Result<Vec<NamedFile>, TaskError> {
    let folder = tempfile::tempdir()?;
    program.output(&["man-pages", &folder.path().display().to_string()])?;
    read_folder(folder.path())
}

/// The files of a folder, sorted by their names.
fn read_folder(folder: &Path) -> Result<Vec<NamedFile>, TaskError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().into_string().map_err(|name| format!("{name:?} is not UTF-8"))?;
        files.push((name, fs::read(entry.path())?.into()));
    }
    files.sort();
    Ok(files)
}
